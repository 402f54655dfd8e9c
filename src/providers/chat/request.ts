import type { Told } from '../../domain/text/told.ts';
import type { ModelRequest } from '../../core/model-call/model-call.ts';
import type { Message } from '../../domain/message.ts';
import type { ModelInfo, ToolSpec } from '../../domain/models/model.ts';
import { toolCallsOf } from '../../domain/message.ts';
import { utf8, withCommas } from '../http/bytes.ts';
import { samplingFields } from '../http/request/sampling.ts';
import { plainName, usableTools } from '../http/request/usable-tools.ts';
import { LONGEST_NAME, toolBytes } from './chat-message.ts';
import type { ChatEntry, ChatForm, ChatMessages, UserItem } from './chat-message.ts';
import { effortFields } from './effort.ts';

export interface ChatRequestOptions {
  readonly info: ModelInfo;
  readonly form: ChatForm;
  readonly messages: ChatMessages;
  /** For servers whose prompt cache takes a key. */
  readonly sessionId: string;
}

/** Characters that a key of a prompt cache may have. */
const LONGEST_CACHE_KEY = 64;
const MARK = { cache_control: { type: 'ephemeral' } } as const;

/** The only translation of a request to Chat Completions. The same request gives the same bytes. */
export function chatBody(
  request: ModelRequest,
  options: ChatRequestOptions,
): {
  readonly pieces: readonly Uint8Array[];
  readonly tools: readonly string[];
  readonly notes: readonly Told[];
} {
  const { info, form, sessionId } = options;
  const { flags } = form;
  const { specs, notes } = usableTools(request.tools, LONGEST_NAME);
  const maxTokens = request.maxOutputTokens ?? info.maxOutputTokens;
  const choice = toolChoice(request, specs, options);
  const sampling = samplingFields(request, flags);
  const isMarked = flags.cache === 'marks';
  const fields = {
    model: request.model,
    ...(flags.maxTokens === 'none' ? {} : { [flags.maxTokens]: maxTokens }),
    stream: true,
    ...(flags.askUsage ? { stream_options: { include_usage: true } } : {}),
    ...effortFields(request, info, flags),
    ...sampling.fields,
    ...(flags.cache === 'key' ? { prompt_cache_key: sessionId.slice(0, LONGEST_CACHE_KEY) } : {}),
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(flags.toolStream && specs.length > 0 ? { tool_stream: true } : {}),
  };
  const start = JSON.stringify(fields).slice(0, -1);
  const tools = toolsJson(specs, request.messages, options);
  const messages = [
    ...systemMessage(request.system, flags.systemRole, isMarked),
    ...conversation(request.messages, options, isMarked),
  ];
  return {
    pieces: [
      utf8(`${start}${tools === '' ? '' : `,"tools":[${tools}]`},"messages":[`),
      ...withCommas(messages),
      utf8(']}'),
    ],
    tools: specs.map(({ name }) => name),
    notes: [...notes, ...sampling.notes],
  };
}

function toolChoice(
  { toolChoice: choice, messages }: ModelRequest,
  specs: readonly ToolSpec[],
  { info, form: { flags } }: ChatRequestOptions,
): unknown {
  // Tools that only stand for those of the history must not be called.
  if (specs.length === 0)
    return flags.toolsForHistory && flags.toolChoice && hasCalls(messages) ? 'none' : undefined;
  if (!flags.toolChoice || choice.type === 'auto') return undefined;
  if (choice.type === 'none') return 'none';
  return info.toolChoice && specs.some(({ name }) => name === choice.name)
    ? { type: 'function', function: { name: choice.name } }
    : undefined;
}

const hasCalls = (messages: readonly Message[]): boolean =>
  messages.some((message) => toolCallsOf(message).length > 0);

const knownTools = new WeakMap<ToolSpec, string>();

/** `strict` stays off, because it wants schemas that those of MCP servers rarely are. */
function toolJson(spec: ToolSpec): string {
  let json = knownTools.get(spec);
  if (json === undefined) {
    const { name, description, inputSchema: parameters } = spec;
    const tool = { name, description: description.toWellFormed(), parameters };
    json = JSON.stringify({ type: 'function', function: tool });
    knownTools.set(spec, json);
  }
  return json;
}

function toolsJson(
  specs: readonly ToolSpec[],
  messages: readonly Message[],
  { form: { flags } }: ChatRequestOptions,
): string {
  if (specs.length > 0 || !flags.toolsForHistory) return specs.map(toolJson).join(',');
  const names = new Set(
    messages.flatMap(toolCallsOf).map(({ name }) => plainName(name, LONGEST_NAME)),
  );
  return [...names]
    .map((name) =>
      toolJson({ name, description: '', inputSchema: { type: 'object', properties: {} } }),
    )
    .join(',');
}

function systemMessage(
  system: readonly string[],
  role: string,
  isMarked: boolean,
): readonly Uint8Array[] {
  const text = system
    .filter((block) => block.trim() !== '')
    .join('\n\n')
    .toWellFormed();
  if (text === '') return [];
  const content = isMarked ? [{ type: 'text', text, ...MARK }] : text;
  return [utf8(JSON.stringify({ role, content }))];
}

/** Said when the history ends with the model's own words: APIs want the last ones to be another's. */
const GO_ON: ChatEntry = { role: 'user', items: [{ text: 'Continue.' }] };
/** Stands between results and the person's words for servers that want an answer there. */
const RECEIVED = utf8(JSON.stringify({ role: 'assistant', content: 'I have the results.' }));

/** The messages, with marks for the cache on the last that is not the model's and on the one that was last a request ago. */
function conversation(
  messages: readonly Message[],
  { form, messages: written }: ChatRequestOptions,
  isMarked: boolean,
): readonly Uint8Array[] {
  const entries = joinedUsers(messages.flatMap((message) => written.of(message, form)));
  if (entries.at(-1)?.role === 'assistant') entries.push(GO_ON);
  const last = entries.length - 1;
  const answered = entries.findLastIndex(({ role }) => role === 'assistant');
  const marks = isMarked ? new Set([last, answered - 1]) : new Set<number>();
  return entries.flatMap((entry, index) => {
    const bytes = bytesOf(entry, marks.has(index));
    const follows = entry.role === 'user' && entries[index - 1]?.role === 'tool';
    return follows && !form.flags.userAfterTool ? [RECEIVED, bytes] : [bytes];
  });
}

/** Messages of the person in a row are one: templates of local models want roles in turn. */
function joinedUsers(entries: readonly ChatEntry[]): ChatEntry[] {
  const joinedEntries: ChatEntry[] = [];
  for (const entry of entries) {
    const last = joinedEntries.at(-1);
    if (entry.role === 'user' && last?.role === 'user')
      joinedEntries[joinedEntries.length - 1] = {
        role: 'user',
        items: both(last.items, entry.items),
      };
    else joinedEntries.push(entry);
  }
  return joinedEntries;
}

/** Joined items by their second half, and the bytes of items: the same ones are the same objects at every turn. */
const knownPairs = new WeakMap<Items, { readonly first: Items; readonly joined: Items }>();
const knownBytes = new WeakMap<Items, Uint8Array>();

type Items = readonly UserItem[];

function both(first: Items, second: Items): Items {
  const known = knownPairs.get(second);
  if (known?.first === first) return known.joined;
  const made = { first, joined: [...first, ...second] };
  knownPairs.set(second, made);
  return made.joined;
}

function userBytes(items: Items): Uint8Array {
  const known = knownBytes.get(items);
  if (known !== undefined) return known;
  const bytes = utf8(JSON.stringify({ role: 'user', content: userContent(items, false) }));
  knownBytes.set(items, bytes);
  return bytes;
}

function bytesOf(entry: ChatEntry, isMarked: boolean): Uint8Array {
  switch (entry.role) {
    case 'assistant':
      return entry.bytes;
    case 'tool':
      return isMarked
        ? toolBytes(entry.id, [{ type: 'text', text: entry.text, ...MARK }])
        : entry.bytes;
    case 'user':
      return isMarked
        ? utf8(JSON.stringify({ role: 'user', content: userContent(entry.items, true) }))
        : userBytes(entry.items);
    default:
      return entry satisfies never;
  }
}

/** Text alone is a text; with something to look at, or a mark, it is a list. */
function userContent(items: Items, isMarked: boolean): unknown {
  const texts = items.flatMap((item) => ('text' in item ? [item.text] : []));
  if (texts.length === items.length && !isMarked) return texts.join('\n\n');
  return items.map((item, index) => ({
    ...('text' in item ? { type: 'text', text: item.text } : item.media),
    ...(isMarked && index === items.length - 1 ? MARK : {}),
  }));
}
