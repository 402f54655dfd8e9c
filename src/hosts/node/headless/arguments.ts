import { parseArgs } from 'node:util';
import { SETTINGS } from '../../../domain/settings/settings.ts';
import { checkSetting } from '../../../domain/settings/read-settings.ts';
import type { Setting, SettingKey } from '../../../domain/settings/settings.ts';
import { userRuleProblems } from '../../../core/permissions/rules/rule-book.ts';
import { readUpdates } from '../../../providers/catalog/updates.ts';
import { readInstances } from '../../../providers/instances-setting.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Mode } from '../../../core/tool-call/tool-call.ts';

export interface HeadlessArguments {
  readonly modelUrl: string | undefined;
  readonly workspace: string;
  readonly data: string;
  /** Where usage and budgets over all data folders are kept; absent: in the folder that holds `data`. */
  readonly person: string | undefined;
  readonly prompt: string | undefined;
  readonly model: string | undefined;
  readonly mode: Mode;
  /** Nobody is there to ask, and what would be asked about happens. */
  readonly unattended: boolean;
  /** `true`: the newest session that can be resumed; a text: that session. */
  readonly resume: boolean | string;
  /** Go on although a part of the record was lost. */
  readonly acceptLoss: boolean;
  readonly settings: ReadonlyMap<SettingKey, unknown>;
  readonly json: boolean;
  /** Serves other agents over standard input and output instead of running. */
  readonly servesContext: boolean;
}

/** Wrong arguments: one sentence for stderr, exit code 2. */
export class ArgumentError extends Error {}

export const USAGE = `Usage: belay --workspace DIR --data DIR --prompt TEXT [options]
       belay --workspace DIR --data DIR --serve-context

  --model-url URL          base URL of an API compatible with Anthropic Messages
  --workspace DIR          the folder to work on
  --data DIR               where sessions are kept
  --person DIR             where usage and budgets of all data folders are kept; default: the folder that holds --data
  --prompt TEXT            what to do ("-" reads it from standard input)
  --model NAME             the model; "demo" needs no key
  --permission LEVEL       read, edits or all (asks nothing); default read
  --resume [SESSION]       go on with an unfinished run; the prompt is used only when there is none
  --accept-loss            with --resume: go on although a part of the record was lost
  --set SETTING=VALUE      override a setting, e.g. --set loop.maxIterations=10
  --json                   print every run event, one a line
  --serve-context          be an MCP server over standard input and output: what the window of VS Code with
                           this data folder shows, for other agents, read-only

The key is read from the variable that the setting model.keyVariable names, else from ANTHROPIC_API_KEY,
else, as a bearer token, from ANTHROPIC_AUTH_TOKEN; that of a provider NAME in the setting model.providers from
BELAY_KEY_NAME, else from the variable that is usual for it (OPENAI_API_KEY, say).
Exit codes: 0 the turn ended well, 1 it ended with an error, 2 bad arguments, 3 it waits for a human,
130 it was interrupted; it can be resumed.
`;

const PERMISSIONS: Readonly<Record<string, Pick<HeadlessArguments, 'mode' | 'unattended'>>> = {
  read: { mode: 'read', unattended: false },
  edits: { mode: 'edit', unattended: false },
  all: { mode: 'auto', unattended: true },
};

/** Reads the command line. Throws `ArgumentError`. */
export function readArguments(argv: readonly string[]): HeadlessArguments {
  const { values } = parse(withOptionalResume(argv));
  const name = values.permission ?? 'read';
  const permission = Object.hasOwn(PERMISSIONS, name) ? PERMISSIONS[name] : undefined;
  if (permission === undefined)
    throw new ArgumentError(`--permission is read, edits or all, not "${name}".`);
  if (values.workspace === undefined) throw new ArgumentError('--workspace DIR is missing.');
  if (values.data === undefined) throw new ArgumentError('--data DIR is missing.');
  const resume = values.resume === '' ? true : (values.resume ?? false);
  const servesContext = values['serve-context'] ?? false;
  if (values.prompt === undefined && resume === false && !servesContext)
    throw new ArgumentError('--prompt TEXT is missing.');
  if (values.prompt?.trim() === '') throw new ArgumentError('--prompt is empty.');
  if (values['model-url'] !== undefined) checkUrl(values['model-url']);
  return {
    modelUrl: values['model-url'],
    workspace: values.workspace,
    data: values.data,
    person: values.person,
    prompt: values.prompt,
    model: values.model,
    ...permission,
    resume,
    acceptLoss: values['accept-loss'] ?? false,
    settings: readSettings(values.set ?? []),
    json: values.json ?? false,
    servesContext,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      strict: true,
      allowPositionals: false,
      options: {
        'model-url': { type: 'string' },
        workspace: { type: 'string' },
        data: { type: 'string' },
        person: { type: 'string' },
        prompt: { type: 'string' },
        model: { type: 'string' },
        permission: { type: 'string' },
        resume: { type: 'string' },
        set: { type: 'string', multiple: true },
        json: { type: 'boolean' },
        'accept-loss': { type: 'boolean' },
        'serve-context': { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new ArgumentError(
      error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error),
    );
  }
}

/** `--resume` may stand alone: then it gets an empty value, as `parseArgs` knows no optional ones. */
function withOptionalResume(argv: readonly string[]): string[] {
  return argv.flatMap((argument, index) => {
    const next = argv[index + 1];
    const alone = argument === '--resume' && (next === undefined || next.startsWith('--'));
    return alone ? ['--resume='] : [argument];
  });
}

function checkUrl(url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !['http:', 'https:'].includes(parsed.protocol)) {
    throw new ArgumentError(`--model-url is "${url}", but an http or https URL is expected.`);
  }
}

function readSettings(pairs: readonly string[]): Map<SettingKey, unknown> {
  const settings = new Map<SettingKey, unknown>();
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1) throw new ArgumentError(`--set ${pair}: SETTING=VALUE is expected.`);
    const key = pair.slice(0, at).replace(/^belay\./u, '');
    if (!Object.hasOwn(SETTINGS, key))
      throw new ArgumentError(`--set ${pair}: there is no setting belay.${key}.`);
    const value = readValue(SETTINGS[key as SettingKey], pair.slice(at + 1));
    const { problem } = checkSetting(key, value);
    if (problem !== undefined)
      throw new ArgumentError(
        `--set ${pair}: ${problem.message.split(/\. (?:The default|Until)/u)[0]}.`,
      );
    const [wrong] = problemsInside(key as SettingKey, value);
    if (wrong !== undefined) throw new ArgumentError(`--set ${wrong}`);
    settings.set(key as SettingKey, value);
  }
  return settings;
}

/** Problems of entries inside a value of the right shape. */
function problemsInside(key: SettingKey, value: unknown): readonly string[] {
  if (key === 'model.catalog') return readUpdates(value as JsonObject).problems;
  if (key === 'model.providers') return readInstances(value as JsonObject).problems;
  return key === 'permissions.rules' ? userRuleProblems(value as readonly unknown[]) : [];
}

/** Turns the text after `=` into the setting's type; what does not fit stays text and is refused by the check. */
function readValue(setting: Setting, text: string): unknown {
  switch (setting.type) {
    case 'integer':
    case 'number':
      return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'string':
    case 'choice':
      return text;
    case 'list':
      return text.startsWith('[')
        ? parsedJson(text)
        : text.split(',').filter((item) => item !== '');
    case 'object':
    case 'objects':
      return parsedJson(text);
    default:
      return setting satisfies never;
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
