import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import type { Json } from '../../../domain/data/json.ts';
import {
  CHANGES_PREFIX,
  CHECKPOINTS_PREFIX,
  FORGOTTEN_KEY,
  STAYING_VALUES,
} from '../../../domain/session/session-values.ts';
import type { Connection } from '../../database/connection.ts';
import { whole } from '../columns.ts';
import { indexTitle } from '../search-index.ts';
import { indexMessages } from '../snapshots.ts';
import { saveValue } from '../values.ts';

export interface Fork {
  readonly sessionId: string;
  /** The copy ends with this message. */
  readonly throughSeq: number;
  /** Of the new session. */
  readonly id: string;
  readonly title: string;
  readonly at: number;
  /** Values of the new session beside those that are copied; `null` leaves one out. */
  readonly values: Readonly<Record<string, Json>>;
}

/** Makes a session of another's beginning, with copies of big results; no cost, no runs. */
export function forkSession(connection: Connection, fork: Fork): void {
  const { id, title, sessionId, throughSeq } = fork;
  const made = connection.get<{ number: number }>(
    `INSERT INTO sessions (id, type, title, model, created_at, updated_at, touched)
     SELECT ?1, 'main', ?2, model, ?3, ?3, (SELECT max(touched) + 1 FROM sessions)
     FROM sessions WHERE id = ?4 AND snapshot_of IS NULL AND importing IS NULL RETURNING number`,
    id,
    title,
    whole(fork.at),
    sessionId,
  );
  if (made === undefined) {
    const message = told`The session that was to be forked is not there any more. Nothing was changed.`;
    throw fault('not_found', message);
  }
  indexTitle(connection, made.number, id, title);
  // Its runs stay with the original.
  connection.run(
    `INSERT INTO messages (session_id, seq, id, role, origin, model, created_at, usage, parts)
     SELECT ?, seq, id, role, origin, model, created_at, usage, parts FROM messages
     WHERE session_id = ? AND seq <= ? ORDER BY number`,
    id,
    sessionId,
    throughSeq,
  );
  connection.run(
    `INSERT INTO compactions (session_id, id, through_seq, strategy, reason, tokens_before, tokens_after,
       undone, created_at, summary)
     SELECT ?, id, through_seq, strategy, reason, tokens_before, tokens_after, undone, created_at, summary
     FROM compactions WHERE session_id = ? AND through_seq <= ? ORDER BY number`,
    id,
    sessionId,
    throughSeq,
  );
  connection.run(
    `UPDATE sessions SET message_count = (SELECT count(*) FROM messages WHERE session_id = sessions.id)
     WHERE id = ?`,
    id,
  );
  indexMessages(connection, id);
  copyResults(connection, fork);
  copyValues(connection, fork);
}

/** The whole texts of the results that the copied messages name. */
function copyResults(connection: Connection, { sessionId, id }: Fork): void {
  connection.run(
    `INSERT INTO results (session_id, id, total) SELECT ?1, id, total FROM results
     WHERE session_id = ?2 AND id IN (
       SELECT json_extract(part.value, '$.cut.resultId') FROM messages, json_each(messages.parts) AS part
       WHERE messages.session_id = ?1)
     ORDER BY number`,
    id,
    sessionId,
  );
  connection.run(
    `INSERT INTO result_pieces (result, start, length, content)
     SELECT copy.number, piece.start, piece.length, piece.content
     FROM results AS copy
     JOIN results AS original ON original.id = copy.id AND original.session_id = ?
     JOIN result_pieces AS piece ON piece.result = original.number
     WHERE copy.session_id = ? ORDER BY piece.number`,
    sessionId,
    id,
  );
  connection.run(
    `INSERT INTO attachments (session_id, id, name, media_type, size, path, data)
     SELECT ?, id, name, media_type, size, path, data FROM attachments WHERE session_id = ? ORDER BY number`,
    id,
    sessionId,
  );
}

/** Copies the changes of the workspace, so that the fork can take them back, too. */
function copyValues(connection: Connection, { sessionId, id, values }: Fork): void {
  const taken = [CHANGES_PREFIX, CHECKPOINTS_PREFIX, FORGOTTEN_KEY];
  const left = STAYING_VALUES.filter((prefix) => !taken.includes(prefix))
    .map((prefix) => `substr(key, 1, ${prefix.length}) <> '${prefix}'`)
    .join(' AND ');
  connection.run(
    `INSERT INTO key_values (session_id, key, value) SELECT ?, key, value FROM key_values
     WHERE session_id = ? AND ${left} ORDER BY number`,
    id,
    sessionId,
  );
  for (const [key, value] of Object.entries(values)) saveValue(connection, key, value, id);
}
