import { BUDGET_SETTINGS } from '../../domain/settings/budget-settings.ts';
import type { RuleEffect } from '../../domain/permissions/permission-rule.ts';

/** Sections of the Control Center, in their order on the page. */
export const CENTER_SECTIONS = [
  'mcp',
  'models',
  'tools',
  'rules',
  'customizations',
  'memory',
  'usage',
  'privacy',
  'storage',
] as const;
export type CenterSection = (typeof CENTER_SECTIONS)[number];

/**
 * Actions on an MCP server. `trust`: the definition of a workspace is looked at and allowed. `switch_off`: for good,
 * also in later windows.
 */
export const SERVER_ACTIONS = [
  'start',
  'stop',
  'restart',
  'sign_in',
  'sign_out',
  'trust',
  'untrust',
  'switch_off',
  'switch_on',
  'edit',
] as const;
export type ServerAction = (typeof SERVER_ACTIONS)[number];

export interface ServersView {
  readonly rows: readonly ServerRow[];
  /** Their tools would cost too much in each request: they are found by a search, and not listed. */
  readonly deferred: boolean;
  /** Workspace Trust: without it no server of the workspace is known, and none is started. */
  readonly trusted: boolean;
  /** Permission rules can be changed here. */
  readonly mayChange: boolean;
}

export interface ServerRow {
  readonly name: string;
  readonly state: 'disabled' | 'stopped' | 'starting' | 'ready' | 'failed';
  /** Not switched off for good; `null`: it cannot be switched here. */
  readonly on: boolean | null;
  /** The state in a sentence; where it failed, why. */
  readonly said: string;
  /** The program or the address, as it is written. */
  readonly summary: string;
  /** Who defined it, for people. */
  readonly source: string;
  /** Its name for itself with its version; empty: not known. */
  readonly title: string;
  /** A small picture as `data:` address; `null`: none. */
  readonly icon: string | null;
  /** Faults and ignored parts of its definition. */
  readonly problems: readonly string[];
  /** Those that are possible now, the next step first. */
  readonly actions: readonly ServerAction[];
  readonly tools: readonly ServerToolRow[];
  /** Tokens that its tools cost in each request where they are listed, about. */
  readonly tokens: number;
  /** The last call of one of its tools in this window: milliseconds since the epoch. */
  readonly lastCall: number | null;
}

/** A tool of a server; names and descriptions are the server's claims. */
export interface ServerToolRow {
  /** The name by which the model calls it. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Not switched off. */
  readonly on: boolean;
  /** Why it is not offered, though it is on; empty: it is. */
  readonly note: string;
  /** The server claims that it only reads; never a permission. */
  readonly readOnly: boolean;
  /** The rule of one's own for this very tool; `null`: the mode decides. */
  readonly approval: RuleEffect | null;
  /** Another rule decides, in words; `null`: none does. */
  readonly decidedBy: string | null;
  readonly tokens: number;
}

/** More of a server, read when somebody looks. */
export interface ServerDetails {
  /** Absent where the server has to run for it, and does not. */
  readonly resources?: OfferList;
  readonly prompts?: OfferList;
}

/** Lines of a server's log. */
export interface ServerLogView {
  /** Those that are new, oldest first; of very many the newest. */
  readonly lines: readonly {
    /** Milliseconds since the epoch. */
    readonly at: number;
    readonly source: string;
    readonly text: string;
  }[];
  /** Number of the last line; the next reading begins after it. */
  readonly last: number;
}

export interface OfferList {
  readonly rows: readonly { readonly name: string; readonly description: string }[];
  /** Those that the server has; more than `rows` where it has very many. */
  readonly total: number;
}

export interface ToolsView {
  /** In the order in which they are offered. */
  readonly modules: readonly { readonly name: string; readonly tools: readonly ToolLine[] }[];
}

export interface ToolLine {
  readonly name: string;
  readonly description: string;
  readonly on: boolean;
  /** Its effect in a word, or why it is not offered; empty where it is off. */
  readonly note: string;
}

/** Whatever leaves this machine, and what keeps it back. */
export interface PrivacyView {
  readonly receivers: readonly Receiver[];
  readonly protections: readonly Protection[];
}

export interface Receiver {
  readonly name: string;
  /** A host, a program, "this machine". */
  readonly place: string;
  /** In a sentence. */
  readonly gets: string;
  /** Nothing of it leaves this machine by Belay. */
  readonly local: boolean;
}

export interface Protection {
  readonly name: string;
  /** `null`: it cannot be switched. */
  readonly on: boolean | null;
  readonly said: string;
  readonly setting: CenterSetting | null;
}

/** Settings that the page opens. */
export const CENTER_SETTINGS = [
  'secrets.maskToolOutput',
  'terminal.sandbox',
  'tools.extensions',
  'checkpoints.*',
  'budget.*',
  ...(Object.keys(BUDGET_SETTINGS) as (keyof typeof BUDGET_SETTINGS)[]),
] as const;
export type CenterSetting = (typeof CENTER_SETTINGS)[number];

/** Commands that the page runs. */
export const CENTER_COMMANDS = [
  'exportSession',
  'importSession',
  'deleteSession',
  'showLog',
  'linkAccount',
  'unlinkAccount',
] as const;
export type CenterCommand = (typeof CENTER_COMMANDS)[number];

/** Records and files that are kept on this machine. */
export interface StorageView {
  readonly places: readonly StoredPlace[];
  /** Sessions of this workspace. */
  readonly sessions: number;
  /** Copies of files, in sentences; `null`: there are none here. */
  readonly checkpoints: { readonly title: string; readonly lines: readonly string[] } | null;
}

export interface StoredPlace {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
}
