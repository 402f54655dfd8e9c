import { type BelayError, failureOf, fault, wordsOf } from '../../../../domain/failure.ts';
import { told } from '../../../../domain/text/told.ts';
import type { Log } from '../../../ports/log.ts';
import type { AskedEdits } from '../edits/asked-edits.ts';
import type { AcceptedProposals } from './accepted-proposals.ts';
import { movedOutside } from '../../model/agent-edits.ts';
import type { CallOutcomes } from '../../storage/call-outcomes.ts';
import { accept, decided, refuseUnseen, reject } from '../../model/decide.ts';
import type { Choice, Rejection } from '../../model/decide.ts';
import { stillMeant } from '../../storage/decision-journal.ts';
import type {
  Decision,
  DecisionJournal,
  InterruptedDecision,
  Meant,
} from '../../storage/decision-journal.ts';
import { type FileReview, ABSENT, proposedAt, sameContent } from '../../model/file-review.ts';
import { hunksOf, isSettled } from '../../model/hunks.ts';
import type { FileLocks } from '../../storage/file-locks.ts';
import type { StashedReviews } from '../../storage/stashed-reviews.ts';
import type { PendingByKind } from '../pending-of-kind.ts';
import type { ReviewDisk } from '../review-disk.ts';
import { agentLinesOf } from '../../model/agent-lines.ts';
import {
  joinSelected,
  placeOf,
  STORED_KINDS,
  withoutCommandChanges,
} from '../../model/review-kinds.ts';
import type { Restored } from '../../model/restored.ts';
import type { ReviewKind, Selected, StoredKind } from '../../model/review-kinds.ts';
import type { ReviewNotices } from '../../storage/review-notices.ts';
import type { FileTracker } from '../file-tracker.ts';
import type { PersonEdits } from '../edits/person-edits.ts';
import { carryOutEffect } from './decision-recovery.ts';
import type { Turns } from '../turns.ts';
import type { UndoneAcceptances } from './undone-acceptances.ts';
import { asKnownToModel } from '../../model/unreported-changes.ts';
import { changedByDecision } from '../../model/user-edits.ts';

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
  readonly changes: PendingByKind;
  readonly asked: AskedEdits;
  readonly disk: ReviewDisk;
  readonly accepted: AcceptedProposals;
  readonly journal: DecisionJournal;
  readonly locks: FileLocks;
  readonly records: DecisionRecords;
  readonly undone: UndoneAcceptances;
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
      if (!this.#isPending(file)) await this.#parts.journal.endFile(file);
  }

  get interrupted(): InterruptedDecision | undefined {
    if (this.#interrupted === undefined) return undefined;
    const { decision, selected } = this.#interrupted;
    const left = selected.flatMap((meant) => {
      const choice = this.#stillMeant(meant);
      return choice === undefined ? [] : { kind: meant.kind, path: meant.path, choice };
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
   * Hunks become a part of the file: those that are written stay, proposed ones are written now.
   * @throws BelayError `not_found` when one of them is not pending any more, `busy` when another window
   * decided it in this moment, or what writing fails with; then everything is pending as it was
   */
  async accept(selected: Selected): Promise<void> {
    await this.#single('accept', selected);
  }

  /** Hunks are taken back; what is proposed only is forgotten. Fails as `accept`. */
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
      // Rejecting a written change alters the proposals for its file: those go first.
      const last: ReviewKind = decision === 'reject' ? 'written' : 'proposed';
      const find = (path: string) => this.#parts.changes.written.get(path);
      const bulk = isBulk ? withoutCommandChanges(selected, find) : { selected, left: 0 };
      const all = joinSelected(bulk.selected)
        .toSorted((a, b) => Number(a.kind === last) - Number(b.kind === last))
        .map((one) => this.#meant(one));
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
      const isElsewhere = ({ kind, path }: Meant): boolean =>
        this.#parts.changes[kind].shared.isDecidedElsewhere(path);
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
  get offers(): readonly { readonly kind: StoredKind; readonly offer: Restored }[] {
    return STORED_KINDS.flatMap((kind) =>
      this.#parts.changes[kind].earlier.orphaned.map((offer) => ({ kind, offer })),
    );
  }

  /** The person does not want what was offered: nothing of it is left. */
  async forgetOffer({ kind, path }: Selected): Promise<void> {
    await this.#parts.changes[kind].earlier.forget(path);
  }

  /** Marks hunks as looked at, or as not; it decides nothing. */
  look({ kind, path }: Selected, hunkIds: readonly string[], looked: boolean): void {
    this.#parts.changes[kind].update(path, (review) => {
      const present = new Set(hunksOf(review).map(({ id }) => id));
      const others = review.looked.filter((id) => present.has(id) && !hunkIds.includes(id));
      const added = looked ? hunkIds.filter((id) => present.has(id)) : [];
      return { ...review, looked: [...others, ...added] };
    });
  }

  async #single(decision: Decision, { kind, path, choice = 'all' }: Selected): Promise<void> {
    await this.#parts.turns.take(path, async () =>
      this.#alone(decision, { kind, path }, () => choice),
    );
  }

  async #each(
    decision: Decision,
    selected: readonly Meant[],
    pending: ReadonlySet<Meant>,
  ): Promise<{ readonly meant: Meant; readonly reason: string }[]> {
    const failed: { meant: Meant; reason: string }[] = [];
    for (const meant of selected) {
      // Settled with another file's: a proposal to take away what was just rejected.
      if (pending.has(meant) && !this.#isPending(meant)) continue;
      try {
        await this.#parts.turns.take(meant.path, async () =>
          this.#alone(decision, meant, (review) =>
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
    file: Selected,
    choose: (review: FileReview) => Choice | undefined,
  ): Promise<void> {
    await this.#parts.locks.during(file, async () => this.#one(decision, file, choose));
  }

  async #one(
    decision: Decision,
    { kind, path }: Selected,
    choose: (review: FileReview) => Choice | undefined,
  ): Promise<void> {
    const { changes, tracker, records, log } = this.#parts;
    const { outcomes, news, parked } = records;
    await changes[kind].shared.follow(path);
    const seen = this.#get(kind, path);
    // Refuses when something would come back that the person has not seen.
    await tracker.look(placeOf({ kind, review: seen }));
    const review = this.#get(kind, path);
    if (kind === 'proposed' && decision === 'accept') refuseUnseen(seen, review);
    const choice = choose(review);
    if (choice === undefined) throw nothingPending(path);
    if (kind === 'asked') return this.#parts.asked.decide(decision, review, choice);
    if (decision === 'accept') await this.#accept(kind, review, choice);
    else await this.#reject(kind, review, choice);
    await parked[decision === 'accept' ? 'accepted' : 'rejected'](review, choice);
    await outcomes.decided(kind, decision, review, choice);
    try {
      if (decision === 'accept') await news.accepted(kind, review, choice);
      else await news.rejected(review, choice);
      const after = changes[kind].get(path) ?? changes[kind].get(placeOf({ kind, review }));
      if (after !== undefined) news.tellsAll(review, after.document);
    } catch (thrown) {
      log.error(`What was decided about ${path} could not be noted for the model.`, thrown);
    }
    changes[kind].update(path, asKnownToModel);
    // Its editor may still save what it has.
    if (kind === 'proposed') changes.proposed.drop(path);
  }

  async #accept(kind: StoredKind, review: FileReview, choice: Choice): Promise<void> {
    const after = accept(review, choice);
    const { changes, accepted } = this.#parts;
    if (kind === 'written') return changes.written.decide(review.path, after);
    const [from, to] = [proposedAt(review), proposedAt(after)];
    await this.#underWay('accept', { kind, review, choice }, async () => {
      const written = changes.written.get(from);
      for (const one of new Set([from, to])) this.#parts.personEdits.touched(one);
      const write = async (): Promise<void> => accepted.write(review, after);
      const carryOut = async (): Promise<void> => {
        if (written === undefined) return write();
        const moved = from === to ? written : movedOutside(written, from, to);
        const isGone = after.baseline.kind === 'absent';
        const rest = isGone ? decided(moved) : changedByDecision(moved, after.baseline);
        return changes.written.decide(from, rest, write);
      };
      await changes.proposed.decide(review.path, after, carryOut, review);
      // Moved to where the agent had deleted a file, it is not that one again.
      const there = from === to ? undefined : changes.written.get(to);
      if (there?.document.kind === 'absent')
        await changes.written.decide(to, changedByDecision(there, after.baseline));
    });
    this.#parts.undone.accepted(to, review, after.baseline);
  }

  async #reject(kind: StoredKind, review: FileReview, choice: Choice): Promise<void> {
    const { changes, tracker } = this.#parts;
    const rejection = reject(review, choice);
    if (kind === 'proposed') {
      await changes.proposed.decide(review.path, rejection.review, undefined, review);
      return this.#parts.undone.rejected(proposedAt(review));
    }
    // Where what is rejected stays, or comes back, it is pending.
    this.#parts.records.parked.keep(agentLinesOf(review));
    // Something else deleted the file: there is nothing in it to take back.
    if (review.fileMissing) return changes.written.decide(review.path, rejection.review);
    await this.#underWay('reject', { kind, review, choice }, async () =>
      changes.written.decide(review.path, rejection.review, async () =>
        this.#carryOut(review, rejection),
      ),
    );
    const { path } = rejection.review;
    if (path !== review.path) tracker.moveProposals(review.path, path);
    await this.#noteUnsaved(rejection.review);
    // The editor's news is newer than the disk: the person undid it while it was saved.
    if (!sameContent(changes.written.get(path)?.document ?? ABSENT, rejection.review.document))
      return;
    await tracker
      .look(path)
      .catch((thrown: unknown) =>
        this.#parts.log.warn(`${path} could not be read.`, { reason: String(thrown) }),
      );
  }

  /** A rejection in an editor with unsaved text is done when that is saved. */
  async #noteUnsaved({ path, document }: FileReview): Promise<void> {
    if (await this.#parts.disk.isSaved(path, document)) return;
    const { written } = this.#parts.changes;
    written.update(path, (review) => ({ ...review, unsaved: true }));
    await written.shared.flush();
  }

  /** Does to a file what was decided; when that fails, the review is brought up to what the file is. */
  async #underWay(
    decision: Decision,
    {
      kind,
      review,
      choice,
    }: { readonly kind: ReviewKind; readonly review: FileReview; readonly choice: Choice },
    work: () => Promise<void>,
  ): Promise<void> {
    const { journal, tracker, log } = this.#parts;
    const { path } = review;
    const place = placeOf({ kind, review });
    await journal.beginFile(decision, this.#meant({ kind, path, choice }));
    try {
      await work();
    } catch (thrown) {
      await tracker
        .look(place)
        .catch((error: unknown) =>
          log.warn(`${place} could not be read.`, { reason: String(error) }),
        );
      throw thrown;
    } finally {
      // A note that could not be removed is recognized later by the hunks that it names.
      await journal
        .endFile({ kind, path })
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

  #meant({ kind, path, choice = 'all' }: Selected): Meant {
    const review = this.#parts.changes[kind].get(path);
    const all = review === undefined ? [] : hunksOf(review).map(({ id }) => id);
    return { kind, path, choice, hunks: choice === 'all' ? all : choice };
  }

  #stillMeant(meant: Meant): Choice | undefined {
    const review = this.#parts.changes[meant.kind].get(meant.path);
    return review === undefined ? undefined : stillMeant(review, meant);
  }

  #isPending({ kind, path }: Selected): boolean {
    const review = this.#parts.changes[kind].get(path);
    return review !== undefined && !isSettled(review);
  }

  #get(kind: ReviewKind, path: string): FileReview {
    const review = this.#parts.changes[kind].get(path);
    // An asked edit whose text was all typed away is still waited for by its call.
    if (review === undefined || (kind !== 'asked' && isSettled(review))) throw nothingPending(path);
    return review;
  }
}

function nothingPending(path: string): BelayError {
  const message = told`Nothing is pending in ${path} any more: it was decided, undone or edited meanwhile. Nothing was done.`;
  return fault('not_found', message);
}
