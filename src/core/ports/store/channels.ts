import type { ChannelThread, Session, SessionChannel } from '../../../domain/session/session.ts';

/** The threads by which sessions are reached (A4). */
export interface Channels {
  /** Gives the id of the thread's session; where it has none (deleted ones are none), `session` is made and kept for it. */
  open(key: ChannelThread, session: Session): Promise<string>;
  /** The threads of a session, the oldest first. */
  of(sessionId: string): Promise<readonly SessionChannel[]>;
}
