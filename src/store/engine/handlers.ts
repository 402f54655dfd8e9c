import type { Calls, MemoryCalls, PersonCalls, ReadCalls, TaskCalls, WriteCalls } from '../rpc.ts';
import { one, type Connection } from '../database/connection.ts';
import { openChannel, readChannels } from './channels.ts';
import { applyBatch } from './commit.ts';
import {
  listAttachments,
  listResults,
  readAttachment,
  readResult,
  saveDraft,
  saveResult,
} from './content.ts';
import { closeLoss } from '../database/progress.ts';
import type { Engine } from './engine.ts';
import { readEventPage, readEvents, saveEvents } from './event-records.ts';
import { importStep, takenIds } from './sessions/import-records.ts';
import { claim, ownerOfSession, release, renew } from './runs/leases.ts';
import { abandonedRuns, readEpoch, takeEpochAbove } from './presence.ts';
import {
  readLatestCheckpoint,
  readLedger,
  readLedgerEntry,
  readRun,
  readRuns,
  readUsage,
  usageSince,
} from './runs/run-reads.ts';
import { beat } from './runs/run-writes.ts';
import { find, readPrompts, search } from './search.ts';
import { indexStep } from './search-index.ts';
import * as sessions from './sessions/session-reads.ts';
import { deleteSession, markSession } from './sessions/session-writes.ts';
import {
  addFollowUp,
  changeFollowUp,
  fireFollowUp,
  readFollowUps,
  removeFollowUp,
} from './followups.ts';
import { forkSession } from './sessions/fork.ts';
import {
  listSnapshots,
  resetSession,
  restoreSnapshot,
  rewindSession,
  saveSnapshot,
} from './snapshots.ts';
import { listValues, readValue, saveValue } from './values.ts';

type On<Subject, Table, Method extends keyof Table> = (
  subject: Subject,
  params: Table[Method] extends readonly [infer Params, unknown] ? Params : never,
) => Table[Method] extends readonly [unknown, infer Result] ? Result | Promise<Result> : never;

type Synchronous<Table, Method extends keyof Table> = (
  connection: Connection,
  params: Table[Method] extends readonly [infer Params, unknown] ? Params : never,
) => Table[Method] extends readonly [unknown, infer Result] ? Result : never;

/** Run inside a transaction that is open; anything thrown undoes this one call. */
export const WRITES: { readonly [Method in keyof WriteCalls]: Synchronous<WriteCalls, Method> } = {
  commit: applyBatch,
  background: (connection, { drafts, events, epoch }) => {
    for (const draft of drafts)
      saveDraft(connection, draft.sessionId, draft.messageId, draft.parts);
    saveEvents(connection, epoch, events);
  },
  heartbeat: (connection, { runIds, at }) => beat(connection, runIds, at),
  setValue: (connection, { key, value, sessionId }) => saveValue(connection, key, value, sessionId),
  swapValues: (connection, { changes, guard }) => {
    if (readValue(connection, guard.key) !== guard.text) return false;
    for (const { key, value } of changes) saveValue(connection, key, value);
    return true;
  },
  openChannel,
  markSession: (connection, { sessionId, marks }) => markSession(connection, sessionId, marks),
  putResult: (connection, { sessionId, id, text }) => saveResult(connection, sessionId, id, text),
  addFollowUp,
  changeFollowUp: (connection, { id, to }) => changeFollowUp(connection, id, to),
  removeFollowUp,
  fireFollowUp: (connection, { id, now }) => fireFollowUp(connection, id, now),
};

export const READS: { readonly [Method in keyof ReadCalls]: Synchronous<ReadCalls, Method> } = {
  sessions: sessions.readSessions,
  session: sessions.readSession,
  messages: sessions.readMessages,
  compactions: sessions.readCompactions,
  draft: sessions.readDraft,
  events: readEvents,
  eventPage: (connection, { sessionId, after, limit }) =>
    readEventPage(connection, sessionId, after, limit),
  search: (connection, { query, limit }) => search(connection, query, limit),
  find,
  prompts: readPrompts,
  run: readRun,
  runs: readRuns,
  checkpoint: readLatestCheckpoint,
  ledger: readLedger,
  ledgerEntry: (connection, { runId, callId }) => readLedgerEntry(connection, runId, callId),
  queued: sessions.readQueued,
  usageSince,
  usageOf: readUsage,
  value: (connection, { key, sessionId }) => readValue(connection, key, sessionId),
  values: (connection, { prefix, sessionId }) => listValues(connection, prefix, sessionId),
  result: (connection, { sessionId, id, offset, length }) =>
    readResult(connection, sessionId, id, offset, length),
  results: listResults,
  attachment: (connection, { sessionId, id }) => readAttachment(connection, sessionId, id),
  attachments: listAttachments,
  children: sessions.readChildren,
  channels: readChannels,
  epoch: readEpoch,
  snapshots: listSnapshots,
  followUps: readFollowUps,
  dataVersion: (connection) =>
    one<{ data_version: number }>(connection, 'PRAGMA data_version').data_version,
};

const TASKS: { readonly [Method in keyof TaskCalls]: On<Engine, TaskCalls, Method> } = {
  open: (engine, request) => engine.open(request),
  claim: ({ connection, watch }, { sessionId, at, force }) =>
    claim(connection, watch, { sessionId, at, force }),
  release: (engine, sessionId) => release(engine.connection, sessionId),
  owner: (engine, sessionId) => ownerOfSession(engine.connection, engine.watch, sessionId),
  renew: (engine, at) => renew(engine.connection, at),
  abandoned: (engine, { olderThanMs, at }) =>
    abandonedRuns(engine.connection, engine.watch, olderThanMs, at),
  deleteSession: (engine, id) => deleteSession(engine.connection, id),
  saveSnapshot: (engine, request) =>
    engine.connection.transaction(() =>
      saveSnapshot(engine.connection, { ...request, kind: 'saved' }),
    ),
  restoreSnapshot: ({ connection }, { snapshotId, ...replacement }) =>
    connection.transaction(() => restoreSnapshot(connection, snapshotId, replacement)),
  resetSession: ({ connection }, { sessionId, ...replacement }) =>
    connection.transaction(() => resetSession(connection, sessionId, replacement)),
  rewindSession: ({ connection }, rewind) =>
    connection.transaction(() => rewindSession(connection, rewind)),
  forkSession: ({ connection }, fork) =>
    connection.transaction(() => forkSession(connection, fork)),
  import: (engine, call) => importStep(engine.connection, call),
  indexStep: ({ connection }) => connection.transaction(() => indexStep(connection)),
  takeEpoch: (engine, { above }) => takeEpochAbove(engine.connection, above),
  taken: (engine, query) => takenIds(engine.connection, query),
  recover: (engine, { at }) => engine.recover(at, 'a check found damage'),
  closeLoss: (engine) => closeLoss(engine.connection),
  maintained: (engine, done) => engine.maintained(done),
  close: (engine) => engine.close(),
};

/** Over all workspaces; each opens the database of the person if it is not open yet. */
const PERSON: { readonly [Method in keyof PersonCalls]: On<Engine, PersonCalls, Method> } = {
  person: ({ person }, asked) => person.person(asked),
  reserve: async ({ person }, asked) => person.reserve(asked),
  settle: ({ person }, given) => person.settle(given),
  releaseReserved: ({ person }, given) => person.release(given),
  uses: ({ person }, asked) => person.uses(asked),
  usageSums: ({ person }, asked) => person.sums(asked),
  usageCalls: ({ person }, at) => person.calls(at),
  accounts: ({ person }, at) => person.accounts(at),
  linkAccount: ({ person }, given) => person.link(given),
  unlinkAccount: ({ person }, given) => person.unlink(given),
};

const MEMORIES: { readonly [Method in keyof MemoryCalls]: On<Engine, MemoryCalls, Method> } = {
  addMemory: ({ person }, given) => person.memories.add(given),
  restoreMemory: ({ person }, given) => person.memories.restore(given),
  changeMemory: ({ person }, given) => person.memories.change(given),
  removeMemory: ({ person }, given) => person.memories.remove(given),
  recallMemories: ({ person }, asked) => person.memories.recall(asked),
  memories: ({ person }, at) => person.memories.all(at),
};

/** All that is neither a write nor a read of the workspace. */
export const OTHERS = { ...TASKS, ...PERSON, ...MEMORIES };

export function isWrite(method: keyof Calls): method is keyof WriteCalls {
  return Object.hasOwn(WRITES, method);
}

export function isRead(method: keyof Calls): method is keyof ReadCalls {
  return Object.hasOwn(READS, method);
}
