import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { Listeners } from '../../../domain/lifetime/listeners.ts';
import type { Values } from '../../ports/store/values.ts';

/** Keys of earlier builds, which kept edits in mode Ask as proposals that were on no disk. */
const PROPOSAL = 'proposal:';
const OTHER_PREFIXES = ['proposal-piece:', 'proposal-revision:'];

/** A file whose pending changes are no longer listed, although nobody decided about them. */
export interface LostFile {
  /** Absolute. */
  readonly path: string;
  /** `changed`: another program changed the file. `proposal`: an earlier build had never written the edit. */
  readonly why: 'changed' | 'proposal';
}

/** Pending changes that are no longer listed, until the user was told. */
export class LostChanges {
  #files: readonly LostFile[] = [];
  readonly #signal = new Listeners();

  add(path: string, why: LostFile['why']): void {
    if (this.#files.some((one) => one.path === path)) return;
    this.#files = [...this.#files, { path, why }];
    this.#signal.fire();
  }

  /** Returns what was lost since the last call. */
  take(): readonly LostFile[] {
    const files = this.#files;
    this.#files = [];
    return files;
  }

  onChange(listener: () => void): Disposable {
    return this.#signal.listen(listener);
  }

  /** Removes proposals that an earlier build stored: each file is told once. */
  async dropStoredProposals(values: Values): Promise<void> {
    for (const { key } of await values.list(PROPOSAL)) {
      this.add(key.slice(PROPOSAL.length), 'proposal');
      await values.set(key, null);
    }
    for (const prefix of OTHER_PREFIXES)
      for (const { key } of await values.list(prefix)) await values.set(key, null);
  }
}
