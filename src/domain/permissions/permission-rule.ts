/** A rule's effect; the strictest that hits counts: deny, ask, allow. */
export const RULE_EFFECTS = ['deny', 'ask', 'allow'] as const;
export type RuleEffect = (typeof RULE_EFFECTS)[number];

/**
 * Kinds of commands. `readers` look at files and the machine, `checkers` test, lint and build.
 * `project scripts` are the project's others. `package managers` install. `network` talks to
 * others.
 */
export const COMMAND_CLASSES = [
  'readers',
  'checkers',
  'project scripts',
  'package managers',
  'network',
] as const;
export type CommandClass = (typeof COMMAND_CLASSES)[number];

/** A permission rule as people write it; every criterion that is there must fit. */
export interface PermissionRule {
  readonly effect: RuleEffect;
  /** Name of a tool; `*` stands for any letters. Alone: the whole tool, which as allow counts in mode Auto only. */
  readonly tool?: string;
  /** A glob: below a workspace folder, or absolute, or below the home folder (`~/`). Without a slash: a name anywhere. */
  readonly path?: string;
  /** For `path`; absent: reading and writing. */
  readonly access?: 'read' | 'write';
  /** Program, subcommand and flags; compared with the parsed command, never with its text. */
  readonly command?: string;
  /** A kind of commands; as allow it counts in mode Auto only. */
  readonly commands?: CommandClass;
  /** A host name; `*.example.org` stands for all below it. */
  readonly host?: string;
  /** An MCP server by its name in the settings. */
  readonly server?: string;
  /** A tool of that server, by the server's own name for it. */
  readonly serverTool?: string;
  /** For `tool`: what of it, as the question named it: a task, a cell of a notebook. */
  readonly subject?: string;
  /** For `serverTool` and `subject`: what it was when the rule was made; what has changed is asked about again. */
  readonly hash?: string;
  /** The absolute folder in which the rule counts, for commands exactly; with `/**` also below. */
  readonly in?: string;
  /** Switched off, not forgotten. */
  readonly off?: boolean;
}

/** A rule's origin. A workspace's rules only make things stricter. */
export type RuleOrigin = 'user' | 'workspace' | 'session';

/** A rule in force, with its place. */
export interface KnownRule {
  readonly rule: PermissionRule;
  readonly origin: RuleOrigin;
  /** The rule's place, for people: "your settings", ".belay/permissions.json", "this session". */
  readonly source: string;
  /** It stands for what cannot be read there, which may forbid anything: why, in a sentence that names the place. */
  readonly unreadable?: string;
}

const TEXTS = [
  'tool',
  'path',
  'command',
  'commands',
  'host',
  'server',
  'serverTool',
  'subject',
  'hash',
  'in',
] as const;
const KEYS = new Set<string>([...TEXTS, 'effect', 'access', 'off']);
/** Longest value of a criterion, in characters. */
const LONGEST = 1000;

/** Reads a rule of a settings or workspace file; the problem is a sentence that names what is wrong. */
export function readRule(
  raw: unknown,
): { readonly rule: PermissionRule } | { readonly problem: string } {
  if (Array.isArray(raw) && raw.length > 0)
    return {
      problem: `A list of rules is expected, with an object for each, not ${shown(raw[0])}.`,
    };
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return { problem: `A rule is an object, not ${shown(raw)}.` };
  const given = raw as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(given).find((key) => !KEYS.has(key));
  if (unknown !== undefined) return { problem: `A rule has no ${shown(unknown)}: ${shown(raw)}.` };
  const problem = problemOf(given);
  return problem === undefined
    ? { rule: given as unknown as PermissionRule }
    : { problem: `${problem}: ${shown(raw)}.` };
}

function problemOf(given: Readonly<Record<string, unknown>>): string | undefined {
  const { effect, access, off } = given;
  if (typeof effect !== 'string' || !(RULE_EFFECTS as readonly string[]).includes(effect))
    return `The effect of a rule is one of ${RULE_EFFECTS.join(', ')}`;
  for (const key of TEXTS) {
    const value = given[key];
    if (value === undefined) continue;
    if (typeof value !== 'string' || value.trim() === '' || value.length > LONGEST)
      return `${key} of a rule is a text`;
  }
  const { commands } = given;
  if (commands !== undefined && !(COMMAND_CLASSES as readonly unknown[]).includes(commands))
    return `commands of a rule is one of ${COMMAND_CLASSES.join(', ')}`;
  if (access !== undefined && access !== 'read' && access !== 'write')
    return 'access of a rule is read or write';
  if (off !== undefined && typeof off !== 'boolean') return 'off of a rule is true or false';
  return criteriaProblem(given) ?? patternProblem(given);
}

function criteriaProblem(given: Readonly<Record<string, unknown>>): string | undefined {
  const has = (key: keyof PermissionRule): boolean => given[key] !== undefined;
  const subjects = (['path', 'command', 'commands', 'host', 'server'] as const).filter(has);
  if (subjects.length > 1)
    return `A rule is about one of ${subjects.join(' and ')}; make a rule for each`;
  if (subjects.length === 0 && !has('tool'))
    return 'A rule needs tool, path, command, commands, host or server';
  if (has('access') && !has('path')) return 'access belongs to a rule with a path';
  if (has('hash') && !has('serverTool') && !has('subject'))
    return 'hash belongs to a rule with a serverTool or a subject';
  if (has('subject') && (!has('tool') || subjects.length > 0))
    return 'subject belongs to a rule with a tool and nothing else';
  if (has('subject') && given['effect'] === 'allow' && !has('hash'))
    return 'a rule that allows a subject needs its hash';
  if (has('serverTool') && !has('server')) return 'serverTool belongs to a rule with a server';
  return undefined;
}

/** A pattern that fits nothing, whatever there is: the rule would silently do nothing. */
function patternProblem({
  effect,
  path,
  command,
  host,
  in: folder,
}: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof path === 'string') {
    const unclosed = unclosedIn(path);
    if (unclosed !== undefined)
      return `The path ${shown(path)} of a rule can fit nothing: its ${unclosed} is not closed (a \\ before it makes it a letter)`;
    if (path.split(/[\\/]/u).includes('..') && !FROM_ROOT.test(path))
      return `The path ${shown(path)} of a rule can fit nothing: it leads out of the workspace; give it from the root`;
  }
  if (typeof command === 'string' && /["']/u.test(command.replaceAll(/"[^"]*"|'[^']*'/gu, '')))
    return `The command ${shown(command)} of a rule can fit nothing: a quote in it is not closed`;
  // A kept yes may have such a word, which was quoted.
  const joint = effect === 'allow' ? undefined : jointIn(command);
  if (joint !== undefined)
    return `The command ${shown(command)} of a rule can fit nothing: a rule is about one command, and ${joint} stands between two`;
  if (typeof folder === 'string' && !FROM_ROOT.test(folder))
    return `The folder ${shown(folder)} of a rule can fit nothing: give it from the root`;
  if (typeof host === 'string' && !/^(?:\*\.?)?[\p{L}\p{N}.:[\]_-]*$/u.test(host))
    return `The host ${shown(host)} of a rule can fit nothing: it is a name like example.org or *.example.org, without scheme, path and blanks`;
  return undefined;
}

const FROM_ROOT = /^(?:[a-z]:|[\\/])/iu;

/** The operator between two commands, outside of quotes. */
function jointIn(command: unknown): string | undefined {
  if (typeof command !== 'string') return undefined;
  const plain = command.replaceAll(/"[^"]*"|'[^']*'/gu, '_');
  return /(?:^|\s)(?<joint>&&|\|\|?)(?=\s|$)|(?<=\S)(?<end>;)(?=\s|$)/u.exec(plain)?.[0].trim();
}

/** The bracket of a glob that is not closed; behind a backslash it is a letter. */
function unclosedIn(glob: string): string | undefined {
  const windows = /^(?:[a-z]:\\|\\\\)/iu.test(glob);
  const plain = windows ? glob : glob.replaceAll(/\\./gu, '_');
  const withoutSets = plain.replaceAll(/\[[!^]?\]?[^[\]]*\]/gu, '_');
  if (withoutSets.includes('[')) return '[';
  for (const [open, close] of ['{}', '()'] as const)
    if (withoutSets.split(open ?? '').length > withoutSets.split(close ?? '').length) return open;
  return undefined;
}

/** The rule in words: "Allow the command npm test in /home/me/app". */
export function ruleText(rule: PermissionRule): string {
  const verb = { allow: 'Allow', ask: 'Ask about', deny: 'Deny' }[rule.effect];
  const by =
    rule.tool === undefined || rule.subject !== undefined || subjectText(rule) === undefined
      ? ''
      : ` with ${rule.tool}`;
  const where = rule.in === undefined ? '' : ` in ${rule.in}`;
  return `${verb} ${subjectText(rule) ?? `the tool ${rule.tool ?? ''}`}${by}${where}`;
}

/** The questions that an allowing rule spares, for the person who is about to keep one. */
export function sparedText(rule: PermissionRule): string {
  const where = rule.in === undefined ? '' : ` in ${rule.in}`;
  const goes = `without a question${where}.`;
  if (rule.command !== undefined) return `“${rule.command}” runs ${goes}`;
  if (rule.host !== undefined) return `Requests to ${rule.host} go out ${goes}`;
  if (rule.server !== undefined)
    return `“${rule.serverTool ?? 'every tool'}” of the MCP server “${rule.server}” is used ${goes}`;
  if (rule.path === undefined) return `The tool ${rule.tool ?? ''} is used ${goes}`;
  const act = { read: 'read', write: 'changed' };
  return `“${rule.path}” is ${rule.access === undefined ? 'read and changed' : act[rule.access]} ${goes}`;
}

function subjectText(rule: PermissionRule): string | undefined {
  if (rule.command !== undefined) return `the command ${rule.command}`;
  if (rule.commands !== undefined) return `commands of the kind ${rule.commands}`;
  if (rule.host !== undefined) return `requests to ${rule.host}`;
  if (rule.server !== undefined) {
    return rule.serverTool === undefined
      ? `all tools of the MCP server ${rule.server}`
      : `${rule.serverTool} of the MCP server ${rule.server}`;
  }
  if (rule.subject !== undefined) return `${rule.subject} with ${rule.tool ?? ''}, as it was shown`;
  if (rule.path === undefined) return undefined;
  const act = { read: 'reading', write: 'changing' };
  return `${rule.access === undefined ? 'reading and changing' : act[rule.access]} ${rule.path}`;
}

/** The same rule, whatever the order of its keys, and whether it is switched off or not. */
export function sameRule(one: PermissionRule, other: PermissionRule): boolean {
  return (
    one.effect === other.effect &&
    one.access === other.access &&
    TEXTS.every((key) => one[key] === other[key])
  );
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').slice(0, 120);
}
