import type { Told } from '../text/told.ts';
/** The word of a remembered command that stands for any one file or folder of the workspace. */
export const FILE_WORD = '<file>';

/** A rule's effect; the strictest that hits counts: deny, ask, allow. */
export const RULE_EFFECTS = ['deny', 'ask', 'allow'] as const;
export type RuleEffect = (typeof RULE_EFFECTS)[number];

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
  /** A host name; `*.example.org` stands for all below it. */
  readonly host?: string;
  /** An MCP server by its name in the settings. */
  readonly server?: string;
  /** A tool of that server, by the server's own name for it. */
  readonly serverTool?: string;
  /** For `tool`: what of it, as the question named it: a task, a cell of a notebook. */
  readonly subject?: string;
  /**
   * For `serverTool` and `subject`: the definition at the time of the approval; another one requires approval again. For
   * `command`: the hash of a whole line, which the rule is about.
   */
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
  readonly unreadable?: Told;
}

/** Criteria that are texts. */
export const RULE_TEXTS = [
  'tool',
  'path',
  'command',
  'host',
  'server',
  'serverTool',
  'subject',
  'hash',
  'in',
] as const;
/** The same rule, whatever the order of its keys, and whether it is switched off or not. */
export function sameRule(one: PermissionRule, other: PermissionRule): boolean {
  return (
    one.effect === other.effect &&
    one.access === other.access &&
    RULE_TEXTS.every((key) => one[key] === other[key])
  );
}
