import type { TakenQuery } from './engine/taken-query.ts';
import type { Failure, Words } from '../domain/failure.ts';
import type { FollowUp } from '../domain/session/followup.ts';
import type { RunEvent } from '../domain/event.ts';
import type { Json } from '../domain/data/json.ts';
import type { Memory, NewMemory } from '../domain/memory.ts';
import type {
  Attachment,
  Compaction,
  QueuedMessage,
  Session,
  SessionChannel,
  SessionMarks,
} from '../domain/session/session.ts';
import type { Checkpoint, LedgerEntry, Run } from '../domain/run.ts';
import type { LeaseOwner } from '../core/ports/store/leases.ts';
import type {
  FindQuery,
  MessageQuery,
  Place,
  Prompt,
  PromptQuery,
  SearchResult,
} from '../core/ports/store/transcripts.ts';
import type { UsageRecord, Write } from '../core/ports/store/recorder.ts';
import type { Rewind } from '../core/ports/store/session-states.ts';
import type {
  Admission,
  LinkedAccount,
  Person,
  PlannedRequest,
  UsageCall,
  UsageSum,
} from '../core/ports/store/person.ts';
import type { Cap, CapUse } from '../domain/budget.ts';
import type { Level } from '../domain/permissions/level.ts';
import type { UsageTotal } from '../core/ports/store/usage-totals.ts';
import type { EventQuery, EventRow } from './engine/event-records.ts';
import type { LedgerFilter, RunFilter } from './engine/runs/run-reads.ts';
import type { MessageRow } from './engine/sessions/session-reads.ts';
import type { ImportCall } from './engine/sessions/import-records.ts';
import type { ChannelRequest } from './engine/channels.ts';
import type { Fork } from './engine/sessions/fork.ts';
import type { Replacement, Snapshot } from './engine/snapshots.ts';

/** The calls to the store's worker: name → [parameters, result]; some JSON stays text. */

/** Joined with their neighbours into one transaction, each all or nothing by itself. */
export interface WriteCalls extends FollowUpCalls {
  commit: [readonly Write[], void];
  background: [Background, void];
  heartbeat: [{ readonly runIds: readonly string[]; readonly at: number }, void];
  setValue: [{ readonly key: string; readonly value: Json; readonly sessionId?: string }, void];
  /** `guard`: JSON text, `undefined` for none; false: it was another, and nothing is changed. */
  swapValues: [
    {
      readonly changes: readonly { readonly key: string; readonly value: Json }[];
      readonly guard: { readonly key: string; readonly text: string | undefined };
    },
    boolean,
  ];
  /** Gives the id of the thread's session. */
  openChannel: [ChannelRequest, string];
  markSession: [{ readonly sessionId: string; readonly marks: SessionMarks }, void];
  putResult: [{ readonly sessionId: string; readonly id: string; readonly text: string }, void];
}

/** Drafts and events: written when there is time, never waited for. */
export interface Background {
  readonly drafts: readonly {
    readonly sessionId: string;
    readonly messageId: string;
    readonly parts: Json;
  }[];
  readonly events: readonly RunEvent[];
  /** Of the process; events are ordered by epoch and seq. */
  readonly epoch: number;
}

/** Answered in the order of the calls, after the writes before them. */
export interface ReadCalls {
  sessions: [undefined, Session[]];
  session: [string, Session | undefined];
  messages: [MessageQuery, MessageRow[]];
  compactions: [string, Compaction[]];
  draft: [string, { readonly messageId: string; readonly parts: string } | undefined];
  events: [EventQuery, EventRow[]];
  eventPage: [
    { readonly sessionId: string; readonly after: number; readonly limit: number },
    EventRow[],
  ];
  search: [{ readonly query: string; readonly limit: number }, SearchResult];
  find: [FindQuery, Place[]];
  prompts: [PromptQuery, Prompt[]];
  run: [string, Run | undefined];
  runs: [RunFilter, Run[]];
  checkpoint: [string, Checkpoint | undefined];
  ledger: [LedgerFilter, LedgerEntry[]];
  ledgerEntry: [{ readonly runId: string; readonly callId: string }, LedgerEntry | undefined];
  queued: [string | undefined, QueuedMessage[]];
  usageSince: [number, UsageTotal];
  usageOf: [string, UsageRecord[]];
  value: [{ readonly key: string; readonly sessionId?: string }, string | undefined];
  values: [
    { readonly prefix: string; readonly sessionId?: string },
    { readonly key: string; readonly value: string }[],
  ];
  result: [
    {
      readonly sessionId: string;
      readonly id: string;
      readonly offset: number;
      readonly length: number;
    },
    { readonly text: string; readonly total: number } | undefined,
  ];
  results: [string, { readonly id: string; readonly total: number }[]];
  attachment: [{ readonly sessionId: string; readonly id: string }, Attachment | undefined];
  attachments: [string, string[]];
  children: [string, string[]];
  channels: [string, SessionChannel[]];
  /** The highest epoch of any process so far. */
  epoch: [undefined, number];
  snapshots: [string, Snapshot[]];
  /** A number that changes when another process has written. */
  dataVersion: [undefined, number];
  followUps: [undefined, FollowUp[]];
}

/** Each a transaction of its own, or none; may take longer without holding up the others. */
export interface TaskCalls {
  open: [OpenRequest, OpenReport];
  claim: [
    { readonly sessionId: string; readonly at: number; readonly force: boolean },
    { readonly owned: boolean; readonly owner?: LeaseOwner },
  ];
  release: [string, void];
  owner: [string, LeaseOwner | undefined];
  renew: [number, void];
  abandoned: [{ readonly olderThanMs: number; readonly at: number }, Run[]];
  deleteSession: [string, void];
  saveSnapshot: [
    {
      readonly sessionId: string;
      readonly id: string;
      readonly title: string;
      readonly at: number;
    },
    void,
  ];
  restoreSnapshot: [Replacement & { readonly snapshotId: string }, void];
  resetSession: [Replacement & { readonly sessionId: string }, void];
  rewindSession: [Rewind & Replacement, void];
  forkSession: [Fork, void];
  import: [ImportCall, void];
  taken: [TakenQuery, string[]];
  /** Makes some older messages findable; `true`: there are more. */
  indexStep: [undefined, boolean];
  takeEpoch: [{ readonly above: number }, number];
  /** The database was found damaged: moves it aside and salvages what is readable. */
  recover: [{ readonly at: number }, void];
  /** The person knows of what was lost. */
  closeLoss: [undefined, void];
  maintained: [{ readonly checkedAt?: number; readonly backedUpAt?: number }, void];
  close: [undefined, void];
}

/** Calls to the database of the person, each a transaction there. `at`: milliseconds since the epoch. */
export interface PersonCalls {
  person: [{ readonly level: Level; readonly at: number }, Person];
  reserve: [
    { readonly request: PlannedRequest; readonly caps: readonly Cap[]; readonly at: number },
    Admission,
  ];
  settle: [
    { readonly record: UsageRecord; readonly caps: readonly Cap[]; readonly at: number },
    CapUse[],
  ];
  releaseReserved: [{ readonly key: string; readonly at: number }, void];
  uses: [
    {
      readonly caps: readonly Cap[];
      readonly of: { readonly sessionId?: string; readonly runId?: string };
      readonly at: number;
    },
    CapUse[],
  ];
  usageSums: [{ readonly since: number; readonly at: number }, UsageSum[]];
  usageCalls: [number, UsageCall[]];
  accounts: [number, LinkedAccount[]];
  linkAccount: [{ readonly account: LinkedAccount; readonly at: number }, void];
  unlinkAccount: [
    { readonly account: Pick<LinkedAccount, 'provider' | 'id'>; readonly at: number },
    void,
  ];
}

/** Notes of the workspace and of the person. `at`: milliseconds since the epoch. */
export interface MemoryCalls {
  addMemory: [{ readonly memory: NewMemory; readonly at: number }, Memory];
  restoreMemory: [{ readonly memory: Memory; readonly at: number }, void];
  changeMemory: [{ readonly id: string; readonly text: string; readonly at: number }, boolean];
  removeMemory: [{ readonly id: string; readonly at: number }, Memory | undefined];
  recallMemories: [
    { readonly text: string; readonly limit: number; readonly at: number },
    Memory[],
  ];
  memories: [number, Memory[]];
}

/** Prompts that come back into their sessions. */
interface FollowUpCalls {
  addFollowUp: [FollowUp, void];
  changeFollowUp: [
    { readonly id: string; readonly to: Pick<FollowUp, 'prompt' | 'dueAt'> },
    boolean,
  ];
  removeFollowUp: [string, boolean];
  fireFollowUp: [{ readonly id: string; readonly now: number }, boolean];
}

export interface Calls extends WriteCalls, ReadCalls, TaskCalls, PersonCalls, MemoryCalls {}
export type Method = keyof Calls;

export interface OpenRequest {
  readonly folder: string;
  readonly busyTimeoutMs: number;
  /** Absent: a new one is taken from the database. Given after a restart of the worker. */
  readonly epoch?: number;
  readonly at: number;
  readonly vfs?: string;
  /** Where the database of the person is, and what this workspace is called there; absent: beside this one. */
  readonly person?: {
    readonly folder: string;
    readonly earlierFolder?: string;
    readonly name: string;
  };
}

export interface OpenReport {
  /** Counts the processes that ever opened this database; ids are made of it. */
  readonly epoch: number;
  readonly file: string;
  readonly journalMode: string;
  /** Checks that are due, in a thread of its own. */
  readonly checkDue: boolean;
  readonly backupDue: boolean;
  /** Older messages are not findable yet. */
  readonly indexDue: boolean;
  /** Something was lost, now or earlier, and nobody has said yet that they know. */
  readonly lost: boolean;
}

/** A fault for the person, and what was kept. `message`: what was wrong, what was kept, where the old files are. */
export interface StoreProblem extends Required<Words> {
  readonly kind:
    | 'salvaged'
    | 'damage_found'
    | 'journal_damaged'
    /** The files were deleted or replaced while they were open. */
    | 'database_gone'
    /** Something that holds no data of the person was made anew. */
    | 'rebuilt'
    | 'maintenance_failed'
    | 'worker_restarted';
  /** Records are missing, and it is not known which. */
  readonly lost?: boolean;
  /** Where damaged files are now. */
  readonly movedTo?: readonly string[];
  /** Records kept, by table. */
  readonly kept?: Readonly<Record<string, number>>;
}

export interface Request {
  readonly id: number;
  readonly method: Method;
  readonly params: unknown;
}

export type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: Failure };

export type FromWorker =
  | { readonly type: 'replies'; readonly replies: readonly Reply[] }
  | { readonly type: 'problem'; readonly problem: StoreProblem };
