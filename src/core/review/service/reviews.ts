import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { FileReview } from '../model/file-review.ts';
import { unsettled } from '../model/hunks.ts';
import { byPath, KINDS, STORED_KINDS } from '../model/review-kinds.ts';
import type { PendingReview, ReviewKind, Selected, StoredReview } from '../model/review-kinds.ts';
import { AskedDrafts } from '../storage/asked-drafts.ts';
import { CallOutcomes } from '../storage/call-outcomes.ts';
import { DecisionJournal } from '../storage/decision-journal.ts';
import { FileLocks } from '../storage/file-locks.ts';
import { ReviewNotices } from '../storage/review-notices.ts';
import { StashedReviews } from '../storage/stashed-reviews.ts';
import { UnlistedNotes } from '../storage/unlisted-notes.ts';
import { AcceptedProposals } from './decisions/accepted-proposals.ts';
import { AgentEdits } from './edits/agent-edits.ts';
import { AskedEdits } from './edits/asked-edits.ts';
import { DecisionRecovery } from './decisions/decision-recovery.ts';
import { Decisions } from './decisions/decisions.ts';
import { FileTracker } from './file-tracker.ts';
import { askedChanges, listPending, proposedChanges, writtenChanges } from './pending-of-kind.ts';
import type { PendingByKind } from './pending-of-kind.ts';
import { PersonEdits } from './edits/person-edits.ts';
import { ReviewDisk } from './review-disk.ts';
import { ReviewFiles } from './review-files.ts';
import { ReviewRecords } from './review-records.ts';
import type { ReviewsParts } from './reviews-parts.ts';
import { Turns } from './turns.ts';
import { UndoneAcceptances } from './decisions/undone-acceptances.ts';

export type { PendingReview, ReviewKind, Selected };

/**
 * All pending changes of the workspace, and the decisions about them. What is told here is on disk when
 * the promise resolves; a decision is done to the file, or everything stays pending.
 */
export class Reviews implements Disposable {
  readonly agent: AgentEdits;
  readonly files: ReviewFiles;
  readonly decisions: Decisions;
  readonly records: ReviewRecords;
  readonly #changes: PendingByKind;
  readonly #parked: StashedReviews;
  readonly #tracker: FileTracker;
  readonly #turns: Turns;

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
    const drafts = new AskedDrafts(values, clock);
    const asked = new AskedEdits(drafts, (store) => askedChanges(stored, store));
    const changes = {
      written: writtenChanges(stored),
      proposed: proposedChanges(stored),
      asked: asked.changes,
    };
    const undone = new UndoneAcceptances();
    const personEdits = new PersonEdits();
    const tracker = new FileTracker({ changes, asked, parked, disk, undone, turns, clock, log });
    const outcomes = new CallOutcomes(values, log, async (path) => (await disk.now(path)).content);
    const news = new ReviewNotices(values, writer);
    const locks = new FileLocks({ values, clock, writer });
    const records = { outcomes, news, parked };
    const decided = { journal, accepted, locks, records, undone };
    const about = { changes, asked, disk, tracker, personEdits, turns, log };
    this.decisions = new Decisions({ ...about, ...decided });
    this.files = new ReviewFiles({ changes, disk, tracker, outcomes, personEdits, turns });
    this.agent = new AgentEdits(changes, this.files, asked);
    this.records = new ReviewRecords({ changes, outcomes, unlisted, news, parked });
    this.#changes = changes;
    this.#parked = parked;
    this.#turns = turns;
    this.#tracker = tracker;
    for (const kind of STORED_KINDS)
      changes[kind].onChange((path) => outcomes.reviewIs(kind, path, changes[kind].get(path)));
  }

  /** Takes up what was pending when the last window closed or crashed. */
  async load(): Promise<void> {
    await this.#parked.load();
    await Promise.all([
      this.#changes.written.earlier.load(),
      this.#changes.proposed.earlier.load(),
      this.records.load(),
    ]);
    await this.decisions.load();
    this.#tracker.lookForParked();
  }

  /** Takes over what other windows on the workspace have stored; after each of their changes. */
  async refresh(): Promise<void> {
    await Promise.all(
      STORED_KINDS.map(async (kind) => this.#changes[kind].shared.refresh(this.#turns)),
    );
    await Promise.all([this.#parked.load(), this.records.load(), this.records.outcomes.refresh()]);
  }

  /** Files with something pending, by path; of one path the written changes come first. */
  get pending(): readonly StoredReview[] {
    return listPending(this.#changes);
  }

  /** All that can be decided: what is pending, and the edits about which calls ask. */
  get decidable(): readonly PendingReview[] {
    const asked = this.#changes.asked.files.map((review) => ({ kind: 'asked' as const, review }));
    return asked.length === 0 ? this.pending : byPath([...this.pending, ...asked]);
  }

  /** `undefined` when nothing is pending there. Settled ones are left out, but for one that a call waits for. */
  find(kind: ReviewKind, path: string): FileReview | undefined {
    const review = this.#changes[kind].get(path);
    return kind === 'asked' ? review : unsettled(review);
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

  async flush(): Promise<void> {
    await this.#tracker.flush();
    await Promise.all(Object.values(this.#changes).map((changes) => changes.shared.flush()));
    await this.records.unlisted.flush();
  }

  /** Unsaved changes are lost: `flush` first. */
  dispose(): void {
    this.#tracker.dispose();
    for (const changes of Object.values(this.#changes)) changes.dispose();
  }
}
