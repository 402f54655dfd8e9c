import { categoryOf } from '../domain/event-catalog.ts';
import type { RunEvent } from '../domain/event.ts';
import { currentParts } from '../domain/models/replay.ts';
import type { Json } from '../domain/data/json.ts';
import { Turn } from '../domain/lifetime/steps.ts';
import type { Message, Origin, Part, Role, Usage } from '../domain/message.ts';
import type { Blobs } from '../core/ports/store/blobs.ts';
import type { Channels } from '../core/ports/store/channels.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { FollowUpRecords } from '../core/ports/store/followups.ts';
import type { Leases } from '../core/ports/store/leases.ts';
import type { MemoryRecords } from '../core/ports/store/memories.ts';
import type { PersonRecords } from '../core/ports/store/person.ts';
import type { Recorder } from '../core/ports/store/recorder.ts';
import type { RunRecords } from '../core/ports/store/run-records.ts';
import type { Transcripts } from '../core/ports/store/transcripts.ts';
import type { UsageTotals } from '../core/ports/store/usage-totals.ts';
import type { SharedValues } from '../core/ports/store/shared-values.ts';
import type { BackgroundWriter } from './background-writer.ts';
import type { Client } from './client.ts';
import { optional, same, stored } from './engine/columns.ts';
import type { EventRow } from './engine/event-records.ts';
import type { MessageRow } from './engine/sessions/session-reads.ts';
import { reasonOf } from './database/failures.ts';

/** The ports of the core over the worker: each method is one request. */

export function recorderOver(client: Client, background: BackgroundWriter): Recorder {
  return {
    commit: (writes) => {
      background.supersede(writes);
      return client.call('commit', writes);
    },
    draft: (sessionId, messageId, parts) => background.draft(sessionId, messageId, parts),
    events: (events) => background.events(events),
    flush: async () => {
      await background.flush();
      // Answered after everything before it.
      await client.call('commit', []);
    },
  };
}

/** @param epoch of this process, whose events can be read from one on */
export function transcriptsOver(client: Client, clock: Clock, epoch: number): Transcripts {
  return {
    sessions: () => client.call('sessions', undefined),
    session: (id) => client.call('session', id),
    messages: (query) =>
      reading(client, clock, async () => (await client.call('messages', query)).map(messageFrom)),
    compactions: (sessionId) => client.call('compactions', sessionId),
    draftOf: (sessionId) =>
      reading(client, clock, async () => {
        const draft = await client.call('draft', sessionId);
        return draft && { messageId: draft.messageId, parts: stored<Json>(draft.parts) };
      }),
    events: (sessionId, afterSeq, limit) =>
      reading(client, clock, async () => {
        const query = {
          sessionId,
          ...optional('after', afterSeq, (seq: number) => ({ epoch, seq })),
          ...optional('limit', limit, same),
        };
        return (await client.call('events', query)).map(eventFrom);
      }),
    search: (query, limit) => client.call('search', { query, limit }),
    find: (query) => reading(client, clock, () => client.call('find', query)),
    prompts: (query) => reading(client, clock, () => client.call('prompts', query)),
    markSession: (sessionId, marks) => client.call('markSession', { sessionId, marks }),
    deleteSession: (id) => client.call('deleteSession', id),
  };
}

/** Text that is no JSON any more is damage that only shows here: it is repaired, and read once more. */
async function reading<Result>(
  client: Client,
  clock: Clock,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (reasonOf(error) !== 'damaged') throw error;
    await client.call('recover', { at: clock.now() });
    return read();
  }
}

/** A message as stored. */
export function messageFrom(row: MessageRow): Message {
  return {
    id: row.id,
    sessionId: row.session_id,
    ...optional('runId', row.run_id, same),
    seq: row.seq,
    role: row.role as Role,
    ...optional('origin', row.origin, (origin) => origin as Origin),
    parts: currentParts(stored<Part[]>(row.parts)),
    ...optional('model', row.model, same),
    ...optional('usage', row.usage, (usage) => stored<Usage>(usage)),
    createdAt: row.created_at,
  };
}

/** An event as stored; one whose message is gone has that message without content. */
export function eventFrom(row: EventRow): RunEvent {
  const body = stored<object>(row.body);
  const message = row.message === undefined ? {} : { message: messageFrom(row.message) };
  const result = row.result === undefined ? {} : { result: stored<object>(row.result) };
  return {
    type: row.type,
    ...body,
    ...message,
    ...result,
    seq: row.seq,
    sessionId: row.session_id,
    runId: row.run_id,
    at: row.at,
    category: categoryOf(row.type),
  } as RunEvent;
}

export function runRecordsOver(client: Client, clock: Clock): RunRecords {
  return {
    run: (runId) => client.call('run', runId),
    runs: (filter) => client.call('runs', filter),
    latestCheckpoint: (runId) => client.call('checkpoint', runId),
    ledger: (filter) => client.call('ledger', filter),
    ledgerEntry: (runId, callId) => client.call('ledgerEntry', { runId, callId }),
    queued: (sessionId) => client.call('queued', sessionId),
    heartbeat: (runIds, at) => client.call('heartbeat', { runIds, at }),
    abandoned: (olderThanMs) => client.call('abandoned', { olderThanMs, at: clock.now() }),
  };
}

export function leasesOver(client: Client, clock: Clock): Leases {
  return {
    claim: (sessionId, force = false) =>
      client.call('claim', { sessionId, at: clock.now(), force }),
    release: (sessionId) => client.call('release', sessionId),
    owner: (sessionId) => client.call('owner', sessionId),
    renew: () => client.call('renew', clock.now()),
  };
}

export function usageOver(client: Client): UsageTotals {
  return {
    total: (sinceMs) => client.call('usageSince', sinceMs),
    records: (sessionId) => client.call('usageOf', sessionId),
  };
}

export function personOver(client: Client, clock: Clock): PersonRecords {
  return {
    person: (level) => client.call('person', { level, at: clock.now() }),
    reserve: (request, caps) => client.call('reserve', { request, caps, at: clock.now() }),
    settle: (record, caps) => client.call('settle', { record, caps, at: clock.now() }),
    release: (key) => client.call('releaseReserved', { key, at: clock.now() }),
    uses: (caps, of) => client.call('uses', { caps, of, at: clock.now() }),
    sums: (since) => client.call('usageSums', { since, at: clock.now() }),
    calls: () => client.call('usageCalls', clock.now()),
    accounts: () => client.call('accounts', clock.now()),
    link: (account) => client.call('linkAccount', { account, at: clock.now() }),
    unlink: (account) => client.call('unlinkAccount', { account, at: clock.now() }),
  };
}

export function memoriesOver(client: Client, clock: Clock): MemoryRecords {
  return {
    add: (memory) => client.call('addMemory', { memory, at: clock.now() }),
    restore: (memory) => client.call('restoreMemory', { memory, at: clock.now() }),
    change: (id, text) => client.call('changeMemory', { id, text, at: clock.now() }),
    remove: (id) => client.call('removeMemory', { id, at: clock.now() }),
    recall: (text, limit) => client.call('recallMemories', { text, limit, at: clock.now() }),
    all: () => client.call('memories', clock.now()),
  };
}

export function followUpsOver(client: Client): FollowUpRecords {
  return {
    add: (followUp) => client.call('addFollowUp', followUp),
    all: () => client.call('followUps', undefined),
    change: (id, to) => client.call('changeFollowUp', { id, to }),
    remove: (id) => client.call('removeFollowUp', id),
    fire: (id, now) => client.call('fireFollowUp', { id, now }),
  };
}

export function channelsOver(client: Client, clock: Clock): Channels {
  return {
    open: (key, session) => client.call('openChannel', { key, session, at: clock.now() }),
    of: (sessionId) => client.call('channels', sessionId),
  };
}

export function blobsOver(client: Client): Blobs {
  return {
    putResult: (sessionId, id, text) => client.call('putResult', { sessionId, id, text }),
    result: (sessionId, id, offset, length) =>
      client.call('result', { sessionId, id, offset, length }),
    attachment: (sessionId, id) => client.call('attachment', { sessionId, id }),
  };
}

export function valuesOver(client: Client): SharedValues {
  return {
    get: async (key, sessionId) => {
      const text = await client.call('value', { key, ...optional('sessionId', sessionId, same) });
      return text === undefined ? undefined : stored<Json>(text);
    },
    set: (key, value, sessionId) =>
      client.call('setValue', { key, value, ...optional('sessionId', sessionId, same) }),
    // Thousands of large ones are read in turns with others.
    list: async (prefix, sessionId) => {
      const entries = await client.call('values', {
        prefix,
        ...optional('sessionId', sessionId, same),
      });
      const turn = new Turn();
      const found: { readonly key: string; readonly value: Json }[] = [];
      for (const { key, value } of entries) {
        found.push({ key, value: stored<Json>(value) });
        if (turn.isOver) await turn.pass();
      }
      return found;
    },
    swap: (changes, { key, value }) => {
      const text = value === undefined ? undefined : JSON.stringify(value);
      return client.call('swapValues', { changes, guard: { key, text } });
    },
  };
}
