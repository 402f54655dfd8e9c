import type { SessionOptions } from '../../core/run/agent-service.ts';
import type { ReviewPart } from '../review/review-part.ts';
import type { SessionList } from '../session/session-list.ts';
import type { ShownSession } from '../session/shown-session.ts';

/** The handlers' part of the panel. */
export interface PanelControl {
  /** Shows a session, or a new one. Resolves when it is read. */
  show(sessionId: string | null): Promise<void>;
  /** The session on screen. */
  readonly session: ShownSession;
  /** All sessions. */
  readonly list: SessionList;
  /** Chooses for a session, or for the new one. */
  choose(sessionId: string | null, options: SessionOptions): Promise<void>;
  /** Makes the new session a real one and shows it. */
  createSession(): Promise<string>;
  /** Pending changes, when they are read; `undefined`: nothing is reviewed. */
  review(): Promise<ReviewPart | undefined>;
}
