import type { Log } from '../../../ports/log.ts';
import { type FileEffect, type Rejection, reject } from '../../model/decide.ts';
import { type DecisionJournal, stillMeant } from '../../storage/decision-journal.ts';
import { type FileReview, sameContent, textContent } from '../../model/file-review.ts';
import type { ReviewDisk } from '../review-disk.ts';

interface Parts {
  readonly journal: DecisionJournal;
  readonly disk: ReviewDisk;
  readonly log: Log;
}

/** Decisions in whose middle a crash came, by what is in the journal and on disk. */
export class DecisionRecovery {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @returns the state of a review that a crash found in the middle of a decision; `undefined`: it was not begun */
  async recovered(review: FileReview): Promise<FileReview | undefined> {
    const { path } = review;
    const { journal, log } = this.#parts;
    const underWay = await journal.underWay(path);
    if (underWay === undefined) return undefined;
    try {
      const choice = stillMeant(review, underWay.meant);
      if (choice === undefined) return undefined;
      // Keeping a change does nothing to its file.
      return underWay.decision === 'reject'
        ? await this.#recoveredRejection(review, reject(review, choice))
        : undefined;
    } catch (thrown) {
      log.warn(`A decision about ${path} could not be finished.`, { reason: String(thrown) });
      return undefined;
    } finally {
      await journal.endFile(path);
    }
  }

  /** A crash came after the file was changed, or between its change and its renaming. */
  async #recoveredRejection(
    review: FileReview,
    rejection: Rejection,
  ): Promise<FileReview | undefined> {
    const { disk } = this.#parts;
    const after = rejection.review;
    if (after.path === review.path) {
      const now = (await disk.now(review.path)).content;
      return sameContent(now, after.document) ? after : undefined;
    }
    const there = (await disk.now(review.path)).content;
    const back = (await disk.now(after.path)).content;
    if (there.kind === 'absent' && sameContent(back, after.document)) return after;
    if (back.kind === 'absent') {
      if (rejection.edits.length === 0 || !sameContent(there, after.document)) return undefined;
      await disk.rename(review.path, after.path);
      return after;
    }
    if (there.kind !== 'absent' || !sameContent(back, review.document)) return undefined;
    for (const effect of rejection.effects)
      if (effect.kind !== 'rename') await carryOutEffect(disk, review, effect);
    return after;
  }
}

/** Does one thing to a file that a rejection says beside its lines. */
export async function carryOutEffect(
  disk: ReviewDisk,
  review: FileReview,
  effect: FileEffect,
): Promise<void> {
  const before = { seen: review.document, kept: review.kept };
  switch (effect.kind) {
    case 'delete':
      return disk.delete(effect.path, review.document);
    case 'create':
      return disk.create(effect.path, textContent(effect.text), before);
    case 'rename':
      return disk.rename(effect.from, effect.to);
    case 'restore':
      return disk.restore(effect.path, effect.hash, before);
    default:
      return effect satisfies never;
  }
}
