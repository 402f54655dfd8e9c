import type { RunEvent } from '../../domain/event.ts';
import type { Connection } from '../database/connection.ts';
import { NO_LIMIT, whole } from './columns.ts';
import { MESSAGE_COLUMNS, type MessageRow } from './sessions/session-reads.ts';

/** An event as it crosses sides; `message` and `result` name what another record holds. */
export interface EventRow {
  readonly number: number;
  readonly epoch: number;
  readonly session_id: string;
  readonly run_id: string;
  readonly seq: number;
  readonly at: number;
  readonly type: RunEvent['type'];
  readonly body: string;
  readonly message?: MessageRow;
  readonly result?: string;
}

export function saveEvents(
  connection: Connection,
  epoch: number,
  events: readonly RunEvent[],
): void {
  for (const event of events) {
    // An event of no session has no timeline.
    if (event.sessionId === '') continue;
    const { reference, body } = compact(connection, event);
    connection.run(
      `INSERT INTO events (session_id, epoch, seq, run_id, type, at, reference, body)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      event.sessionId,
      epoch,
      event.seq,
      event.runId,
      event.type,
      whole(event.at),
      reference,
      body,
    );
  }
}

/** The body without the envelope, and without what a message or a ledger row already holds. */
function compact(
  connection: Connection,
  event: RunEvent,
): { readonly reference: string | null; readonly body: string } {
  const { seq: _seq, sessionId, runId, at: _at, type: _type, category: _category, ...body } = event;
  if ('message' in body && typeof body.message === 'object') {
    const parts = connection.get<{ parts: string }>(
      'SELECT parts FROM messages WHERE session_id = ? AND id = ?',
      sessionId,
      body.message.id,
    )?.parts;
    if (parts === JSON.stringify(body.message.parts)) {
      return { reference: body.message.id, body: '{}' };
    }
  }
  if ('result' in body) {
    const result = connection.get<{ result: string | null }>(
      'SELECT result FROM ledger WHERE run_id = ? AND call_id = ?',
      runId,
      body.callId,
    )?.result;
    if (result === JSON.stringify(body.result)) {
      const { result: _result, ...rest } = body;
      return { reference: body.callId, body: JSON.stringify(rest) };
    }
  }
  return { reference: null, body: JSON.stringify(body) };
}

interface StoredEvent {
  readonly number: number;
  readonly epoch: number;
  readonly session_id: string;
  readonly run_id: string;
  readonly seq: number;
  readonly at: number;
  readonly type: RunEvent['type'];
  readonly reference: string | null;
  readonly body: string;
}

const EVENT_COLUMNS = 'number, epoch, session_id, run_id, seq, at, type, reference, body';

export interface EventQuery {
  readonly sessionId: string;
  /** Only events of one process, with a larger seq. */
  readonly after?: { readonly epoch: number; readonly seq: number };
  /** With `after` the first ones, else the newest ones; the order is always ascending. */
  readonly limit?: number;
}

export function readEvents(connection: Connection, query: EventQuery): EventRow[] {
  const limit = query.limit ?? NO_LIMIT;
  const rows =
    query.after === undefined
      ? connection
          .all<StoredEvent>(
            `SELECT ${EVENT_COLUMNS} FROM events WHERE session_id = ?
             ORDER BY epoch DESC, seq DESC LIMIT ?`,
            query.sessionId,
            limit,
          )
          .toReversed()
      : connection.all<StoredEvent>(
          `SELECT ${EVENT_COLUMNS} FROM events
           WHERE session_id = ?1 AND seq > ?2
             AND epoch = ?4
           ORDER BY seq LIMIT ?3`,
          query.sessionId,
          query.after.seq,
          limit,
          query.after.epoch,
        );
  return rows.map((row) => expand(connection, row));
}

/** Events in the order of writing, in pages: for the export. */
export function readEventPage(
  connection: Connection,
  sessionId: string,
  afterNumber: number,
  limit: number,
): EventRow[] {
  return connection
    .all<StoredEvent>(
      `SELECT ${EVENT_COLUMNS} FROM events WHERE session_id = ? AND number > ? ORDER BY number LIMIT ?`,
      sessionId,
      afterNumber,
      limit,
    )
    .map((row) => expand(connection, row));
}

function expand(connection: Connection, row: StoredEvent): EventRow {
  const { reference, ...rest } = row;
  if (reference === null) return rest;
  if (row.type === 'tool.finished') {
    const result = connection.get<{ result: string | null }>(
      'SELECT result FROM ledger WHERE run_id = ? AND call_id = ?',
      row.run_id,
      reference,
    )?.result;
    return typeof result === 'string' ? { ...rest, result } : rest;
  }
  const message = connection.get<MessageRow>(
    `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE session_id = ? AND id = ?`,
    row.session_id,
    reference,
  );
  return message === undefined ? rest : { ...rest, message };
}
