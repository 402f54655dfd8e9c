import { type BelayError, fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { Json } from '../../domain/data/json.ts';
import type { Part, Role } from '../../domain/message.ts';
import type { Rewind } from '../../core/ports/store/session-states.ts';
import {
  AFTER_NEXT_MESSAGE,
  QUEUE_PAUSED_KEY,
  RESTORE_PREFIX,
  STAYING_VALUES,
} from '../../domain/session/session-values.ts';
import type { Connection } from '../database/connection.ts';
import { whole } from './columns.ts';
import { indexText } from './search-index.ts';
import { lastSeq } from './sessions/session-writes.ts';
import { saveValue } from './values.ts';

/** A saved state of a session (D8). */
export interface Snapshot {
  readonly id: string;
  readonly sessionId: string;
  readonly title: string;
  /** `automatic`: made before a restore or a reset, so that it can be undone. */
  readonly kind: 'saved' | 'automatic';
  readonly messageCount: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** Automatic snapshots kept for each session, however big they are. */
const LEAST_AUTOMATIC = 5;
/** Most automatic snapshots kept for each session, while their messages have less than `MOST_BYTES` together. */
const MOST_AUTOMATIC = 50;
const MOST_BYTES = 32 * 2 ** 20;

/** Snapshots of a session, the newest first. */
export function listSnapshots(connection: Connection, sessionId: string): Snapshot[] {
  return connection.all<Snapshot>(
    `SELECT id, snapshot_of AS sessionId, title, snapshot_kind AS kind, message_count AS messageCount,
       created_at AS createdAt
     FROM sessions WHERE snapshot_of = ? ORDER BY number DESC`,
    sessionId,
  );
}

interface SnapshotRequest {
  readonly sessionId: string;
  /** The snapshot's id, new. */
  readonly id: string;
  readonly title: string;
  readonly kind: Snapshot['kind'];
  readonly at: number;
}

/** Copies transcript, compactions and values under another id; not big results. */
export function saveSnapshot(connection: Connection, request: SnapshotRequest): void {
  const saved = connection.run(
    `INSERT INTO sessions (id, type, title, message_count, input_tokens, output_tokens, cost,
       cost_unknown, summary_id, model, created_at, updated_at, touched, snapshot_of, snapshot_kind)
     SELECT ?, type, ?, message_count, input_tokens, output_tokens, cost, cost_unknown, summary_id, model,
       ?, updated_at, 0, id, ? FROM sessions WHERE id = ? AND snapshot_of IS NULL`,
    request.id,
    request.title,
    whole(request.at),
    request.kind,
    request.sessionId,
  );
  if (saved === 0) throw missing(request.sessionId);
  copyContent(connection, request.sessionId, request.id);
  if (request.kind === 'automatic') forgetOldest(connection, request.sessionId);
}

/** The oldest automatic snapshots go when there are too many, or too much in them. */
function forgetOldest(connection: Connection, sessionId: string): void {
  const kept = connection.all<{ id: string; bytes: number }>(
    `SELECT id, (SELECT coalesce(sum(octet_length(parts)), 0) FROM messages WHERE session_id = sessions.id)
       AS bytes
     FROM sessions WHERE snapshot_of = ? AND snapshot_kind = 'automatic' ORDER BY number DESC`,
    sessionId,
  );
  let bytes = 0;
  for (const [index, one] of kept.entries()) {
    bytes += one.bytes;
    if (index < LEAST_AUTOMATIC || (index < MOST_AUTOMATIC && bytes < MOST_BYTES)) continue;
    connection.run('DELETE FROM sessions WHERE id = ?', one.id);
  }
}

/** The fate of the replaced state, and what else is recorded with the change. */
export interface Replacement {
  /** Id of the automatic snapshot that the present state becomes, new. */
  readonly keepId: string;
  readonly keepTitle: string;
  readonly at: number;
  /** Values of the session that are set in the same transaction; `null` removes one. */
  readonly values: Readonly<Record<string, Json>>;
}

/** Puts a session back to a snapshot; its present state becomes an automatic one. */
export function restoreSnapshot(
  connection: Connection,
  snapshotId: string,
  replacement: Replacement,
): void {
  const snapshot = connection.get<{ session_id: string; summary_id: string | null; count: number }>(
    `SELECT snapshot_of AS session_id, summary_id, message_count AS count FROM sessions
     WHERE id = ? AND snapshot_of IS NOT NULL`,
    snapshotId,
  );
  if (snapshot === undefined) throw missing(snapshotId);
  keep(connection, snapshot.session_id, replacement);
  clear(connection, snapshot.session_id);
  copyContent(connection, snapshotId, snapshot.session_id);
  connection.run(
    'UPDATE sessions SET message_count = ?, summary_id = ?, updated_at = ? WHERE id = ?',
    snapshot.count,
    snapshot.summary_id,
    whole(replacement.at),
    snapshot.session_id,
  );
  indexMessages(connection, snapshot.session_id);
  setValues(connection, snapshot.session_id, replacement);
}

/** Empties a session; its present state becomes an automatic snapshot. What it cost stays counted. */
export function resetSession(
  connection: Connection,
  sessionId: string,
  replacement: Replacement,
): void {
  keep(connection, sessionId, replacement);
  clear(connection, sessionId);
  connection.run(
    'UPDATE sessions SET message_count = 0, summary_id = NULL, updated_at = ? WHERE id = ?',
    whole(replacement.at),
    sessionId,
  );
  setValues(connection, sessionId, replacement);
}

/** Takes a transcript's end out, with its compactions; the state before becomes a snapshot. */
export function rewindSession(connection: Connection, rewind: Rewind & Replacement): void {
  const { sessionId, fromSeq } = rewind;
  if (lastSeq(connection, sessionId) !== rewind.lastSeq) {
    const message = told`The conversation has changed meanwhile. Nothing was restored; look at it again.`;
    throw fault('invalid', message);
  }
  keep(connection, sessionId, rewind);
  connection.run('DELETE FROM messages WHERE session_id = ? AND seq >= ?', sessionId, fromSeq);
  connection.run(
    'DELETE FROM compactions WHERE session_id = ? AND through_seq >= ?',
    sessionId,
    fromSeq,
  );
  connection.run(
    `UPDATE sessions SET updated_at = ?,
       message_count = (SELECT count(*) FROM messages WHERE session_id = sessions.id),
       summary_id = (SELECT id FROM compactions WHERE session_id = sessions.id AND id = summary_id)
     WHERE id = ?`,
    whole(rewind.at),
    sessionId,
  );
  setValues(connection, sessionId, rewind);
}

/** Keeps the present state, and ends what belongs to it alone. */
function keep(connection: Connection, sessionId: string, replacement: Replacement): void {
  const active = connection.get(
    `SELECT 1 FROM runs WHERE session_id = ? AND state IN ('queued', 'running', 'waiting_on_human')`,
    sessionId,
  );
  if (active !== undefined) {
    const message = told`The session is at work. Nothing was changed; stop its run, then try again.`;
    throw fault('busy', message);
  }
  saveSnapshot(connection, {
    sessionId,
    id: replacement.keepId,
    title: replacement.keepTitle,
    kind: 'automatic',
    at: replacement.at,
  });
  connection.run('DELETE FROM drafts WHERE session_id = ?', sessionId);
  // Their checkpoints point into a transcript that is no longer there.
  connection.run('UPDATE runs SET resume_available = 0 WHERE session_id = ?', sessionId);
  // Written for another state of the conversation: the person decides when it goes.
  if (connection.get('SELECT 1 FROM queued WHERE session_id = ?', sessionId) !== undefined)
    saveValue(connection, QUEUE_PAUSED_KEY, AFTER_NEXT_MESSAGE, sessionId);
}

function clear(connection: Connection, sessionId: string): void {
  connection.run('DELETE FROM messages WHERE session_id = ?', sessionId);
  connection.run('DELETE FROM compactions WHERE session_id = ?', sessionId);
  connection.run(`DELETE FROM key_values WHERE session_id = ? AND ${PART_OF_STATE}`, sessionId);
}

function setValues(
  connection: Connection,
  sessionId: string,
  { values }: Pick<Replacement, 'values'>,
): void {
  connection.run(
    'DELETE FROM key_values WHERE session_id = ? AND substr(key, 1, length(?)) = ?',
    sessionId,
    RESTORE_PREFIX,
    RESTORE_PREFIX,
  );
  for (const [key, value] of Object.entries(values)) saveValue(connection, key, value, sessionId);
}

/** Values that are a part of what is saved and restored. */
const PART_OF_STATE = STAYING_VALUES.map(
  (prefix) => `substr(key, 1, ${prefix.length}) <> '${prefix}'`,
).join(' AND ');

const COPIED = {
  messages: 'seq, id, run_id, role, origin, model, created_at, usage, parts',
  compactions:
    'id, through_seq, strategy, reason, tokens_before, tokens_after, undone, created_at, summary',
  key_values: 'key, value',
} as const;

function copyContent(connection: Connection, from: string, to: string): void {
  for (const [table, columns] of Object.entries(COPIED)) {
    const which = table === 'key_values' ? `AND ${PART_OF_STATE}` : '';
    connection.run(
      `INSERT INTO ${table} (session_id, ${columns}) SELECT ?, ${columns} FROM ${table}
       WHERE session_id = ? ${which} ORDER BY number`,
      to,
      from,
    );
  }
}

export function indexMessages(connection: Connection, sessionId: string): void {
  const rows = connection.iterate<{ number: number; role: Role; parts: string }>(
    'SELECT number, role, parts FROM messages WHERE session_id = ?',
    sessionId,
  );
  for (const { number, role, parts } of rows)
    indexText(connection, number, { role, parts: JSON.parse(parts) as Part[] });
}

function missing(id: string): BelayError {
  return fault('not_found', told`There is no session or snapshot ${id}. Nothing was changed.`);
}
