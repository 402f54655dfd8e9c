import { pathToFileURL } from 'node:url';
import type { Blobs } from '../core/ports/store/blobs.ts';
import type { Channels } from '../core/ports/store/channels.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Disposable } from '../domain/lifetime/disposable.ts';
import type { Ids } from '../core/ports/ids.ts';
import type { FollowUpRecords } from '../core/ports/store/followups.ts';
import type { Leases } from '../core/ports/store/leases.ts';
import type { Log } from '../core/ports/log.ts';
import type { MemoryRecords } from '../core/ports/store/memories.ts';
import type { PersonRecords } from '../core/ports/store/person.ts';
import type { Recorder } from '../core/ports/store/recorder.ts';
import type { RunRecords } from '../core/ports/store/run-records.ts';
import type { Transcripts } from '../core/ports/store/transcripts.ts';
import type { UsageTotals } from '../core/ports/store/usage-totals.ts';
import type { SharedValues } from '../core/ports/store/shared-values.ts';
import { BackgroundWriter } from './background-writer.ts';
import { Client } from './client.ts';
import { CounterIds } from './ids.ts';
import { Maintenance } from './maintenance-thread.ts';
import {
  blobsOver,
  followUpsOver,
  channelsOver,
  leasesOver,
  memoriesOver,
  personOver,
  recorderOver,
  runRecordsOver,
  transcriptsOver,
  usageOver,
  valuesOver,
} from './ports.ts';
import { Problems } from './problems.ts';
import type { StoreProblem } from './rpc.ts';
import { snapshotsOver, type Snapshots } from './snapshots.ts';
import { SessionTransfer } from './transfer/session-transfer.ts';
import { watchDatabase } from './watch.ts';

export type { StoreProblem } from './rpc.ts';
export type { Snapshots } from './snapshots.ts';

export interface StoreOptions {
  /** The folder of the database, absolute; made when it is missing. */
  readonly folder: string;
  /** `dist/store-worker.cjs` (absolute), or the URL of the source in tests. */
  readonly worker: string | URL;
  /** The folder of the person's database, absolute, the one of an earlier version, and what this workspace is called there; absent: beside the other. */
  readonly person?: {
    readonly folder: string;
    readonly earlierFolder?: string;
    readonly name: string;
  };
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds to wait when another window writes; the setting `advanced.databaseTimeoutSeconds`. */
  readonly busyTimeoutMs?: number;
  /** SQLite's locking method; only where the system's own does not work. */
  readonly vfs?: string;
}

/** The durable memory of a workspace. Every method may reject with `BelayError` code `store`. */
export interface Store {
  readonly recorder: Recorder;
  readonly transcripts: Transcripts;
  readonly channels: Channels;
  readonly runs: RunRecords;
  readonly leases: Leases;
  readonly usage: UsageTotals;
  /** Records that count over all workspaces of the person. */
  readonly person: PersonRecords;
  /** Notes that outlive their session. */
  readonly memories: MemoryRecords;
  /** Prompts that come back into their sessions. */
  readonly followUps: FollowUpRecords;
  readonly blobs: Blobs;
  readonly ids: Ids;
  readonly values: SharedValues;
  readonly snapshots: Snapshots;
  readonly transfer: SessionTransfer;
  /** The count of this database's openings; part of every id. */
  readonly epoch: number;
  readonly file: string;
  /** `wal`, or `delete` on a network drive. */
  readonly journalMode: string;
  /** All faults so far, for the person. */
  readonly problems: readonly StoreProblem[];
  /** Something of the record was lost, now or before an earlier start, and nobody has said that they know. */
  readonly lost: boolean;
  /** The person knows of what was lost: the next start says nothing of it any more. */
  acknowledgeLoss(): Promise<void>;
  /** Hears of problems from now on. */
  onProblem(listener: (problem: StoreProblem) => void): Disposable;
  /** Calls `listener` soon (about 0.5 s) after another window has written; for one that watches. */
  watch(listener: () => void): Disposable;
  /** Writes what is still waiting, closes the database and ends its thread. */
  close(): Promise<void>;
}

/** Milliseconds that a commit waits for another window, unless the setting says otherwise. */
const BUSY_TIMEOUT = 5000;

/** Opens a folder's store: creates, migrates or rescues it. Fails with `store`. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { clock, log } = options;
  const worker =
    typeof options.worker === 'string' ? pathToFileURL(options.worker) : options.worker;
  const problems = new Problems(log);
  const tell = (problem: StoreProblem): void => problems.tell(problem);
  const client = new Client({
    worker,
    open: {
      folder: options.folder,
      busyTimeoutMs: options.busyTimeoutMs ?? BUSY_TIMEOUT,
      at: clock.now(),
      ...(options.person === undefined ? {} : { person: options.person }),
      ...(options.vfs === undefined ? {} : { vfs: options.vfs }),
    },
    onProblem: tell,
  });
  const report = await client.open().catch(async (error: unknown) => {
    await client.close().catch(() => {});
    throw error;
  });
  const background = new BackgroundWriter({
    clock,
    log,
    epoch: report.epoch,
    write: (given) => client.call('background', given),
  });
  const maintenance = new Maintenance({ client, clock, log, folder: options.folder, worker, tell });
  maintenance.plan(report);
  if (report.indexDue) maintenance.index();
  const recorder = recorderOver(client, background);
  return {
    ...portsOver(client, clock, report.epoch),
    recorder,
    epoch: report.epoch,
    file: report.file,
    journalMode: report.journalMode,
    problems: problems.told,
    lost: report.lost,
    acknowledgeLoss: () => client.call('closeLoss', undefined),
    onProblem: (listener) => problems.listen(listener),
    watch: (listener) => watchDatabase(client, clock, listener),
    close: async () => {
      if (client.closed) return;
      maintenance.dispose();
      try {
        await recorder.flush();
      } finally {
        background.dispose();
        await client.close();
      }
    },
  };
}

/** Everything that only asks the worker. */
function portsOver(client: Client, clock: Clock, epoch: number) {
  const ids = new CounterIds(epoch);
  return {
    transcripts: transcriptsOver(client, clock, epoch),
    channels: channelsOver(client, clock),
    runs: runRecordsOver(client, clock),
    leases: leasesOver(client, clock),
    usage: usageOver(client),
    person: personOver(client, clock),
    memories: memoriesOver(client, clock),
    followUps: followUpsOver(client),
    blobs: blobsOver(client),
    ids,
    values: valuesOver(client),
    snapshots: snapshotsOver(client, clock, ids),
    transfer: new SessionTransfer(client, ids, epoch),
  };
}
