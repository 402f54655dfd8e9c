import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { Content, FileReview } from '../model/file-review.ts';
import { unsettled } from '../model/hunks.ts';
import { type Selected, sortByPath } from '../model/selected-changes.ts';
import { CallOutcomes } from '../storage/call-outcomes.ts';
import { DecisionJournal } from '../storage/decision-journal.ts';
import { dropStoredProposals } from '../storage/dropped-proposals.ts';
import { FileLocks } from '../storage/file-locks.ts';
import { ReviewNotices } from '../storage/review-notices.ts';
import { ReviewStore } from '../storage/review-store.ts';
import { StashedReviews } from '../storage/stashed-reviews.ts';
import { UnlistedNotes } from '../storage/unlisted-notes.ts';
import { AgentEdits } from './edits/agent-edits.ts';
import { DecisionRecovery } from './decisions/decision-recovery.ts';
import { Decisions } from './decisions/decisions.ts';
import { FileTracker } from './file-tracker.ts';
import { PendingChanges } from './pending-changes.ts';
import { PersonEdits } from './edits/person-edits.ts';
import { renamedBack } from './renamed-back.ts';
import { ReviewDisk } from './review-disk.ts';
import { ReviewFiles } from './review-files.ts';
import { ReviewRecords } from './review-records.ts';
import type { ReviewsParts } from './reviews-parts.ts';
import { Turns } from './turns.ts';

export type { Selected };

/**
 * All pending changes of the workspace, and the decisions about them. What is reported here is on disk when the
 * promise resolves. A decision is done to the file, or everything stays pending.
 */
export class Reviews implements Disposable {
  readonly agent: AgentEdits;
  readonly files: ReviewFiles;
  readonly decisions: Decisions;
  readonly records: ReviewRecords;
  readonly #changes: PendingChanges;
  readonly #parked: StashedReviews;
  readonly #tracker: FileTracker;
  readonly #turns: Turns;
  readonly #parts: ReviewsParts;

  constructor(parts: ReviewsParts) {
    const { values, clock, log, writer = '' } = parts;
    const disk = new ReviewDisk(parts);
    const turns = new Turns();
    const journal = new DecisionJournal(values, writer);
    const recovery = new DecisionRecovery({ journal, disk, log });
    const unlisted = new UnlistedNotes(values, log);
    const onDropped = (path: string): void => unlisted.addDropped(path);
    const parked = new StashedReviews({ values, clock, log, onDropped });
    const changes = new PendingChanges({
      clock,
      log,
      store: new ReviewStore(values, writer),
      read: async ({ path }): Promise<Content> => (await disk.now(path)).content,
      recover: async (review, isTaken) =>
        (await recovery.recovered(review)) ?? (isTaken ? undefined : renamedBack(disk, review)),
      changedOutside: (before, after) => parked.changed(before, after),
    });
    const personEdits = new PersonEdits();
    const tracker = new FileTracker({ changes, parked, disk, turns, clock, log });
    const outcomes = new CallOutcomes(values, log, async (path) => (await disk.now(path)).content);
    const news = new ReviewNotices(values, writer);
    const locks = new FileLocks({ values, clock, writer });
    const records = { outcomes, news, parked };
    const about = { changes, disk, tracker, personEdits, turns, log };
    this.decisions = new Decisions({ ...about, journal, locks, records });
    this.files = new ReviewFiles({ changes, disk, tracker, outcomes, personEdits, turns });
    this.agent = new AgentEdits(changes, this.files);
    this.records = new ReviewRecords({ changes, outcomes, unlisted, news, parked });
    this.#changes = changes;
    this.#parked = parked;
    this.#turns = turns;
    this.#tracker = tracker;
    this.#parts = parts;
    changes.onChange((path) => outcomes.reviewIs(path, changes.get(path)));
  }

  /** Takes up what was pending when the last window closed or crashed. */
  async load(): Promise<void> {
    await this.#parked.load();
    await Promise.all([this.#changes.earlier.load(), this.records.load()]);
    await dropStoredProposals(this.#parts.values, this.records.unlisted);
    await this.decisions.load();
    this.#tracker.lookForParked();
  }

  /** Takes over what other windows on the workspace have stored; after each of their changes. */
  async refresh(): Promise<void> {
    await this.#changes.shared.refresh(this.#turns);
    await Promise.all([this.#parked.load(), this.records.load(), this.records.outcomes.refresh()]);
  }

  /** Files with pending changes, by path. */
  get pending(): readonly FileReview[] {
    return sortByPath(this.#changes.files);
  }

  /** Returns the pending changes of a file; `undefined` when there are none. */
  find(path: string): FileReview | undefined {
    return unsettled(this.#changes.get(path));
  }

  /** Reports every file whose pending changes are others, perhaps several times at once. */
  onChange(listener: (path: string) => void): Disposable {
    return this.#changes.onChange(listener);
  }

  async flush(): Promise<void> {
    await this.#tracker.flush();
    await this.#changes.shared.flush();
    await this.records.unlisted.flush();
  }

  /** Unsaved changes are lost: `flush` first. */
  dispose(): void {
    this.#tracker.dispose();
    this.#changes.dispose();
  }
}
