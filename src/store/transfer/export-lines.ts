import { isOfThisMachine } from '../../domain/session/session-values.ts';
import { fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import { canonicalJson, type Json, type JsonObject } from '../../domain/data/json.ts';
import type { Session } from '../../domain/session/session.ts';
import type { Client } from '../client.ts';
import { eventFrom, messageFrom } from '../ports.ts';
import { FORMAT, FORMAT_VERSION, PLAIN_VERSION } from './format.ts';
import { masked, type Mask } from './mask.ts';

/** Records read at a time: other requests are answered in between. */
const PAGE = 200;

export interface ExportOptions {
  /** Hides secrets. */
  readonly mask?: Mask;
  /** The pending changes that agents of sessions made; absent: they stay. */
  readonly pending?: (sessionIds: readonly string[]) => Promise<readonly JsonObject[]>;
}

/** Lines of a session and its children, without line ends, as at the beginning. */
export async function* exportLines(
  client: Client,
  sessionId: string,
  { mask, pending }: ExportOptions,
): AsyncGenerator<string, void> {
  const sessions = await family(client, sessionId);
  const changes = (await pending?.(sessions.map(({ id }) => id))) ?? [];
  const runs = (
    await Promise.all(sessions.map((one) => client.call('runs', { sessionId: one.id })))
  ).flat();
  const queued = (await Promise.all(sessions.map((one) => client.call('queued', one.id)))).flat();
  let lines = 0;
  const line = async (record: object): Promise<string> => {
    lines += 1;
    const json = record as Json;
    return JSON.stringify(mask === undefined ? json : await masked(json, mask));
  };
  lines += 1;
  yield JSON.stringify({
    format: FORMAT,
    version: changes.length === 0 ? PLAIN_VERSION : FORMAT_VERSION,
    epoch: await client.call('epoch', undefined),
    sessions: sessions.map((session) => session.id),
    runs: runs.map((run) => run.id),
    queued: queued.map((message) => message.id),
  });
  for (const session of sessions) yield await line({ type: 'session', session });
  for (const run of runs) yield await line({ type: 'run', run });
  for (const session of sessions) {
    for await (const record of contentOf(client, session.id)) yield await line(record);
  }
  for (const run of runs) {
    const checkpoint = await client.call('checkpoint', run.id);
    if (checkpoint !== undefined) yield await line({ type: 'checkpoint', checkpoint });
  }
  for (const message of queued) yield await line({ type: 'queued', queued: message });
  for (const change of changes)
    yield await line({ type: 'pending', sessionId, pending: await unmasked(change, mask) });
  yield JSON.stringify({ type: 'end', lines });
}

/** Changes as they are, or without any text where a secret is in it: masked, they would be others. */
async function unmasked(change: JsonObject, mask: Mask | undefined): Promise<JsonObject> {
  const shown = mask === undefined ? change : await masked(change, mask);
  const isSame = canonicalJson(shown) === canonicalJson(change);
  return isSame ? change : { path: change['path'] ?? '', left: 'secret' };
}

/** The session and everything delegated from it, parents first. */
async function family(client: Client, sessionId: string): Promise<Session[]> {
  const root = await client.call('session', sessionId);
  if (root === undefined) {
    throw fault('not_found', told`There is no session ${sessionId} to export.`);
  }
  const found = [root];
  for (const session of found) {
    for (const id of await client.call('children', session.id)) {
      const child = await client.call('session', id);
      if (child !== undefined) found.push(child);
    }
  }
  return found;
}

async function* contentOf(client: Client, sessionId: string): AsyncGenerator<object, void> {
  yield* messagesOf(client, sessionId);
  for (const compaction of await client.call('compactions', sessionId)) {
    yield { type: 'compaction', compaction };
  }
  for (const entry of await client.call('ledger', { sessionId })) yield { type: 'ledger', entry };
  for (const usage of await client.call('usageOf', sessionId)) yield { type: 'usage', usage };
  yield* eventsOf(client, sessionId);
  yield* blobsOf(client, sessionId);
  for (const { key, value } of await client.call('values', { prefix: '', sessionId })) {
    // Every import holds what is queued anew.
    if (!isOfThisMachine(key))
      yield { type: 'value', sessionId, key, value: JSON.parse(value) as Json };
  }
}

async function* messagesOf(client: Client, sessionId: string): AsyncGenerator<object, void> {
  const [newest] = await client.call('messages', { sessionId, limit: 1 });
  const last = newest?.seq ?? 0;
  for (let from = 0; from < last; from += PAGE) {
    const rows = await client.call('messages', {
      sessionId,
      afterSeq: from,
      beforeSeq: Math.min(last, from + PAGE) + 1,
    });
    for (const row of rows) yield { type: 'message', message: messageFrom(row) };
  }
}

/** `era`: 1 for the first process that wrote events, 2 for the next; `seq` counts within it. */
async function* eventsOf(client: Client, sessionId: string): AsyncGenerator<object, void> {
  let after = 0;
  let epoch: number | undefined;
  let era = 0;
  for (;;) {
    const rows = await client.call('eventPage', { sessionId, after, limit: PAGE });
    for (const row of rows) {
      if (row.epoch !== epoch) era += 1;
      epoch = row.epoch;
      yield { type: 'event', era, event: eventFrom(row) };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last.number;
  }
}

async function* blobsOf(client: Client, sessionId: string): AsyncGenerator<object, void> {
  for (const { id, total } of await client.call('results', sessionId)) {
    const result = await client.call('result', { sessionId, id, offset: 0, length: total });
    if (result !== undefined) yield { type: 'result', sessionId, id, text: result.text };
  }
  for (const id of await client.call('attachments', sessionId)) {
    const attachment = await client.call('attachment', { sessionId, id });
    if (attachment !== undefined) yield { type: 'attachment', sessionId, attachment };
  }
}
