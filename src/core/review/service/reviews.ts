import type { Disposable } from '../../../domain/disposable.ts';
import type { KeptFile } from '../../ports/files/kept-contents.ts';
import { agentRenamed } from '../model/agent-edits.ts';
import { asFound, changedByCommand } from '../model/as-found.ts';
import { AcceptedProposals } from './accepted-proposals.ts';
import { CallOutcomes } from '../storage/call-outcomes.ts';
import { PersonEdits } from './person-edits.ts';
import { DecisionJournal } from '../storage/decision-journal.ts';
import type { Decision, InterruptedDecision } from '../storage/decision-journal.ts';
import { decided } from '../model/decide.ts';
import { Decisions } from './decisions.ts';
import type { Decided } from './decisions.ts';
import type { Restored } from '../model/restored.ts';
import { ABSENT, newReview, sameContent, textContent } from '../model/file-review.ts';
import { compareFirst } from '../model/differences.ts';
import type { Attribution, Content, FileReview } from '../model/file-review.ts';
import { FileLocks } from '../storage/file-locks.ts';
import { FileTracker } from './file-tracker.ts';
import type { DocumentChange } from './file-tracker.ts';
import { hunksOf, isSettled } from '../model/hunks.ts';
import { StashedReviews } from '../storage/stashed-reviews.ts';
import type { PendingChanges } from './pending-changes.ts';
import { DecisionRecovery } from './decision-recovery.ts';
import { proposedChanges, writtenChanges } from './pending-of-kind.ts';
import { Turns } from './turns.ts';
import { proposalEdited } from '../model/proposals.ts';
import { ReviewDisk } from './review-disk.ts';
import { byPath, KINDS, totalsOf } from '../model/review-kinds.ts';
import type { PendingReview, PendingTotals, ReviewKind, Selected } from '../model/review-kinds.ts';
import { ReviewNotices } from '../storage/review-notices.ts';
import type { AgentEdit, ReviewsParts } from './reviews-parts.ts';
import type { ReviewNotice } from '../storage/review-notices.ts';
import { asKnownToModel } from '../model/unreported-changes.ts';
import { UndoneAcceptances } from './undone-acceptances.ts';
import { UnlistedNotes } from '../storage/unlisted-notes.ts';

export type { PendingReview, ReviewKind, Selected };

/**
 * All pending changes of the workspace, and the decisions about them. What is told here is on disk when
 * the promise resolves; a decision is done to the file, or everything stays pending.
 */
export class Reviews implements Disposable {
  readonly disk: ReviewDisk;
  readonly outcomes: CallOutcomes;
  /** What the person types and saves is never a command's: the editor tells it. */
  readonly personEdits = new PersonEdits();
  /** What cannot be reviewed here: what commands changed, and what is kept aside no longer. */
  readonly unlisted: UnlistedNotes;
  readonly #changes: Readonly<Record<ReviewKind, PendingChanges>>;
  readonly #news: ReviewNotices;
  readonly #parked: StashedReviews;
  readonly #turns: Turns;
  readonly #tracker: FileTracker;
  readonly #decisions: Decisions;

  constructor(parts: ReviewsParts) {
    const { values, files, operations, clock, log, writer = '' } = parts;
    const disk = new ReviewDisk(parts);
    const turns = new Turns();
    const journal = new DecisionJournal(values, writer);
    const accepted = new AcceptedProposals(disk, files, operations);
    const recovery = new DecisionRecovery({ journal, accepted, disk, log });
    const unlisted = new UnlistedNotes(values, log);
    const onDropped = (path: string): void => unlisted.addDropped(path);
    const parked = new StashedReviews({ values, clock, log, onDropped });
    const stored = { values, writer, clock, log, disk, recovery, parked };
    const changes = { written: writtenChanges(stored), proposed: proposedChanges(stored) };
    const undone = new UndoneAcceptances();
    const { personEdits } = this;
    const tracker = new FileTracker({ changes, parked, disk, undone, turns, log });
    const outcomes = new CallOutcomes(values, log, async (path) => (await disk.now(path)).content);
    const news = new ReviewNotices(values, writer);
    const locks = new FileLocks({ values, clock, writer });
    const decided = { journal, accepted, locks, outcomes, news, parked, undone };
    const about = { changes, disk, tracker, personEdits, turns, log };
    this.#decisions = new Decisions({ ...about, ...decided });
    this.disk = disk;
    this.outcomes = outcomes;
    this.unlisted = unlisted;
    this.#changes = changes;
    this.#news = news;
    this.#parked = parked;
    this.#turns = turns;
    this.#tracker = tracker;
    this.onChange(({ kind, path }) => outcomes.reviewIs(kind, path, changes[kind].get(path)));
  }

  /** Takes up what was pending when the last window closed or crashed. */
  async load(): Promise<void> {
    await this.#parked.load();
    await Promise.all([
      this.#changes.written.load(),
      this.#changes.proposed.load(),
      this.#news.load(),
      this.unlisted.load(),
    ]);
    await this.#decisions.load();
    this.#tracker.lookForParked();
  }

  /** Takes over what other windows on the workspace have stored; after each of their changes. */
  async refresh(): Promise<void> {
    await Promise.all(KINDS.map(async (kind) => this.#changes[kind].refresh(this.#turns)));
    await Promise.all([
      this.#parked.load(),
      this.unlisted.load(),
      this.#news.load(),
      this.outcomes.refresh(),
    ]);
  }

  /** Nothing is decided about a path while the work lasts, nor anything else in turn. */
  inTurn<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
    return this.#turns.take(path, work);
  }

  /** What has something pending, by path; of one path what is written comes first. */
  get pending(): readonly PendingReview[] {
    return byPath(
      KINDS.flatMap((kind) => this.#changes[kind].files.map((review) => ({ kind, review }))),
    );
  }

  /** `undefined` when nothing is pending there. Settled ones are left out. */
  find(kind: ReviewKind, path: string): FileReview | undefined {
    const review = this.#changes[kind].get(path);
    return review === undefined || isSettled(review) ? undefined : review;
  }

  /** Whether what happens to this file is of interest here; also of files whose changes may come back. */
  concerns(path: string): boolean {
    return this.#tracker.concerns(path) || this.outcomes.concerns(path);
  }

  /** Files of which something is known: with pending changes, or with ones that may come back. */
  get known(): readonly string[] {
    return this.#tracker.known;
  }

  /** Files whose pending changes can only be shown: the file is gone, or is another one by now. */
  get offers(): readonly { readonly kind: ReviewKind; readonly offer: Restored }[] {
    return KINDS.flatMap((kind) =>
      this.#changes[kind].orphanedReviews.map((offer) => ({ kind, offer })),
    );
  }

  /** Files as they were, that are needed while something is pending. */
  get kept(): readonly KeptFile[] {
    const offered = this.offers.map(({ offer }) => offer.review);
    const reviews = [...this.pending.map(({ review }) => review), ...offered];
    return [...reviews.flatMap(({ kept }) => kept ?? []), ...this.#parked.kept];
  }

  /** The person does not want what was offered: nothing of it is left. */
  async forgetOffer({ kind, path }: Selected): Promise<void> {
    await this.#changes[kind].resolveOffer(path, undefined);
  }

  get totals(): PendingTotals {
    return totalsOf(this.pending);
  }

  /** Hears of every file whose pending changes are others; several times at once, perhaps. */
  onChange(
    listener: (changed: { readonly kind: ReviewKind; readonly path: string }) => void,
  ): Disposable {
    const listening = KINDS.map((kind) =>
      this.#changes[kind].onChange((path) => listener({ kind, path })),
    );
    return { dispose: () => listening.forEach((one) => one.dispose()) };
  }

  // What the agent does. The file is written by the caller, afterwards.

  /** The agent is about to make a file `after`; resolves when that can be taken back after any crash. */
  async agentEdits(
    kind: ReviewKind,
    path: string,
    { before, after, ...known }: AgentEdit,
    by: Attribution,
  ): Promise<void> {
    await compareFirst(this.find(kind, path), after, before);
    await this.#changes[kind].agentEdited(path, before, after, by, known);
  }

  /** A proposal is put in other words: what the agent sees of it is the same. Resolves when it is stored. */
  async repropose(path: string, next: FileReview): Promise<void> {
    await this.#changes.proposed.decide(path, next);
  }

  /**
   * What was about to be done to a file did not happen: it is as before. Of a renaming `path` is the new
   * name and `before.path` the old one.
   */
  async agentFailed(
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
      await written.agentEdited(path, after, before.content, by);
    await this.fileChanged(before.path);
  }

  /**
   * A command changed a file. That the file is another one may have been told before, and is told
   * perhaps again: it makes no difference.
   */
  async commandChanged(path: string, edit: AgentEdit, by: Attribution): Promise<void> {
    await compareFirst(this.find('written', path), edit.after, edit.before);
    await this.#changes.written.change(path, (review = newReview(path, edit.before)) =>
      changedByCommand(review, edit, by),
    );
    await this.fileChanged(path);
  }

  /** A yes to taking the file away: nothing of it is left to decide about. */
  async forget(path: string): Promise<void> {
    for (const kind of KINDS) {
      const review = this.find(kind, path);
      if (review !== undefined) await this.#changes[kind].decide(path, decided(review));
    }
  }

  /**
   * The agent is about to rename a file. Where something is pending at the new name, the deletion of
   * what was there before, it becomes one change of that file and a deletion of this one.
   */
  async agentRenames(
    kind: ReviewKind,
    path: string,
    to: { readonly path: string; readonly content: Content },
    by: Attribution,
  ): Promise<void> {
    const changes = this.#changes[kind];
    if (this.find(kind, to.path) === undefined) {
      await changes.change(path, (review) =>
        agentRenamed(asFound(review, path, to.content), to.path, by),
      );
      return;
    }
    await changes.agentEdited(to.path, ABSENT, to.content, by);
    await changes.agentEdited(path, to.content, ABSENT, by);
  }

  /** A proposal is in the file by now, or nobody wants it any more: it is forgotten. */
  async forgetProposal(path: string): Promise<void> {
    const review = this.find('proposed', path);
    if (review !== undefined) await this.#changes.proposed.decide(path, decided(review));
  }

  // What happens to the files.

  /**
   * A document in an editor changed, by whatever: the agent's own edits are known already.
   * @param how `typed`: in an order in which the changes can be made; `outside`: by a formatter while it
   * was saved, or read anew from disk
   */
  documentChanged(path: string, text: Content, how: DocumentChange): void {
    this.outcomes.fileIs(path, text);
    this.#tracker.documentChanged(path, text, how);
  }

  /** A file may be another one now: also one that is in an editor, whose unsaved text counts. */
  async fileChanged(path: string): Promise<void> {
    await this.#tracker.fileChanged(path);
    if (this.outcomes.concerns(path))
      this.outcomes.fileIs(path, (await this.disk.now(path)).content);
  }

  /** The person, or another program, renamed a file or folder; pending changes go with it. */
  fileRenamed(from: string, to: string): void {
    this.#tracker.fileRenamed(from, to);
  }

  /** The person changed a proposal itself. */
  proposalEdited(path: string, text: Content): void {
    this.#changes.proposed.update(path, (review) => proposalEdited(review, text));
  }

  // What the person decides.

  /**
   * Hunks become a part of the file: those that are written stay, proposed ones are written now.
   * @throws BelayError `not_found` when one of them is not pending any more, `busy` when another window
   * decided it in this moment, or what writing fails with; then everything is pending as it was
   */
  async accept(selected: Selected): Promise<void> {
    await this.#decisions.one('accept', selected);
  }

  /** Hunks are taken back; what is proposed only is forgotten. Fails as `accept`. */
  async reject(selected: Selected): Promise<void> {
    await this.#decisions.one('reject', selected);
  }

  /**
   * Decides about several files; one that fails stays pending. What comes to be pending meanwhile is not
   * meant. When the window ends in the middle, `interrupted` tells the next one what is left.
   */
  async decide(decision: Decision, selected: readonly Selected[]): Promise<Decided> {
    return this.#decisions.decide(decision, selected);
  }

  get interrupted(): InterruptedDecision | undefined {
    return this.#decisions.interrupted;
  }

  /** Goes on with what was interrupted, or leaves the rest pending. */
  async resolveInterrupted(goOn: boolean): Promise<Decided> {
    return this.#decisions.resolveInterrupted(goOn);
  }

  /** Marks hunks as looked at, or as not; it decides nothing. */
  look({ kind, path }: Selected, hunkIds: readonly string[], looked: boolean): void {
    this.#changes[kind].update(path, (review) => {
      const present = new Set(hunksOf(review).map(({ id }) => id));
      const others = review.looked.filter((id) => present.has(id) && !hunkIds.includes(id));
      const added = looked ? hunkIds.filter((id) => present.has(id)) : [];
      return { ...review, looked: [...others, ...added] };
    });
  }

  /** What a session's model does not know yet of decisions and of what the person changed: sentences, each told once. */
  takeNews(sessionId: string): readonly ReviewNotice[] {
    const edited = this.pending.flatMap(({ kind, review }): readonly ReviewNotice[] => {
      const text = this.#news.edited(review, sessionId);
      if (text === undefined) return [];
      this.#news.tellsAll(review, review.document);
      this.#changes[kind].update(review.path, asKnownToModel);
      return [{ text }];
    });
    return [...this.#news.take(sessionId), ...edited];
  }

  /** Whether the news told a session how one text of a file became another, or will with its next turn. */
  hasTold(sessionId: string, path: string, from: string, to: string): boolean {
    return this.#news.hasTold(sessionId, path, textContent(from), textContent(to));
  }

  async flush(): Promise<void> {
    await this.#tracker.flush();
    await this.#parked.flush();
    await Promise.all(Object.values(this.#changes).map((changes) => changes.flush()));
    await this.unlisted.flush();
  }

  /** What is not stored yet is lost: `flush` first. */
  dispose(): void {
    for (const changes of Object.values(this.#changes)) changes.dispose();
  }
}
