import { parseArgs } from 'node:util';
import { SETTINGS } from '../../../domain/settings/settings.ts';
import { inEnglish, type Told } from '../../../domain/text/told.ts';
import { checkSetting } from '../../../domain/settings/read-settings.ts';
import type { Setting, SettingKey } from '../../../domain/settings/settings.ts';
import { OLD_SETTINGS } from '../../../domain/settings/old-settings.ts';
import { ENTRY_CHECKS } from '../../../providers/setting-checks.ts';
import type { Mode } from '../../../core/tool-call/tool-call.ts';
import { COMMANDS, type CommandName } from './commands.ts';
import { type Option, OPTIONS, type SwitchOption, type TextOption } from './options.ts';

/** The part of the arguments that a host is opened with. */
export interface HostArguments {
  readonly modelUrl: string | undefined;
  readonly workspace: string;
  readonly data: string;
  /** Where usage and budgets over all data folders are kept; absent: where VS Code keeps them. */
  readonly person: string | undefined;
  readonly mode: Mode;
  /** Nobody is there to ask, and what would be asked about happens. */
  readonly unattended: boolean;
  readonly settings: ReadonlyMap<SettingKey, unknown>;
  readonly json: boolean;
}

export interface HeadlessArguments extends HostArguments {
  readonly prompt: string | undefined;
  readonly model: string | undefined;
  /** `true`: the newest session that can be resumed; a text: that session. */
  readonly resume: boolean | string;
  /** A conversation of the caller, by a name of theirs: its session is gone on with, or begins. */
  readonly thread: string | undefined;
  /** Go on although a part of the record was lost. */
  readonly acceptLoss: boolean;
  /** Changes stay pending. */
  readonly reviewed: boolean;
  /** Where the changes of the session go as a patch, `-`: standard output. */
  readonly patch: string | undefined;
  /** Where the session goes as a file. */
  readonly export: string | undefined;
}

/** Wrong arguments: one sentence for stderr, exit code 2. */
export class ArgumentError extends Error {}

/** The sentence about a workspace in which nothing can be done. */
export const WITHIN =
  'The workspace must not lie within --data DIR, which no tool reads or writes.';

const PERMISSIONS: Readonly<Record<string, Pick<HostArguments, 'mode' | 'unattended'>>> = {
  read: { mode: 'read', unattended: false },
  edits: { mode: 'edit', unattended: false },
  all: { mode: 'auto', unattended: true },
};

/** The values of options as they were given. */
export type Given = Partial<Record<TextOption, string>> &
  Partial<Record<SwitchOption, boolean>> & { readonly set?: readonly string[] };

/** A command line that was understood. */
export type CommandLine =
  | { readonly kind: 'help'; readonly command: CommandName | undefined }
  | { readonly kind: 'version' }
  | { readonly kind: 'command'; readonly command: CommandName; readonly given: Given };

/** Reads the command, without one `run`, and its options. Throws `ArgumentError`. */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const [first = '', second] = argv;
  if (first === 'help' || (first === '--help' && second === undefined))
    return { kind: 'help', command: second === undefined ? undefined : commandOf(second) };
  if (first === '--version') return { kind: 'version' };
  const isNamed = first !== '' && !first.startsWith('-');
  const named = isNamed ? commandOf(first) : 'run';
  const given = parse(named, withOptionalResume(isNamed ? argv.slice(1) : argv));
  if (given.help === true) return { kind: 'help', command: isNamed ? named : undefined };
  const command = named === 'run' && given['serve-context'] === true ? 'serve-context' : named;
  for (const option of COMMANDS[command].needs)
    if (given[option] === undefined)
      throw new ArgumentError(`--${option} ${OPTIONS[option].value} is missing.`);
  return { kind: 'command', command, given };
}

function commandOf(name: string): CommandName {
  if (Object.hasOwn(COMMANDS, name)) return name as CommandName;
  const names = Object.keys(COMMANDS).join(', ');
  throw new ArgumentError(`There is no command "${name}". The commands are ${names}.`);
}

/** The arguments that every host is opened with. Throws `ArgumentError`. */
export function hostArguments(given: Given): HostArguments {
  const name = given.permission ?? 'read';
  const permission = Object.hasOwn(PERMISSIONS, name) ? PERMISSIONS[name] : undefined;
  if (permission === undefined)
    throw new ArgumentError(`--permission is read, edits or all, not "${name}".`);
  if (given.workspace !== undefined && given.workspace === given.data)
    throw new ArgumentError(WITHIN);
  if (given['model-url'] !== undefined) checkUrl(given['model-url']);
  return {
    modelUrl: given['model-url'],
    // A command that needs no workspace reads none.
    workspace: given.workspace ?? given.data ?? '',
    data: given.data ?? '',
    person: given.person,
    ...permission,
    settings: readSettings(given.set ?? []),
    json: given.json ?? false,
  };
}

/** The arguments of a run. Throws `ArgumentError`. */
export function runArguments(given: Given): HeadlessArguments {
  const resume = given.resume === '' ? true : (given.resume ?? false);
  if (given.prompt === undefined && resume === false)
    throw new ArgumentError('--prompt TEXT is missing.');
  if (given.prompt?.trim() === '') throw new ArgumentError('--prompt is empty.');
  const { patch, thread, export: file } = given;
  if (thread !== undefined && resume !== false)
    throw new ArgumentError('--thread NAME and --resume cannot be given together.');
  if ([patch, file].includes('-') && (given.json === true || patch === file))
    throw new ArgumentError('Only one thing can be printed to standard output.');
  return {
    ...hostArguments(given),
    prompt: given.prompt,
    model: given.model,
    resume,
    thread,
    acceptLoss: given['accept-loss'] ?? false,
    reviewed: given.review === true || patch !== undefined || file !== undefined,
    patch,
    export: file,
  };
}

function parse(command: CommandName, args: string[]): Given {
  const named = COMMANDS[command].options;
  const options = Object.fromEntries(
    [...named, 'help' as const].map((name) => {
      const option: Option = OPTIONS[name];
      const type = option.value === undefined ? ('boolean' as const) : ('string' as const);
      return [name, { type, multiple: option.several === true }];
    }),
  );
  try {
    return parseArgs({ args, strict: true, allowPositionals: false, options }).values;
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
      throw new ArgumentError(
        `--set ${pair}: there is no setting belay.${key}.${
          Object.hasOwn(OLD_SETTINGS, key) ? ` It is now belay.${OLD_SETTINGS[key]}.` : ''
        }`,
      );
    const value = readValue(SETTINGS[key as SettingKey], pair.slice(at + 1));
    const { problem } = checkSetting(key, value);
    if (problem !== undefined)
      throw new ArgumentError(
        `--set ${pair}: ${inEnglish(problem.message).split(/\. (?:The default|Until)/u)[0]}.`,
      );
    const check = ENTRY_CHECKS[key as SettingKey] as
      | ((value: unknown) => readonly Told[])
      | undefined;
    const [wrong] = check?.(value) ?? [];
    if (wrong !== undefined) throw new ArgumentError(`--set ${inEnglish(wrong)}`);
    settings.set(key as SettingKey, value);
  }
  return settings;
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
