import type { RunEvent } from '../../domain/event.ts';
import { EMPTY_SESSION } from '../../protocol/snapshot.ts';
import { reduceSession } from './session-reducer.ts';
import { sessionState, type SessionState } from './session-state.ts';

/** Messages kept of a session that runs out of sight; older ones are read from the store. */
const KEPT = 100;

/**
 * The state of sessions that are not on screen, so that the panel can be shown any running
 * session at any moment, with the message that is being streamed. A session is forgotten when its
 * run has ended: then the store has everything.
 */
export class LiveSessions {
  readonly #states = new Map<string, SessionState>();
  /** Sessions that are being read: what happens meanwhile must not be forgotten. */
  readonly #held = new Set<string>();

  apply(event: RunEvent): void {
    const id = event.sessionId;
    const before = this.#states.get(id) ?? sessionState({ ...EMPTY_SESSION, id });
    const { state } = reduceSession(before, event);
    if (state.view.run.runId === null && !this.#held.has(id)) {
      this.#states.delete(id);
      return;
    }
    const { view } = state;
    const messages = view.messages.length > KEPT ? view.messages.slice(-KEPT) : view.messages;
    this.#states.set(id, { ...state, view: { ...view, messages } });
  }

  /** Keeps everything of this session from now on, until it is taken. */
  hold(sessionId: string): void {
    this.#held.add(sessionId);
  }

  /** Hands the session over to the screen. */
  take(sessionId: string): SessionState | undefined {
    const state = this.#states.get(sessionId);
    this.#states.delete(sessionId);
    this.#held.delete(sessionId);
    return state;
  }

  /** Takes a session from the screen; one that does not run needs no following. */
  give(state: SessionState): void {
    const { id, run } = state.view;
    if (id !== null && run.runId !== null) this.#states.set(id, state);
  }
}
