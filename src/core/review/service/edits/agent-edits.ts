import { changedMeanwhile } from '../../../files/changed-meanwhile.ts';
import { type EditDetails, agentRenamed, withEdit } from '../../model/agent-edits.ts';
import { asFound, changedByCommand } from '../../model/as-found.ts';
import { decided } from '../../model/decide.ts';
import { compareFirst } from '../../model/differences.ts';
import { ABSENT, newReview, sameContent } from '../../model/file-review.ts';
import type { Attribution, Content, FileReview } from '../../model/file-review.ts';
import { unsettled } from '../../model/hunks.ts';
import { type ReviewKind, STORED_KINDS, type StoredKind } from '../../model/review-kinds.ts';
import type { AskedEdits } from './asked-edits.ts';
import type { PendingChanges } from '../pending-changes.ts';
import type { PendingByKind } from '../pending-of-kind.ts';
import type { ReviewFiles } from '../review-files.ts';
import type { AgentEdit } from '../reviews-parts.ts';

/** Makes edits of the agent, or of a command of it, pending. The caller writes the file afterwards. */
export class AgentEdits {
  /** Edits about which calls ask. */
  readonly asked: AskedEdits;
  readonly #changes: PendingByKind;
  readonly #files: Pick<ReviewFiles, 'fileChanged' | 'inTurn'>;

  constructor(
    changes: PendingByKind,
    files: Pick<ReviewFiles, 'fileChanged' | 'inTurn'>,
    asked: AskedEdits,
  ) {
    this.asked = asked;
    this.#changes = changes;
    this.#files = files;
  }

  /**
   * The agent is about to make a file `after`; resolves when that can be taken back after any crash.
   * @throws BelayError that `isChangedMeanwhile` when a proposal is another one than `before` by now
   */
  async edits(
    kind: ReviewKind,
    path: string,
    { before, after, ...known }: AgentEdit,
    by: Attribution,
  ): Promise<void> {
    await compareFirst(this.#find(kind, path), after, before);
    await this.#changes[kind].change(path, (review) => {
      // Text that the person typed into a proposal meanwhile is theirs: it is not written over.
      const typedIn = otherProposal(kind, review, before);
      if (typedIn !== undefined)
        throw changedMeanwhile(path, undefined, typedIn.document.kind !== 'absent');
      return withEdit(asFound(review, path, before), after, by, known);
    });
  }

  /** A proposal is put in other words: what the agent sees of it is the same. Resolves when it is stored. */
  async repropose(path: string, next: FileReview): Promise<void> {
    await this.#changes.proposed.decide(path, next);
  }

  /** Takes back an edit that did not happen. Of a renaming `path` is the new name and `before.path` the old one. */
  async failed(
    path: string,
    before: { readonly path: string; readonly content: Content },
    after: Content,
    by: Attribution,
  ): Promise<void> {
    const { written } = this.#changes;
    const known = written.get(path)?.document;
    if (path !== before.path)
      await written.change(path, (review) =>
        agentRenamed(asFound(review, path, after), before.path, by),
      );
    // Else the editor has told already what the file is, with what was typed in that moment.
    else if (known !== undefined && sameContent(known, after))
      await agentEdited(written, path, { before: after, after: before.content }, by);
    await this.#files.fileChanged(before.path);
  }

  /**
   * A command changed a file. That the file is another one may have been told before, and is told
   * perhaps again: it makes no difference.
   */
  async commandChanged(path: string, edit: AgentEdit, by: Attribution): Promise<void> {
    await compareFirst(this.#find('written', path), edit.after, edit.before);
    await this.#changes.written.change(path, (review = newReview(path, edit.before)) =>
      changedByCommand(review, edit, by),
    );
    await this.#files.fileChanged(path);
  }

  /** A yes to taking the file away: nothing of it is left to decide about. */
  async forget(path: string): Promise<void> {
    for (const kind of STORED_KINDS) {
      const review = this.#find(kind, path);
      if (review !== undefined) await this.#changes[kind].decide(path, decided(review));
    }
  }

  /**
   * The agent is about to rename a file. Where something is pending at the new name, the deletion of
   * what was there before, it becomes one change of that file and a deletion of this one.
   */
  async renames(
    kind: ReviewKind,
    path: string,
    to: { readonly path: string; readonly content: Content },
    by: Attribution,
  ): Promise<void> {
    const changes = this.#changes[kind];
    if (this.#find(kind, to.path) === undefined) {
      await changes.change(path, (review) => {
        const typedIn = otherProposal(kind, review, to.content);
        return agentRenamed(typedIn ?? asFound(review, path, to.content), to.path, by);
      });
      return;
    }
    const marks = changes.get(path)?.marks;
    const made = { before: ABSENT, after: to.content };
    await agentEdited(changes, to.path, made, by, { marks });
    await agentEdited(changes, path, { before: to.content, after: ABSENT }, by);
  }

  /** Makes a review of an imported session pending. `false`: something else is pending in that file, and stays. */
  async takeIn(kind: StoredKind, review: FileReview): Promise<boolean> {
    const { path } = review;
    return this.#files.inTurn(path, async () => {
      if (STORED_KINDS.some((one) => this.#find(one, path) !== undefined)) return false;
      await this.#changes[kind].change(path, () => review);
      return true;
    });
  }

  /** A proposal is in the file by now, or nobody wants it any more: it is forgotten. */
  async forgetProposal(path: string): Promise<void> {
    const review = this.#find('proposed', path);
    if (review !== undefined) await this.#changes.proposed.decide(path, decided(review));
  }

  #find(kind: ReviewKind, path: string): FileReview | undefined {
    return unsettled(this.#changes[kind].get(path));
  }
}

/** A proposal that is another one than the agent has seen: the person typed in it. */
function otherProposal(
  kind: ReviewKind,
  review: FileReview | undefined,
  seen: Content,
): FileReview | undefined {
  const proposed = kind === 'proposed' ? unsettled(review) : undefined;
  return proposed === undefined || sameContent(proposed.document, seen) ? undefined : proposed;
}

/** @param before the file as it is, unsaved text of an editor included */
async function agentEdited(
  changes: PendingChanges,
  path: string,
  { before, after }: { readonly before: Content; readonly after: Content },
  by: Attribution,
  more: EditDetails = {},
): Promise<void> {
  await changes.change(path, (review) => withEdit(asFound(review, path, before), after, by, more));
}
