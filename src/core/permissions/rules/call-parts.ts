import type { Told } from '../../../domain/text/told.ts';
import type { JudgedPath } from '../path-guard.ts';
import type { Tool } from '../../tool-call/tool-call.ts';

export interface JudgedLine {
  readonly text: string;
  /** Absolute and real. */
  readonly cwd: string;
  /** The words of each program that it starts; absent: it is not fully understood. */
  readonly programs?: readonly (readonly string[])[];
  /** Those of them that require approval; undefined: all. */
  readonly asking?: readonly (readonly string[])[];
  /** Those of `asking` that are given something to read, which their words do not tell. */
  readonly fed?: readonly (readonly string[])[];
  /** `allow`: known to be harmless. `refuse`: never, whatever a rule says. */
  readonly verdict: 'allow' | 'ask' | 'refuse';
  /** As a sentence. */
  readonly reason?: Told;
  /** No rule about its programs covers it. */
  readonly always?: boolean;
  /** For `always`: an approval of this exact line covers it, because it concerns no protected file. */
  readonly exact?: boolean;
  /** The hash of `text`; undefined if the line can't be remembered. */
  readonly hash?: string;
  /** All that requires approval are files that it makes or moves as the tools for files do. */
  readonly edits?: boolean;
  /** Words of programs that require approval and name one existing path inside the workspace. */
  readonly files?: ReadonlySet<string>;
  /** Files that its words stand for, as far as they are known: a glob stands for all its matches. */
  readonly paths?: readonly JudgedPath[];
}

/** A program is given something to read, which a rule about its words does not tell. */
export function isFed({ fed = [] }: JudgedLine, words: readonly string[]): boolean {
  return fed.some((one) => one === words);
}

/** A piece of code: its name for the user, and the hash of its text; undefined if it can't be remembered. */
export interface StartedCode {
  readonly subject: string;
  readonly hash?: string;
}

export interface CallParts {
  readonly tool: Pick<Tool, 'name' | 'server' | 'serverTool' | 'hash' | 'permission'>;
  readonly code?: StartedCode;
  /** Workspace folders, absolute and real. */
  readonly roots: readonly string[];
  readonly paths: readonly JudgedPath[];
  /** Files below folders that it moves, copies or removes. */
  readonly below?: readonly JudgedPath[];
  readonly lines: readonly JudgedLine[];
  readonly hosts: readonly string[];
}

/** The host names of addresses; what is no address is kept as it is, so that a rule can catch it. */
export function hostsOf(urls: readonly string[]): readonly string[] {
  return urls.map((url) => {
    const host = URL.canParse(url) ? new URL(url).hostname : url;
    return host.toLowerCase().replace(/\.$/u, '');
  });
}
