import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileSystem } from '../../ports/files/file-system.ts';
import type { KeptContents } from '../../ports/files/kept-contents.ts';
import type { TextEncodings } from '../../ports/files/text-encodings.ts';
import type { Log } from '../../ports/log.ts';
import type { Leases } from '../../ports/store/leases.ts';
import type { SharedValues } from '../../ports/store/shared-values.ts';
import type { FileReview } from '../model/file-review.ts';
import { type Selected, sortByPath } from '../model/selected-changes.ts';
import { CallOutcomes } from '../storage/call-outcomes.ts';
import { LostChanges } from '../storage/lost-changes.ts';
import { PendingTable } from '../storage/pending-table.ts';
import { ReviewNotices } from '../storage/review-notices.ts';
import { Stash } from '../storage/stash.ts';
import { UserEdits } from '../commands/user-edits.ts';
import { DecisionLog } from '../storage/decision-log.ts';
import { AgentEdits } from './agent-edits.ts';
import { Decisions } from './decisions.ts';
import { PendingChanges } from './pending-changes.ts';
import { Redo } from './redo.ts';
import { ReviewDisk } from './review-disk.ts';
import { ReviewFiles } from './review-files.ts';
import { ReviewRecords } from './review-records.ts';
import { WorkspaceOwner } from './workspace-owner.ts';

export type { Selected };

interface ReviewsParts {
  readonly values: SharedValues;
  /** Tells this process's changes from those of others and of earlier ones: the store's epoch. */
  readonly writer?: string;
  readonly files: FileSystem;
  readonly encodings?: TextEncodings | undefined;
  readonly kept?: KeptContents | undefined;
  /** Absent: this process decides about the changes. */
  readonly leases?: Pick<Leases, 'claim' | 'release'> | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * All pending changes of the workspace, and the decisions about them. What is reported here is on disk when the
 * promise resolves. A decision is done to the file, or everything stays pending.
 */
export class Reviews implements Disposable {
  readonly agent: AgentEdits;
  readonly files: ReviewFiles;
  readonly decisions: Decisions;
  readonly records: ReviewRecords;
  readonly redo: Redo;
  readonly owner: WorkspaceOwner;
  readonly #changes: PendingChanges;
  readonly #table: PendingTable;
  readonly #stash: Stash;
  readonly #log: Log;

  constructor(parts: ReviewsParts) {
    const { values, clock, log, writer = '' } = parts;
    const disk = new ReviewDisk(parts);
    const table = new PendingTable(values, writer);
    const stash = new Stash({ values, clock, log });
    const owner = new WorkspaceOwner(parts.leases);
    this.owner = owner;
    const stores = (): boolean => !owner.isElsewhere;
    const changes = new PendingChanges({ table, clock, log, stores });
    const lost = new LostChanges();
    const onLost = ({ path }: FileReview): void => lost.add(path);
    const userEdits = new UserEdits();
    const outcomes = new CallOutcomes({ values, log, find: (path) => changes.get(path) });
    const news = new ReviewNotices(values, writer);
    const decided = new DecisionLog(values, clock);
    const files = new ReviewFiles({ changes, stash, disk, userEdits, onLost });
    this.files = files;
    this.agent = new AgentEdits({ changes, files, stash });
    this.decisions = new Decisions({
      changes,
      decided,
      files,
      outcomes,
      owner,
      news,
      stash,
      log,
    });
    this.redo = new Redo({ changes, owner, files, log: decided, stash });
    this.records = new ReviewRecords({ changes, decided, outcomes, lost, news, stash });
    this.#changes = changes;
    this.#table = table;
    this.#stash = stash;
    this.#log = log;
  }

  /** Takes up what was pending when the last window closed or crashed. */
  async load(): Promise<void> {
    await Promise.all([this.owner.look(), this.#stash.load(), this.records.load()]);
    const { rows, unreadable } = await this.#table.load();
    for (const path of unreadable)
      this.#log.warn('Pending changes of a file are in the form of another version.', { path });
    for (const row of rows)
      await this.files.takeUp(row).catch((thrown: unknown) => {
        this.#log.error(`${row.path} could not be read; its changes stay pending.`, thrown);
        this.#changes.add(row);
      });
  }

  /** Takes over what other processes on the workspace have stored; after each of their changes. */
  async refresh(): Promise<void> {
    await this.owner.look();
    const paths = await this.#table.changedElsewhere();
    if (paths.length > 0) await this.#stash.load();
    for (const path of paths)
      await this.files.inTurn(path, async () => {
        await this.#changes.adopt(path);
        await this.files.fileChanged(path);
      });
    await Promise.all([this.records.load(), this.records.outcomes.refresh()]);
  }

  /** Files with pending changes, by path. */
  get pending(): readonly FileReview[] {
    return sortByPath(this.#changes.all);
  }

  /** Returns the pending changes of a file; `undefined` when there are none. */
  find(path: string): FileReview | undefined {
    return this.#changes.get(path);
  }

  /** Reports every file whose pending changes are others, perhaps several times at once. */
  onChange(listener: (path: string) => void): Disposable {
    return this.#changes.onChange(listener);
  }

  async flush(): Promise<void> {
    await this.#stash.flush();
    await this.#changes.flush();
  }

  /** Rows that are not stored yet are lost: `flush` first. */
  dispose(): void {
    this.#changes.dispose();
  }
}
