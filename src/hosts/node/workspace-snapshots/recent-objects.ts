import type { FolderChanges, LeafRecord } from '../../../core/ports/files/workspace-snapshots.ts';

/** Milliseconds that whoever has something stored may take to put it on record. */
const GRACE = 120_000;

/** Objects stored a moment ago, perhaps on no record yet: a sweep leaves them alone. */
export class RecentObjects {
  #kept: { readonly until: number; readonly tree?: string; readonly leaf?: LeafRecord }[] = [];

  get trees(): readonly string[] {
    return this.#young().flatMap(({ tree }) => tree ?? []);
  }

  get leaves(): readonly LeafRecord[] {
    return this.#young().flatMap(({ leaf }) => leaf ?? []);
  }

  tree(tree: string): void {
    this.#kept.push({ until: performance.now() + GRACE, tree });
    if (this.#kept.length % 1000 === 0) this.#kept = this.#young();
  }

  leaf(leaf: LeafRecord): void {
    this.#kept.push({ until: performance.now() + GRACE, leaf });
    if (this.#kept.length % 1000 === 0) this.#kept = this.#young();
  }

  changes(folders: readonly FolderChanges[]): void {
    for (const { changes } of folders)
      for (const { before, after } of changes) {
        this.leaf(before);
        this.leaf(after);
      }
  }

  #young() {
    const now = performance.now();
    return this.#kept.filter(({ until }) => until > now);
  }
}
