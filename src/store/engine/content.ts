import type { Attachment } from '../../domain/session/session.ts';
import type { Json } from '../../domain/data/json.ts';
import { one, type Connection } from '../database/connection.ts';
import { jsonOf, optional, same, stored, whole } from './columns.ts';

/** Characters of one piece of a result: what a page of `read_result` reads is one or two of them. */
const PIECE = 65_536;

/** Stores the whole text of a big result (E3), in pieces, so that a page of it is read alone. */
export function saveResult(
  connection: Connection,
  sessionId: string,
  resultId: string,
  text: string,
): void {
  connection.run('DELETE FROM results WHERE session_id = ? AND id = ?', sessionId, resultId);
  const { number } = one<{ number: number }>(
    connection,
    'INSERT INTO results (session_id, id, total) VALUES (?, ?, ?) RETURNING number',
    sessionId,
    resultId,
    text.length,
  );
  for (let start = 0; start < text.length; start += PIECE) {
    const piece = text.slice(start, start + PIECE);
    connection.run(
      'INSERT INTO result_pieces (result, start, length, content) VALUES (?, ?, ?, ?)',
      number,
      start,
      piece.length,
      // As JSON: a piece may begin or end within a surrogate pair, and output may hold NUL.
      jsonOf(piece),
    );
  }
}

/** Characters `offset` to `offset + length` of a result. */
export function readResult(
  connection: Connection,
  sessionId: string,
  resultId: string,
  offset: number,
  length: number,
): { readonly text: string; readonly total: number } | undefined {
  const result = connection.get<{ number: number; total: number }>(
    'SELECT number, total FROM results WHERE session_id = ? AND id = ?',
    sessionId,
    resultId,
  );
  if (result === undefined) return undefined;
  const from = Math.max(0, whole(offset));
  const to = Math.min(result.total, from + Math.max(0, length));
  const pieces = connection.all<{ start: number; content: string }>(
    `SELECT start, content FROM result_pieces WHERE result = ? AND start < ? AND start + length > ?
     ORDER BY start`,
    result.number,
    to,
    from,
  );
  const text = pieces.map((piece) => stored<string>(piece.content)).join('');
  const first = pieces[0]?.start ?? 0;
  return { text: text.slice(from - first, Math.max(from, to) - first), total: result.total };
}

/** Ids and sizes of the results of a session, oldest first. */
export function listResults(
  connection: Connection,
  sessionId: string,
): { readonly id: string; readonly total: number }[] {
  return connection.all(
    'SELECT id, total FROM results WHERE session_id = ? ORDER BY number',
    sessionId,
  );
}

/** Stores an attachment (A6); the same id again replaces it. */
export function saveAttachment(
  connection: Connection,
  sessionId: string,
  attachment: Attachment,
): void {
  connection.run(
    `INSERT INTO attachments (session_id, id, name, media_type, size, path, data)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (session_id, id) DO UPDATE SET name = excluded.name, media_type = excluded.media_type,
       size = excluded.size, path = excluded.path, data = excluded.data`,
    sessionId,
    attachment.id,
    attachment.name,
    attachment.mediaType,
    whole(attachment.size),
    attachment.path ?? null,
    attachment.data ?? null,
  );
}

interface AttachmentRow {
  readonly id: string;
  readonly name: string;
  readonly media_type: string;
  readonly size: number;
  readonly path: string | null;
  readonly data: string | null;
}

export function readAttachment(
  connection: Connection,
  sessionId: string,
  id: string,
): Attachment | undefined {
  const row = connection.get<AttachmentRow>(
    'SELECT id, name, media_type, size, path, data FROM attachments WHERE session_id = ? AND id = ?',
    sessionId,
    id,
  );
  if (row === undefined) return undefined;
  return {
    id: row.id,
    name: row.name,
    mediaType: row.media_type,
    size: row.size,
    ...optional('path', row.path, same),
    ...optional('data', row.data, same),
  };
}

/** Ids of the attachments of a session, oldest first. */
export function listAttachments(connection: Connection, sessionId: string): string[] {
  return connection
    .all<{ id: string }>(
      'SELECT id FROM attachments WHERE session_id = ? ORDER BY number',
      sessionId,
    )
    .map((row) => row.id);
}

/** Keeps what is being streamed (B3). `null` removes it; a message already stored needs no draft. */
export function saveDraft(
  connection: Connection,
  sessionId: string,
  messageId: string,
  parts: Json,
): void {
  if (parts === null) {
    connection.run(
      'DELETE FROM drafts WHERE session_id = ? AND message_id = ?',
      sessionId,
      messageId,
    );
    return;
  }
  connection.run(
    `INSERT INTO drafts (session_id, message_id, parts)
     SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM sessions WHERE id = ?1)
       AND NOT EXISTS (SELECT 1 FROM messages WHERE session_id = ?1 AND id = ?2)
     ON CONFLICT (session_id) DO UPDATE SET message_id = excluded.message_id, parts = excluded.parts`,
    sessionId,
    messageId,
    jsonOf(parts),
  );
}
