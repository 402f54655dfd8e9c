import { fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import { type FollowUp, MOST_FOLLOWUPS } from '../../domain/session/followup.ts';
import { one, type Connection } from '../database/connection.ts';
import { jsonOf, stored, whole } from './columns.ts';
import { readQueued } from './sessions/session-reads.ts';
import { saveQueued } from './sessions/session-writes.ts';

interface Row {
  readonly id: string;
  readonly session_id: string;
  readonly prompt: string;
  readonly due_at: number;
  readonly created_at: number;
}

/** Throws `invalid` when nothing more may wait in the session. */
export function addFollowUp(connection: Connection, followUp: FollowUp): void {
  const { id, sessionId, prompt, dueAt, createdAt } = followUp;
  const waiting = one<{ many: number }>(
    connection,
    'SELECT count(*) AS many FROM followups WHERE session_id = ?',
    sessionId,
  );
  if (waiting.many >= MOST_FOLLOWUPS)
    throw fault(
      'invalid',
      told`${MOST_FOLLOWUPS} follow-ups wait in this session, which is the most. Nothing was scheduled; cancel one first.`,
    );
  if (connection.get('SELECT 1 FROM sessions WHERE id = ?', sessionId) === undefined)
    throw fault('invalid', told`This session is gone. Nothing was scheduled.`);
  connection.run(
    'INSERT INTO followups (id, session_id, prompt, due_at, created_at) VALUES (?, ?, ?, ?, ?)',
    id,
    sessionId,
    jsonOf(prompt),
    whole(dueAt),
    whole(createdAt),
  );
}

export function readFollowUps(connection: Connection): FollowUp[] {
  return connection.all<Row>('SELECT * FROM followups ORDER BY due_at, number').map((row) => ({
    id: row.id,
    sessionId: row.session_id,
    prompt: stored<string>(row.prompt),
    dueAt: row.due_at,
    createdAt: row.created_at,
  }));
}

export function changeFollowUp(
  connection: Connection,
  id: string,
  { prompt, dueAt }: Pick<FollowUp, 'prompt' | 'dueAt'>,
): boolean {
  if (!waits(connection, id)) return false;
  connection.run(
    'UPDATE followups SET prompt = ?, due_at = ? WHERE id = ?',
    jsonOf(prompt),
    whole(dueAt),
    id,
  );
  return true;
}

export function removeFollowUp(connection: Connection, id: string): boolean {
  if (!waits(connection, id)) return false;
  connection.run('DELETE FROM followups WHERE id = ?', id);
  return true;
}

/** Puts one that is due into its session's queue, behind what waits there; `false`: it is not due, or gone. */
export function fireFollowUp(connection: Connection, id: string, now: number): boolean {
  const found = readFollowUps(connection).find((one) => one.id === id);
  if (found === undefined || found.dueAt > now) return false;
  const { sessionId, prompt } = found;
  connection.run('DELETE FROM followups WHERE id = ?', id);
  saveQueued(connection, {
    id: `queued-${id}`,
    sessionId,
    position: (readQueued(connection, sessionId).at(-1)?.position ?? -1) + 1,
    text: prompt,
    attachments: [],
    mode: 'queue',
    origin: 'followup',
    createdAt: now,
  });
  return true;
}

const waits = (connection: Connection, id: string): boolean =>
  connection.get('SELECT 1 FROM followups WHERE id = ?', id) !== undefined;
