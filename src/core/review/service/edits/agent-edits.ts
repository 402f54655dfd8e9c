import { type EditDetails, agentRenamed, withEdit } from '../../model/agent-edits.ts';
import { asFound, changedByCommand } from '../../model/as-found.ts';
import { decided } from '../../model/decide.ts';
import { compareFirst } from '../../model/differences.ts';
import { ABSENT, newReview, sameContent } from '../../model/file-review.ts';
import type { Attribution, Content, FileReview } from '../../model/file-review.ts';
import { unsettled } from '../../model/hunks.ts';
import type { PendingChanges } from '../pending-changes.ts';
import type { ReviewFiles } from '../review-files.ts';
import type { AgentEdit } from '../reviews-parts.ts';

/** Makes edits of the agent, or of a command of it, pending. The caller writes the file afterwards. */
export class AgentEdits {
  readonly #changes: PendingChanges;
  readonly #files: Pick<ReviewFiles, 'fileChanged' | 'inTurn'>;

  constructor(changes: PendingChanges, files: Pick<ReviewFiles, 'fileChanged' | 'inTurn'>) {
    this.#changes = changes;
    this.#files = files;
  }

  /** The agent is about to make a file `after`; resolves when that can be undone after any crash. */
  async edits(
    path: string,
    { before, after, ...known }: AgentEdit,
    by: Attribution,
  ): Promise<void> {
    await compareFirst(this.#find(path), after, before);
    await this.#edit(path, { before, after }, by, known);
  }

  /** Takes back an edit that did not happen. Of a renaming `path` is the new name and `before.path` the old one. */
  async failed(
    path: string,
    before: { readonly path: string; readonly content: Content },
    after: Content,
    by: Attribution,
  ): Promise<void> {
    const known = this.#changes.get(path)?.document;
    if (path !== before.path)
      await this.#changes.change(path, (review) =>
        agentRenamed(asFound(review, path, after), before.path, by),
      );
    // Else the editor has told already what the file is, with what was typed in that moment.
    else if (known !== undefined && sameContent(known, after))
      await this.#edit(path, { before: after, after: before.content }, by);
    await this.#files.fileChanged(before.path);
  }

  /**
   * A command changed a file. That the file is another one may have been told before, and is told
   * perhaps again: it makes no difference.
   */
  async commandChanged(path: string, edit: AgentEdit, by: Attribution): Promise<void> {
    await compareFirst(this.#find(path), edit.after, edit.before);
    await this.#changes.change(path, (review = newReview(path, edit.before)) =>
      changedByCommand(review, edit, by),
    );
    await this.#files.fileChanged(path);
  }

  /** The user allowed that the file is deleted: nothing of it is left to decide about. */
  async forget(path: string): Promise<void> {
    const review = this.#find(path);
    if (review !== undefined) await this.#changes.decide(path, decided(review));
  }

  /**
   * The agent is about to rename a file. Where something is pending at the new name, the deletion of
   * what was there before, it becomes one change of that file and a deletion of this one.
   */
  async renames(
    path: string,
    to: { readonly path: string; readonly content: Content },
    by: Attribution,
  ): Promise<void> {
    if (this.#find(to.path) === undefined) {
      await this.#changes.change(path, (review) =>
        agentRenamed(asFound(review, path, to.content), to.path, by),
      );
      return;
    }
    const marks = this.#changes.get(path)?.marks;
    await this.#edit(to.path, { before: ABSENT, after: to.content }, by, { marks });
    await this.#edit(path, { before: to.content, after: ABSENT }, by);
  }

  /** Makes a review of an imported session pending. `false`: something else is pending in that file, and stays. */
  async takeIn(review: FileReview): Promise<boolean> {
    const { path } = review;
    return this.#files.inTurn(path, async () => {
      if (this.#find(path) !== undefined) return false;
      await this.#changes.change(path, () => review);
      return true;
    });
  }

  #find(path: string): FileReview | undefined {
    return unsettled(this.#changes.get(path));
  }

  /** @param before the file as it is, unsaved text of an editor included */
  async #edit(
    path: string,
    { before, after }: { readonly before: Content; readonly after: Content },
    by: Attribution,
    details: EditDetails = {},
  ): Promise<void> {
    await this.#changes.change(path, (review) =>
      withEdit(asFound(review, path, before), after, by, details),
    );
  }
}
