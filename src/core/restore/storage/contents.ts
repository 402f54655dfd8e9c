import type { LeafRecord, WorkspaceSnapshots } from '../../ports/files/workspace-snapshots.ts';
import type { Leaf } from '../turned-back.ts';

export class Contents {
  readonly #snapshots: WorkspaceSnapshots;
  readonly #read = new Map<string, Promise<Leaf>>();

  constructor(snapshots: WorkspaceSnapshots) {
    this.#snapshots = snapshots;
  }

  async of(record: LeafRecord): Promise<Leaf> {
    if (record.kind !== 'file') return record;
    const { hash, mode } = record;
    const known = this.#read.get(hash) ?? this.#snapshots.contentOf(record);
    this.#read.set(hash, known);
    const leaf = await known;
    return leaf.kind === 'file' ? { ...leaf, mode } : leaf;
  }
}
