import { type AgentEdit, withAgentEdit, withAgentRename } from '../model/agent-edits.ts';
import { compareFirst } from '../model/differences.ts';
import type { Attribution, Content, FileReview } from '../model/file-review.ts';
import type { Stash } from '../storage/stash.ts';
import type { PendingChanges } from './pending-changes.ts';
import type { ReviewFiles } from './review-files.ts';

interface Parts {
  readonly changes: PendingChanges;
  readonly files: Pick<ReviewFiles, 'fileChanged' | 'inTurn'>;
  readonly stash: Pick<Stash, 'put'>;
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

  /** The file is what the user wants it to be: nothing of it is left to decide about. */
  async settle(path: string): Promise<void> {
    const { changes } = this.#parts;
    const row = changes.get(path);
    if (row === undefined) return;
    const { renamedFrom: _, ...rest } = row;
    await changes.settle(path, { ...rest, baseline: row.document });
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
