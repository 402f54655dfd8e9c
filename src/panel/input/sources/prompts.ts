import * as l10n from '@vscode/l10n';
import type { ContentBlock, GetPromptResult } from '@modelcontextprotocol/client';
import { base64Of } from '../../../domain/data/base64.ts';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { isJsonObject } from '../../../domain/data/json.ts';
import { cleanText } from '../../../domain/text/honest-text.ts';
import { fuzzyScore } from '../../../domain/text/fuzzy-score.ts';
import { outputOf } from '../../../mcp/tools/result.ts';
import { MESSAGE_LIMIT } from '../../../protocol/limits.ts';
import type { CommandSource, FilledCommand, ScoredRow } from '../source.ts';
import { argumentText, readLine, type TypedLine } from './prompt-line.ts';
import { resourceMention } from './resources.ts';
import { type Offered, type ServerOffers, shortWord, textIn } from './server-offers.ts';

const MOST = 30;
/** Worth of rows of one command, the first one above. */
const TOP = 1000;

interface PromptArgument {
  readonly name: string;
  readonly detail: string;
  readonly required: boolean;
}

interface Prompt {
  readonly server: string;
  readonly name: string;
  /** As it is typed: `server:prompt`. */
  readonly command: string;
  readonly detail: string;
  readonly args: readonly PromptArgument[];
}

/** The prompts of MCP servers as commands: `/server:prompt city=London`, with values that the server suggests. */
export function promptSource(offers: ServerOffers): CommandSource {
  const prompts = async (): Promise<readonly Prompt[]> =>
    (await offers.list('prompts')).map(promptOf);
  return {
    id: 'prompt',
    trigger: '/',
    search: async (query, signal) => {
      if (offers.names.length === 0) return [];
      const line = readLine(query);
      if (line === undefined)
        return (await prompts()).flatMap((prompt) => rowOf(query, prompt)).slice(0, MOST);
      const prompt = (await prompts()).find(({ command }) => command === line.name);
      return prompt === undefined ? [] : argumentRows(prompt, line, offers, signal);
    },
    fill: async (ref) => {
      const read: unknown = JSON.parse(ref);
      if (!isJsonObject(read)) return undefined;
      const { server, prompt, args } = read;
      if (typeof server !== 'string' || typeof prompt !== 'string' || !isJsonObject(args))
        return undefined;
      const given = Object.fromEntries(
        Object.entries(args).map(([name, value]) => [name, textIn(value)]),
      );
      const { signal } = new AbortController();
      const filled = filledBy(server, await offers.prompt(server, prompt, given, signal));
      const note = l10n.t(
        'These are the words of “{0}” of the MCP server “{1}”: look at them before you send.',
        shortWord(prompt),
        server,
      );
      return { ...filled, note };
    },
  };
}

function promptOf({ server, entry }: Offered): Prompt {
  const name = textIn(entry['name']);
  const args = Array.isArray(entry['arguments']) ? entry['arguments'] : [];
  return {
    server,
    name,
    command: `${server}:${name}`.replaceAll(/\s+/gu, '_'),
    detail: shortWord(entry['description']) || shortWord(entry['title']),
    args: args.filter(isJsonObject).flatMap((one) =>
      typeof one['name'] === 'string' && /^[^\s="]+$/u.test(one['name'])
        ? [
            {
              name: one['name'],
              detail: shortWord(one['description']),
              required: one['required'] === true,
            },
          ]
        : [],
    ),
  };
}

function rowOf(query: string, prompt: Prompt): readonly ScoredRow[] {
  const { command, detail, args } = prompt;
  const score = query === '' ? 0 : fuzzyScore(query, command);
  if (score === undefined) return [];
  const does: ScoredRow['does'] =
    args.length === 0
      ? { kind: 'fill', ref: refOf(prompt, {}) }
      : { kind: 'insert', text: `/${command} ` };
  return [{ label: `/${command}`, detail, icon: 'comment', score, does }];
}

function refOf({ server, name }: Prompt, args: Readonly<Record<string, string>>): string {
  return JSON.stringify({ server, prompt: name, args });
}

/** Values of the argument that is typed, or the arguments that are missing; and the command itself, when it has what it needs. */
async function argumentRows(
  prompt: Prompt,
  { given, last, before }: TypedLine,
  offers: ServerOffers,
  signal: AbortSignal,
): Promise<readonly ScoredRow[]> {
  const { args, server, name, command } = prompt;
  const known = Object.fromEntries(
    Object.entries(given).filter(([one]) => args.some((arg) => arg.name === one)),
  );
  const missing = args.filter((arg) => known[arg.name] === undefined);
  const icon = 'symbol-parameter';
  const rows: ScoredRow[] = [];
  const typed = args.find((arg) => arg.name === last.argument);
  if (typed !== undefined) {
    const { [typed.name]: _, ...context } = known;
    const values = await offers.complete(
      server,
      {
        ref: { type: 'ref/prompt', name },
        argument: { name: typed.name, value: last.text },
        context: { arguments: context },
      },
      signal,
    );
    for (const [index, value] of values.slice(0, MOST).entries())
      if (value !== last.text)
        rows.push({
          label: value,
          detail: typed.name,
          icon,
          score: TOP - 10 - index,
          does: { kind: 'insert', text: `/${before}${argumentText(typed.name, value)} ` },
        });
  } else
    for (const [index, arg] of missing.entries())
      if (arg.name.startsWith(last.text))
        rows.push({
          label: arg.name,
          detail: arg.required
            ? l10n.t('Required. {0}', arg.detail)
            : l10n.t('Optional. {0}', arg.detail),
          icon,
          score: TOP - 10 - index - (arg.required ? 0 : 100),
          does: { kind: 'insert', text: `/${before}${arg.name}=` },
        });
  const needed = missing.find((arg) => arg.required);
  const isWhole = needed === undefined && last.argument === undefined && last.text === '';
  const isValue = typed !== undefined && last.text !== '' && needed === undefined;
  if (isWhole || isValue)
    rows.push({
      label: `/${command}`,
      detail: Object.entries(known)
        .map(([one, value]) => `${one} = ${value}`)
        .join(', '),
      icon: 'play',
      // While a value is typed that the server could complete, its values come first.
      score: isValue && rows.length > 0 ? 0 : TOP,
      does: { kind: 'fill', ref: refOf(prompt, known) },
    });
  else if (rows.length === 0 && needed !== undefined)
    rows.push({
      label: needed.name,
      detail:
        typed === undefined
          ? l10n.t('Is needed. {0}', needed.detail)
          : typed.detail || l10n.t('Type its value'),
      icon,
      score: TOP,
      does: { kind: 'hint' },
    });
  return rows;
}

let attached = 0;

/** A prompt's messages as one message of the person: texts for the input, the rest goes along. */
function filledBy(server: string, { messages }: GetPromptResult): Omit<FilledCommand, 'note'> {
  const texts: string[] = [];
  const attachments: FilledCommand['attachments'][number][] = [];
  for (const { role, content } of messages) {
    const said = role === 'assistant' ? 'Assistant: ' : '';
    if (content.type === 'text') texts.push(`${said}${cleanText(content.text)}`);
    else attachments.push(...goesAlong(server, content));
  }
  const text = texts.join('\n\n');
  if (text.length > MESSAGE_LIMIT)
    throw fault(
      'invalid',
      told`This prompt has ${text.length} characters; a message may have ${MESSAGE_LIMIT}.`,
    );
  return { text, attachments };
}

function goesAlong(server: string, content: ContentBlock): FilledCommand['attachments'] {
  if (content.type === 'resource_link') {
    const mention = { ...resourceMention(server, content.uri, content.name), tokens: null };
    return [{ id: newId(), name: 'resource', mediaType: 'text/plain', size: 0, mention }];
  }
  const name = content.type === 'resource' ? plainName(content.resource.uri) : content.type;
  return outputOf({ content: [content] }).content.map((part) => {
    const data =
      part.type === 'text' ? base64Of(new TextEncoder().encode(cleanText(part.text))) : part.data;
    const mediaType = part.type === 'text' ? 'text/plain' : part.mediaType;
    return { id: newId(), name, mediaType, size: Math.floor((data.length * 3) / 4), data };
  });
}

function newId(): string {
  attached += 1;
  return `prompt-${attached}-${Date.now()}`;
}

/** Attachments have the names of files. */
function plainName(uri: string): string {
  return (
    shortWord(uri)
      .replaceAll(/[/\\:]+/gu, '_')
      .slice(-80) || 'resource'
  );
}
