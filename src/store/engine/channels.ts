import type { ChannelThread, Session, SessionChannel } from '../../domain/session/session.ts';
import type { Connection } from '../database/connection.ts';
import { whole } from './columns.ts';
import { saveSession } from './sessions/session-writes.ts';

export interface ChannelRequest {
  readonly key: ChannelThread;
  /** Made and kept for the thread when it has none. */
  readonly session: Session;
  readonly at: number;
}

/** Gives the id of a thread's session; two that ask at once get the same one. */
export function openChannel(connection: Connection, { key, session, at }: ChannelRequest): string {
  const { platform, channel, thread } = key;
  const known = connection.get<{ id: string }>(
    `UPDATE channels SET active_at = ? WHERE platform = ? AND channel = ? AND thread = ?
     RETURNING session_id AS id`,
    whole(at),
    platform,
    channel,
    thread,
  );
  if (known !== undefined) return known.id;
  saveSession(connection, session);
  connection.run(
    'INSERT INTO channels (session_id, platform, channel, thread, active_at) VALUES (?, ?, ?, ?, ?)',
    session.id,
    platform,
    channel,
    thread,
    whole(at),
  );
  return session.id;
}

/** The threads of a session, the oldest first; a message in the session counts for all of them. */
export function readChannels(connection: Connection, sessionId: string): SessionChannel[] {
  return connection.all<SessionChannel>(
    `SELECT platform, channel, thread, max(active_at, updated_at) AS lastActiveAt
     FROM channels JOIN sessions ON sessions.id = channels.session_id
     WHERE session_id = ? ORDER BY channels.number`,
    sessionId,
  );
}
