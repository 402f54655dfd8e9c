import { statSync } from 'node:fs';
import path from 'node:path';
import type { BelayIgnoreRules } from './ignore/belay-ignore.ts';
import { isExcludedName } from './ignore/excluded.ts';

/** Larger files, in bytes, are generated or data. */
export const LARGEST_SEARCHED = 20 * 1024 * 1024;

export interface SearchRules {
  /** Paths that the person keeps from the agent. */
  readonly ignored: BelayIgnoreRules;
  /** Of ripgrep; also says where the person's own git configuration is. */
  readonly environment: NodeJS.ProcessEnv;
  /** Files that something else stands in for. */
  readonly hidden?: ReadonlySet<string>;
  /** True when the search also covers what git ignores. */
  readonly searchesIgnored?: boolean;
}

/** True for a file of ripgrep's that does not count. */
export function isLeftOut(file: string, root: string, { ignored, hidden }: SearchRules): boolean {
  if (hidden?.has(file) === true) return true;
  if (ignored.ruleFor(file, false) !== undefined) return true;
  // A file asked for by its own name is meant.
  return file !== root && isExcludedName(path.basename(file));
}

export function isTooLarge(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_SEARCHED;
}
