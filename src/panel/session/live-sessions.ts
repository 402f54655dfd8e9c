import type { RunEvent } from '../../domain/event.ts';
import { EMPTY_SESSION } from '../../protocol/snapshot.ts';
import { reduceSession } from './session-reducer.ts';
import { sessionState, type SessionState } from './session-state.ts';

/** Messages kept of a session that runs out of sight; older ones are read from the store. */
const KEPT = 100;

/**
 * The state of sessions that are on no screen, so that any running session can be shown at any
 * moment, with the message that is being streamed. A session is forgotten when its run has ended:
 * then the store has everything.
 */
export class LiveSessions {
  readonly #states = new Map<string, SessionState>();
  /** How many screens are reading a session: what happens meanwhile must not be forgotten. */
  readonly #held = new Map<string, number>();
  readonly #onScreen: (sessionId: string) => SessionState | undefined;

  /** `onScreen`: the state of a session that a screen shows. */
  constructor(onScreen: (sessionId: string) => SessionState | undefined) {
    this.#onScreen = onScreen;
  }

  /** `shown`: a screen follows the session itself. */
  apply(event: RunEvent, shown: boolean): void {
    const id = event.sessionId;
    if (shown && !this.#held.has(id)) return;
    const before = this.#states.get(id) ?? sessionState({ ...EMPTY_SESSION, id });
    const { state } = reduceSession(before, event);
    const { view } = state;
    const messages = view.messages.length > KEPT ? view.messages.slice(-KEPT) : view.messages;
    this.#states.set(id, { ...state, view: { ...view, messages } });
    this.#forget(id);
  }

  /** Keeps everything of this session from now on, until it is taken or released. */
  hold(sessionId: string): void {
    this.#held.set(sessionId, (this.#held.get(sessionId) ?? 0) + 1);
    const shown = this.#onScreen(sessionId);
    if (shown !== undefined) this.give(shown);
  }

  /** Hands the session over to a screen that has held it. */
  take(sessionId: string): SessionState | undefined {
    const state = this.#states.get(sessionId);
    const left = this.#letGo(sessionId);
    if (left === 0) this.#states.delete(sessionId);
    return state;
  }

  /** A screen that has held the session shows another one after all. */
  release(sessionId: string): void {
    this.#letGo(sessionId);
    if (this.#onScreen(sessionId) === undefined) this.#forget(sessionId);
    else if (!this.#held.has(sessionId)) this.#states.delete(sessionId);
  }

  /** Takes a session from a screen; one that does not run needs no following. */
  give(state: SessionState): void {
    const { id, run } = state.view;
    if (id === null || run.runId === null) return;
    if (this.#held.has(id) || this.#onScreen(id) === undefined) this.#states.set(id, state);
  }

  #letGo(sessionId: string): number {
    const left = (this.#held.get(sessionId) ?? 1) - 1;
    if (left === 0) this.#held.delete(sessionId);
    else this.#held.set(sessionId, left);
    return left;
  }

  #forget(sessionId: string): void {
    if (this.#held.has(sessionId)) return;
    if (this.#states.get(sessionId)?.view.run.runId === null) this.#states.delete(sessionId);
  }
}
