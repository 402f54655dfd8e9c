import { told } from '../../../domain/text/told.ts';
import type { Json } from '../../../domain/data/json.ts';
import type { Message } from '../../../domain/message.ts';
import type {
  Compaction,
  QueuedMessage,
  Session,
  SessionMarks,
} from '../../../domain/session/session.ts';
import { storeError } from '../../database/failures.ts';
import { one, type Connection } from '../../database/connection.ts';
import { bit, jsonOf, jsonOrNull, whole } from '../columns.ts';
import { indexText, indexTitle } from '../search-index.ts';

const INSERT_SESSION = `
  INSERT INTO sessions (id, parent_id, type, title, summary_id, model, created_at, updated_at, touched)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(touched), 0) + 1 FROM sessions))
  RETURNING number`;

/** Creates a session or changes its record; counts, tokens and cost are the store's own (B12, B17). */
export function saveSession(connection: Connection, session: Session): void {
  const known = connection.get<{
    number: number;
    parent_id: string | null;
    title: string;
    hidden: number;
  }>(
    `SELECT number, parent_id, title, snapshot_of IS NOT NULL OR importing IS NOT NULL AS hidden
     FROM sessions WHERE id = ?`,
    session.id,
  );
  if (known === undefined) {
    const created = connection.get<{ number: number }>(
      INSERT_SESSION,
      session.id,
      session.parentId ?? null,
      session.type,
      session.title,
      session.summaryId ?? null,
      session.model ?? null,
      whole(session.createdAt),
      whole(session.updatedAt),
    );
    if (created !== undefined) indexTitle(connection, created.number, session.id, session.title);
    return;
  }
  if (known.hidden === 1 || known.parent_id !== (session.parentId ?? null)) {
    throw storeError(
      'constraint',
      told`There is already a session ${session.id} with another parent. Nothing was changed.`,
    );
  }
  connection.run(
    `UPDATE sessions SET type = ?, title = ?, summary_id = ?, model = ?, updated_at = ? WHERE number = ?`,
    session.type,
    session.title,
    session.summaryId ?? null,
    session.model ?? null,
    whole(session.updatedAt),
    known.number,
  );
  if (known.title !== session.title) {
    indexTitle(connection, known.number, session.id, session.title);
  }
}

const TOUCH_SESSION = `
  UPDATE sessions SET message_count = message_count + ?, updated_at = ?,
    touched = (SELECT CASE WHEN max(s.touched) = sessions.touched THEN sessions.touched
                      ELSE max(s.touched) + 1 END FROM sessions AS s)
  WHERE id = ?`;

/** Appends a message, or replaces the one with its id and seq. */
export function saveMessage(connection: Connection, message: Message): void {
  const known = connection.get<{ number: number; seq: number }>(
    'SELECT number, seq FROM messages WHERE session_id = ? AND id = ?',
    message.sessionId,
    message.id,
  );
  if (known === undefined) appendMessage(connection, message);
  else if (known.seq === message.seq) replaceMessage(connection, known.number, message);
  else throw outOfOrder(message, `it is stored as number ${known.seq}`);
  if (message.role === 'assistant') {
    connection.run('DELETE FROM drafts WHERE session_id = ?', message.sessionId);
  }
}

function appendMessage(connection: Connection, message: Message): void {
  const next = lastSeq(connection, message.sessionId) + 1;
  if (message.seq !== next) throw outOfOrder(message, `the next one is number ${next}`);
  const number = insertMessage(connection, message);
  indexText(connection, number, message);
  connection.run(TOUCH_SESSION, 1, whole(message.createdAt), message.sessionId);
}

/** Number of the last message of a session; 0: it has none. */
export function lastSeq(connection: Connection, sessionId: string): number {
  return one<{ seq: number }>(
    connection,
    'SELECT coalesce(max(seq), 0) AS seq FROM messages WHERE session_id = ?',
    sessionId,
  ).seq;
}

/** Inserts the row alone: no count, no index for the search. Gives its number. */
export function insertMessage(connection: Connection, message: Message): number {
  const { number } = one<{ number: number }>(
    connection,
    `INSERT INTO messages (session_id, seq, id, run_id, role, origin, model, created_at, usage, parts)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number`,
    message.sessionId,
    message.seq,
    message.id,
    message.runId ?? null,
    message.role,
    message.origin ?? null,
    message.model ?? null,
    whole(message.createdAt),
    jsonOrNull(message.usage),
    jsonOf(message.parts),
  );
  return number;
}

function replaceMessage(connection: Connection, number: number, message: Message): void {
  connection.run(
    `UPDATE messages SET run_id = ?, role = ?, origin = ?, model = ?, created_at = ?, usage = ?, parts = ?
     WHERE number = ?`,
    message.runId ?? null,
    message.role,
    message.origin ?? null,
    message.model ?? null,
    whole(message.createdAt),
    jsonOrNull(message.usage),
    jsonOf(message.parts),
    number,
  );
  indexText(connection, number, message);
  connection.run(TOUCH_SESSION, 0, whole(message.createdAt), message.sessionId);
}

/** Marks a session for the list; a mark that is not named stays. */
export function markSession(connection: Connection, id: string, marks: SessionMarks): void {
  const { pinned, archived } = marks;
  connection.run(
    'UPDATE sessions SET pinned = coalesce(?, pinned), archived = coalesce(?, archived) WHERE id = ?',
    pinned === undefined ? null : bit(pinned),
    archived === undefined ? null : bit(archived),
    id,
  );
}

function outOfOrder(message: Message, why: string): Error {
  return storeError(
    'constraint',
    told`Message ${message.id} of session ${message.sessionId} came as number ${message.seq}, but ${why}. Nothing of this step was recorded; another window may have changed the session: open it again.`,
  );
}

/** Stores a compaction; the same id again replaces it (undone). */
export function saveCompaction(connection: Connection, compaction: Compaction): void {
  connection.run(
    `INSERT INTO compactions (session_id, id, through_seq, strategy, reason, tokens_before, tokens_after,
       undone, created_at, summary)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (session_id, id) DO UPDATE SET through_seq = excluded.through_seq,
       strategy = excluded.strategy, reason = excluded.reason, tokens_before = excluded.tokens_before,
       tokens_after = excluded.tokens_after, undone = excluded.undone, created_at = excluded.created_at,
       summary = excluded.summary`,
    compaction.sessionId,
    compaction.id,
    compaction.throughSeq,
    compaction.strategy,
    compaction.reason,
    whole(compaction.tokensBefore),
    whole(compaction.tokensAfter),
    bit(compaction.undone),
    whole(compaction.createdAt),
    jsonOf(summaryOf(compaction)),
  );
}

/** The summary, with the limits that belong to it where there are any; as `readCompactions` reads it. */
function summaryOf({ summary: text, resultLimit, requestLimit }: Compaction): Json {
  if (resultLimit === undefined && requestLimit === undefined) return text;
  return {
    text,
    ...(resultLimit === undefined ? {} : { resultLimit }),
    ...(requestLimit === undefined ? {} : { requestLimit }),
  };
}

/** Stores a queued message, or changes its text, mode or position (C7). */
export function saveQueued(connection: Connection, queued: QueuedMessage): void {
  connection.run(
    `INSERT INTO queued (id, session_id, position, mode, created_at, text, attachments, origin)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET position = excluded.position, mode = excluded.mode,
       text = excluded.text, attachments = excluded.attachments`,
    queued.id,
    queued.sessionId,
    whole(queued.position),
    queued.mode,
    whole(queued.createdAt),
    jsonOf(queued.text),
    jsonOf(queued.attachments),
    queued.origin ?? null,
  );
}

export function removeQueued(connection: Connection, id: string): void {
  connection.run('DELETE FROM queued WHERE id = ?', id);
}

/** Deletes a session with everything of it and of its children; the token log stays (A8). */
export function deleteSession(connection: Connection, id: string): void {
  connection.run('DELETE FROM sessions WHERE id = ?', id);
}
