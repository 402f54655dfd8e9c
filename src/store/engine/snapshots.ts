import { BelayError } from '../../domain/failure.ts';
import type { Part } from '../../domain/message.ts';
import type { Connection } from '../database/connection.ts';
import { whole } from './columns.ts';
import { indexText } from './search-index.ts';

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

/** Automatic snapshots kept for each session. */
const KEPT_AUTOMATIC = 5;

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

/**
 * Copies a session's transcript, compactions and values under another id. Big results and
 * attachments are not copied: they stay with the session, whatever it is restored to.
 */
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
  if (request.kind !== 'automatic') return;
  connection.run(
    `DELETE FROM sessions WHERE snapshot_of = ?1 AND snapshot_kind = 'automatic' AND number NOT IN (
       SELECT number FROM sessions WHERE snapshot_of = ?1 AND snapshot_kind = 'automatic'
       ORDER BY number DESC LIMIT ?2)`,
    request.sessionId,
    KEPT_AUTOMATIC,
  );
}

/** Puts a session back to a snapshot; its present state becomes an automatic snapshot `keepId`. */
export function restoreSnapshot(
  connection: Connection,
  snapshotId: string,
  keepId: string,
  at: number,
): void {
  const snapshot = connection.get<{ session_id: string; summary_id: string | null; count: number }>(
    `SELECT snapshot_of AS session_id, summary_id, message_count AS count FROM sessions
     WHERE id = ? AND snapshot_of IS NOT NULL`,
    snapshotId,
  );
  if (snapshot === undefined) throw missing(snapshotId);
  clear(connection, snapshot.session_id, keepId, at);
  copyContent(connection, snapshotId, snapshot.session_id);
  connection.run(
    'UPDATE sessions SET message_count = ?, summary_id = ?, updated_at = ? WHERE id = ?',
    snapshot.count,
    snapshot.summary_id,
    whole(at),
    snapshot.session_id,
  );
  indexMessages(connection, snapshot.session_id);
}

/** Empties a session; its present state becomes an automatic snapshot. What it cost stays counted. */
export function resetSession(
  connection: Connection,
  sessionId: string,
  keepId: string,
  at: number,
): void {
  clear(connection, sessionId, keepId, at);
  connection.run(
    'UPDATE sessions SET message_count = 0, summary_id = NULL, updated_at = ? WHERE id = ?',
    whole(at),
    sessionId,
  );
}

function clear(connection: Connection, sessionId: string, keepId: string, at: number): void {
  const active = connection.get(
    `SELECT 1 FROM runs WHERE session_id = ? AND state IN ('queued', 'running', 'waiting_on_human')`,
    sessionId,
  );
  if (active !== undefined) {
    throw new BelayError({
      code: 'busy',
      message: 'The session is at work. Nothing was changed; stop its run, then try again.',
    });
  }
  saveSnapshot(connection, {
    sessionId,
    id: keepId,
    title: 'Before the change',
    kind: 'automatic',
    at,
  });
  for (const table of ['messages', 'compactions', 'key_values', 'drafts']) {
    connection.run(`DELETE FROM ${table} WHERE session_id = ?`, sessionId);
  }
  // Their checkpoints point into a transcript that is no longer there.
  connection.run('UPDATE runs SET resume_available = 0 WHERE session_id = ?', sessionId);
}

const COPIED = {
  messages: 'seq, id, run_id, role, origin, model, created_at, usage, parts',
  compactions:
    'id, through_seq, strategy, reason, tokens_before, tokens_after, undone, created_at, summary',
  key_values: 'key, value',
} as const;

function copyContent(connection: Connection, from: string, to: string): void {
  for (const [table, columns] of Object.entries(COPIED)) {
    connection.run(
      `INSERT INTO ${table} (session_id, ${columns}) SELECT ?, ${columns} FROM ${table}
       WHERE session_id = ? ORDER BY number`,
      to,
      from,
    );
  }
}

/** Makes all messages of a session findable. */
export function indexMessages(connection: Connection, sessionId: string): void {
  const rows = connection.iterate<{ number: number; seq: number; parts: string }>(
    'SELECT number, seq, parts FROM messages WHERE session_id = ?',
    sessionId,
  );
  for (const row of rows) {
    indexText(connection, row.number, {
      sessionId,
      seq: row.seq,
      parts: JSON.parse(row.parts) as Part[],
    });
  }
}

function missing(id: string): BelayError {
  return new BelayError({
    code: 'not_found',
    message: `There is no session or snapshot ${id}. Nothing was changed.`,
  });
}
