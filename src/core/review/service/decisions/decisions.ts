import { type BelayError, failureOf, fault, wordsOf } from '../../../../domain/failure.ts';
import { told } from '../../../../domain/text/told.ts';
import type { Log } from '../../../ports/log.ts';
import type { CallOutcomes } from '../../storage/call-outcomes.ts';
import { accept, reject } from '../../model/decide.ts';
import type { Choice, Rejection } from '../../model/decide.ts';
import { stillMeant } from '../../storage/decision-journal.ts';
import type {
  Decision,
  DecisionJournal,
  InterruptedDecision,
  Meant,
} from '../../storage/decision-journal.ts';
import { type FileReview, ABSENT, sameContent } from '../../model/file-review.ts';
import { hunksOf, isSettled } from '../../model/hunks.ts';
import type { FileLocks } from '../../storage/file-locks.ts';
import type { StashedReviews } from '../../storage/stashed-reviews.ts';
import type { PendingChanges } from '../pending-changes.ts';
import type { ReviewDisk } from '../review-disk.ts';
import { agentLinesOf } from '../../model/agent-lines.ts';
import { joinSelected, withoutCommandChanges } from '../../model/selected-changes.ts';
import type { Restored } from '../../model/restored.ts';
import type { Selected } from '../../model/selected-changes.ts';
import type { ReviewNotices } from '../../storage/review-notices.ts';
import type { FileTracker } from '../file-tracker.ts';
import type { PersonEdits } from '../edits/person-edits.ts';
import { carryOutEffect } from './decision-recovery.ts';
import type { Turns } from '../turns.ts';
import { asKnownToModel } from '../../model/unreported-changes.ts';

/** The result of a decision about several files. */
export interface Decided {
  /** Files that were decided here. */
  readonly done: number;
  /** Changes by commands, which a bulk decision does not decide. */
  readonly left: number;
  /** Files of which another window had decided, or decided meanwhile, what was meant. */
  readonly elsewhere: number;
  readonly failed: readonly { readonly path: string; readonly reason: string }[];
}

/** Where it is on record what was decided. */
interface DecisionRecords {
  readonly outcomes: CallOutcomes;
  readonly news: ReviewNotices;
  readonly parked: StashedReviews;
}

export interface DecisionsParts {
  readonly changes: PendingChanges;
  readonly disk: ReviewDisk;
  readonly journal: DecisionJournal;
  readonly locks: FileLocks;
  readonly records: DecisionRecords;
  readonly log: Log;
  /** Brings reviews up to the file as it is. */
  readonly tracker: FileTracker;
  /** A decision's change of a file is the person's, whatever command runs at that time. */
  readonly personEdits: PersonEdits;
  /** By path: nothing is decided about a file while something else is done to it. */
  readonly turns: Turns;
}

/** The person's decisions: each is done to the file, or everything stays pending. */
export class Decisions {
  readonly #parts: DecisionsParts;
  #interrupted: Awaited<ReturnType<DecisionJournal['interrupted']>>;

  constructor(parts: DecisionsParts) {
    this.#parts = parts;
  }

  /** Learns what an earlier window did not come to. */
  async load(): Promise<void> {
    this.#interrupted = await this.#parts.journal.interrupted();
    if (this.#interrupted !== undefined && this.interrupted === undefined)
      await this.#parts.journal.end();
    // Done and stored, up to this note.
    for (const file of await this.#parts.journal.noted())
      if (!this.#isPending(file)) await this.#parts.journal.endFile(file.path);
  }

  get interrupted(): InterruptedDecision | undefined {
    if (this.#interrupted === undefined) return undefined;
    const { decision, selected } = this.#interrupted;
    const left = selected.flatMap((meant) => {
      const choice = this.#stillMeant(meant);
      return choice === undefined ? [] : { path: meant.path, choice };
    });
    return left.length === 0 ? undefined : { decision, left, of: selected.length };
  }

  /** Goes on with what was interrupted, or leaves the rest pending. */
  async resolveInterrupted(goOn: boolean): Promise<Decided> {
    const { interrupted } = this;
    this.#interrupted = undefined;
    if (goOn && interrupted !== undefined)
      return this.decide(interrupted.decision, interrupted.left);
    await this.#parts.journal.end();
    return { done: 0, left: 0, elsewhere: 0, failed: [] };
  }

  /**
   * Keeps hunks: they are a part of the file and no longer pending.
   * @throws BelayError `not_found` when one of them is not pending any more, `busy` when another window
   * decided it in this moment, or what writing fails with; then everything is pending as it was
   */
  async accept(selected: Selected): Promise<void> {
    await this.#single('accept', selected);
  }

  /** Undoes hunks: the lines from before them go back into the file. Fails as `accept`. */
  async reject(selected: Selected): Promise<void> {
    await this.#single('reject', selected);
  }

  /**
   * Decides about several files, one after the other; one that fails is tried again after the others, and stays
   * pending then. What comes to be pending meanwhile is not meant. When the window ends in the middle,
   * `interrupted` tells the next one what is left.
   * @param isBulk leaves changes by commands, which may be the user's own; false where the user named the files
   */
  async decide(decision: Decision, selected: readonly Selected[], isBulk = true): Promise<Decided> {
    // One decision at a time: a renaming waits for turns of other files, and a graph of such waits is not worth it.
    return this.#parts.turns.take('', async () => {
      const find = (path: string) => this.#parts.changes.get(path);
      const bulk = isBulk ? withoutCommandChanges(selected, find) : { selected, left: 0 };
      const all = joinSelected(bulk.selected).map((one) => this.#meant(one));
      const pending = new Set(all.filter((one) => this.#isPending(one)));
      await this.#parts.journal.begin(decision, all);
      let failed = await this.#each(decision, all, pending);
      for (let before = all.length; failed.length > 0 && failed.length < before;) {
        before = failed.length;
        failed = await this.#each(
          decision,
          failed.map(({ meant }) => meant),
          pending,
        );
      }
      await this.#parts.journal.end();
      const isElsewhere = ({ path }: Meant): boolean =>
        this.#parts.changes.shared.isDecidedElsewhere(path);
      // A change that is not pending any more is not left to decide, whoever decided it.
      const open = failed.filter(({ meant }) => !isElsewhere(meant));
      const elsewhere = all.filter(isElsewhere).length;
      return {
        done: all.length - open.length - elsewhere,
        left: bulk.left,
        elsewhere,
        failed: open.map(({ meant: { path }, reason }) => ({ path, reason })),
      };
    });
  }

  /** Files whose pending changes can only be shown: the file is gone, or is another one by now. */
  get offers(): readonly Restored[] {
    return this.#parts.changes.earlier.orphaned;
  }

  /** The person does not want what was offered: nothing of it is left. */
  async forgetOffer(path: string): Promise<void> {
    await this.#parts.changes.earlier.forget(path);
  }

  /** Marks hunks as looked at, or as not; it decides nothing. */
  look(path: string, hunkIds: readonly string[], looked: boolean): void {
    this.#parts.changes.update(path, (review) => {
      const present = new Set(hunksOf(review).map(({ id }) => id));
      const others = review.looked.filter((id) => present.has(id) && !hunkIds.includes(id));
      const added = looked ? hunkIds.filter((id) => present.has(id)) : [];
      return { ...review, looked: [...others, ...added] };
    });
  }

  async #single(decision: Decision, { path, choice = 'all' }: Selected): Promise<void> {
    await this.#parts.turns.take(path, async () => this.#alone(decision, path, () => choice));
  }

  async #each(
    decision: Decision,
    selected: readonly Meant[],
    pending: ReadonlySet<Meant>,
  ): Promise<{ readonly meant: Meant; readonly reason: string }[]> {
    const failed: { meant: Meant; reason: string }[] = [];
    for (const meant of selected) {
      if (pending.has(meant) && !this.#isPending(meant)) continue;
      try {
        await this.#parts.turns.take(meant.path, async () =>
          this.#alone(decision, meant.path, (review) =>
            meant.choice === 'all' ? stillMeant(review, meant) : meant.choice,
          ),
        );
      } catch (thrown) {
        failed.push({ meant, reason: wordsOf(failureOf(thrown)) });
      }
    }
    return failed;
  }

  /** While no other window decides about the file. */
  async #alone(
    decision: Decision,
    path: string,
    choose: (review: FileReview) => Choice | undefined,
  ): Promise<void> {
    await this.#parts.locks.during(path, async () => this.#one(decision, path, choose));
  }

  async #one(
    decision: Decision,
    path: string,
    choose: (review: FileReview) => Choice | undefined,
  ): Promise<void> {
    const { changes, tracker, records, log } = this.#parts;
    const { outcomes, news, parked } = records;
    await changes.shared.follow(path);
    this.#get(path);
    // The file may be another one since the user decided.
    await tracker.look(path);
    const review = this.#get(path);
    const choice = choose(review);
    if (choice === undefined) throw nothingPending(path);
    if (decision === 'accept') await changes.decide(path, accept(review, choice));
    else await this.#reject(review, choice);
    await parked[decision === 'accept' ? 'accepted' : 'rejected'](review, choice);
    await outcomes.decided(decision, review, choice);
    try {
      if (decision === 'accept') await news.accepted(review, choice);
      else await news.rejected(review, choice);
      const after = changes.get(path);
      if (after !== undefined) news.tellsAll(review, after.document);
    } catch (thrown) {
      log.error(`What was decided about ${path} could not be noted for the model.`, thrown);
    }
    changes.update(path, asKnownToModel);
  }

  async #reject(review: FileReview, choice: Choice): Promise<void> {
    const { changes, tracker } = this.#parts;
    const rejection = reject(review, choice);
    // Where what is rejected stays, or comes back, it is pending.
    this.#parts.records.parked.keep(agentLinesOf(review));
    // Something else deleted the file: there is nothing in it to take back.
    if (review.fileMissing) return changes.decide(review.path, rejection.review);
    await this.#underWay('reject', review, choice, async () =>
      changes.decide(review.path, rejection.review, async () => this.#carryOut(review, rejection)),
    );
    const { path } = rejection.review;
    await this.#noteUnsaved(rejection.review);
    // The editor's news is newer than the disk: the person undid it while it was saved.
    if (!sameContent(changes.get(path)?.document ?? ABSENT, rejection.review.document)) return;
    await tracker
      .look(path)
      .catch((thrown: unknown) =>
        this.#parts.log.warn(`${path} could not be read.`, { reason: String(thrown) }),
      );
  }

  /** A rejection in an editor with unsaved text is done when that is saved. */
  async #noteUnsaved({ path, document }: FileReview): Promise<void> {
    if (await this.#parts.disk.isSaved(path, document)) return;
    const { changes } = this.#parts;
    changes.update(path, (review) => ({ ...review, unsaved: true }));
    await changes.shared.flush();
  }

  /** Does to a file what was decided; when that fails, the review is brought up to what the file is. */
  async #underWay(
    decision: Decision,
    review: FileReview,
    choice: Choice,
    work: () => Promise<void>,
  ): Promise<void> {
    const { journal, tracker, log } = this.#parts;
    const { path } = review;
    await journal.beginFile(decision, this.#meant({ path, choice }));
    try {
      await work();
    } catch (thrown) {
      await tracker
        .look(path)
        .catch((error: unknown) =>
          log.warn(`${path} could not be read.`, { reason: String(error) }),
        );
      throw thrown;
    } finally {
      // A note that could not be removed is recognized later by the hunks that it names.
      await journal
        .endFile(path)
        .catch((error: unknown) =>
          log.warn('A decision is noted still.', { path, reason: String(error) }),
        );
    }
  }

  async #carryOut(review: FileReview, { review: after, edits, effects }: Rejection): Promise<void> {
    const { disk, personEdits } = this.#parts;
    for (const path of new Set([review.path, after.path])) personEdits.touched(path);
    // All of it or nothing: a name that is taken is found before the first line is changed.
    for (const effect of effects)
      if (effect.kind === 'rename') await disk.canRename(effect.from, effect.to);
    await disk.changeLines(review.path, review.document, edits);
    for (const effect of effects) await carryOutEffect(disk, review, effect);
  }

  #meant({ path, choice = 'all' }: Selected): Meant {
    const review = this.#parts.changes.get(path);
    const all = review === undefined ? [] : hunksOf(review).map(({ id }) => id);
    return { path, choice, hunks: choice === 'all' ? all : choice };
  }

  #stillMeant(meant: Meant): Choice | undefined {
    const review = this.#parts.changes.get(meant.path);
    return review === undefined ? undefined : stillMeant(review, meant);
  }

  #isPending({ path }: Selected): boolean {
    const review = this.#parts.changes.get(path);
    return review !== undefined && !isSettled(review);
  }

  #get(path: string): FileReview {
    const review = this.#parts.changes.get(path);
    if (review === undefined || isSettled(review)) throw nothingPending(path);
    return review;
  }
}

function nothingPending(path: string): BelayError {
  const message = told`Nothing is pending in ${path} any more: it was decided, undone or edited meanwhile. Nothing was done.`;
  return fault('not_found', message);
}
