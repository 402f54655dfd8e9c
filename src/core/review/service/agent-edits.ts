import { type AgentEdit, withAgentEdit, withAgentRename } from '../model/agent-edits.ts';
import { keep } from '../model/decide.ts';
import { compareFirst } from '../model/differences.ts';
import { ABSENT, type Attribution, type Content, type FileReview } from '../model/file-review.ts';
import { hunksOf } from '../model/hunks.ts';
import type { Stash } from '../storage/stash.ts';
import type { PendingChanges } from './pending-changes.ts';
import type { ReviewFiles } from './review-files.ts';

interface Parts {
  readonly changes: PendingChanges;
  readonly files: Pick<ReviewFiles, 'disk' | 'fileChanged' | 'inTurn'>;
  readonly stash: Pick<Stash, 'put' | 'drop' | 'load' | 'flush'>;
}

/** Makes edits of the agent pending. The caller changes the file afterwards. */
export class AgentEdits {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * The agent is about to write a file; resolves when that can be undone after any crash.
   * @throws what the store fails with; nothing is pending then that was not before
   */
  async edits(path: string, edit: AgentEdit, by: Attribution): Promise<void> {
    const { changes, stash } = this.#parts;
    const row = changes.get(path);
    await compareFirst(row, edit.after, edit.before);
    // The editor's undo, or a crash before the file is written, may lead back to it.
    if (row !== undefined) await stash.put(row);
    await changes.change(path, (found) => withAgentEdit(found, path, edit, by));
  }

  /** Takes back an edit that did not happen. Of a renaming `path` is the new name and `before.path` the old one. */
  async failed(
    path: string,
    before: { readonly path: string; readonly content: Content },
    after: Content,
    by: Attribution,
  ): Promise<void> {
    const { changes, files } = this.#parts;
    if (path !== before.path)
      await changes.change(path, (row) =>
        withAgentRename(row, { path, content: after }, before.path, by),
      );
    await files.fileChanged(before.path);
    await changes.flush();
  }

  /** The agent is about to rename a file. */
  async renames(
    path: string,
    to: { readonly path: string; readonly content: Content },
    by: Attribution,
  ): Promise<void> {
    await this.#parts.changes.change(path, (row) =>
      withAgentRename(row, { path, content: to.content }, to.path, by),
    );
  }

  /**
   * The file is what the user wants it to be: nothing of it is left to decide about or returns as pending, whichever
   * process stored it.
   */
  async settle(path: string): Promise<void> {
    const { changes, stash } = this.#parts;
    stash.drop(path);
    await changes.adopt(path);
    const found = changes.get(path);
    if (found !== undefined) await changes.change(path, (row = found) => keep(row, 'all'));
    await stash.flush();
  }

  /** As `settle`, of files that nothing else is done to at the same time. */
  async settleAll(paths: readonly string[]): Promise<void> {
    await this.#parts.stash.load();
    for (const path of paths) await this.#parts.files.inTurn(path, () => this.settle(path));
  }

  /** Counts the changes of a file that would still be there if its bytes were these. */
  async countIn(path: string, bytes: Uint8Array | undefined): Promise<number> {
    const { changes, files } = this.#parts;
    const row = changes.get(path);
    if (row === undefined) return 0;
    const document =
      bytes === undefined ? ABSENT : (await files.disk.bytes.read(path, bytes)).content;
    return hunksOf({ ...row, document }).length;
  }

  /** Makes the row of an imported session pending. `false`: something else is pending in that file, and stays. */
  async takeIn(row: FileReview): Promise<boolean> {
    const { changes, files } = this.#parts;
    return files.inTurn(row.path, async () => {
      if (changes.get(row.path) !== undefined) return false;
      await changes.change(row.path, () => row);
      return true;
    });
  }
}
