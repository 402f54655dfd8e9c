import { told } from '../../../domain/text/told.ts';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { LeftOut } from '../../../core/ports/files/workspace-snapshots.ts';
import { BelayError, fault } from '../../../domain/failure.ts';

/** A folder of the workspace, and those of its other folders that lie in it. */
interface Root {
  /** Absolute and real. */
  readonly root: string;
  readonly apart: readonly string[];
}

/** A workspace's real folders, each once: a file belongs to the snapshot of the innermost. */
export function realRoots(given: readonly string[]): {
  readonly found: readonly Root[];
  readonly missing: readonly string[];
} {
  const real = new Set<string>();
  const missing: string[] = [];
  for (const one of given) {
    try {
      real.add(realpathSync(one));
    } catch {
      missing.push(one);
    }
  }
  const found = [...real].map((root) => ({
    root,
    apart: [...real].filter((other) => other !== root && isWithin(other, root)),
  }));
  return { found, missing };
}

const isWithin = (folder: string, outer: string): boolean => {
  const below = path.relative(outer, folder);
  return below !== '..' && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below);
};

/** A folder of the workspace of which there is no snapshot, as it is named among what is left out. */
export const unreadable = (
  root: string,
): { readonly root: string; readonly reasons: LeftOut['reasons'] } => ({
  root,
  reasons: [{ why: 'unreadable', count: 1, named: [''] }],
});

const REASON = 'folder';

export const notReadable = (root: string): BelayError =>
  fault(
    'tool',
    told`The folder ${root} cannot be read, so there is no snapshot of it. What changes in it cannot be taken back.`,
    { details: { reason: REASON } },
  );

export const isNotReadable = (thrown: unknown): boolean =>
  thrown instanceof BelayError && thrown.failure.details?.['reason'] === REASON;
