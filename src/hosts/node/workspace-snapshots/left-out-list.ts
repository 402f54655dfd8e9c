import path from 'node:path';
import type { LeftOut, LeftOutReason } from '../../../core/ports/files/workspace-snapshots.ts';

/** Of each reason. */
const NAMED_AT_MOST = 5;

/** Counts what a snapshot leaves out, and names the first of each reason. */
export class LeftOutList {
  readonly #root: string;
  readonly #reasons = new Map<LeftOutReason, { count: number; readonly named: string[] }>();

  constructor(root: string) {
    this.#root = root;
  }

  get reasons(): LeftOut['reasons'] {
    return [...this.#reasons].map(([why, { count, named }]) => ({ why, count, named }));
  }

  /** @param at absolute; of a folder with the separator at its end */
  add(at: string, why: LeftOutReason): void {
    const known = this.#reasons.get(why) ?? { count: 0, named: [] };
    this.#reasons.set(why, known);
    known.count += 1;
    if (known.named.length < NAMED_AT_MOST)
      known.named.push(
        at
          .slice(this.#root.length + 1)
          .split(path.sep)
          .join('/'),
      );
  }
}

/** Of several folders together, each with its name before the paths. */
export function joinedReasons(
  folders: readonly { readonly root: string; readonly reasons: LeftOut['reasons'] }[],
): LeftOut['reasons'] {
  const joined = new Map<LeftOutReason, { count: number; readonly named: string[] }>();
  for (const { root, reasons } of folders)
    for (const { why, count, named } of reasons) {
      const known = joined.get(why) ?? { count: 0, named: [] };
      joined.set(why, known);
      known.count += count;
      const prefix = folders.length > 1 ? `${path.basename(root)}/` : '';
      for (const name of named)
        if (known.named.length < NAMED_AT_MOST) known.named.push(prefix + name);
    }
  return [...joined].map(([why, { count, named }]) => ({ why, count, named }));
}
