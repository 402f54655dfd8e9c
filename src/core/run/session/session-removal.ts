import type { ActiveRuns } from '../active-runs.ts';
import type { AgentParts } from '../agent-parts.ts';
import type { Lanes } from './lanes.ts';

/** The end of sessions, in two steps: first nothing goes on in them, then they are deleted. */
export class SessionRemoval {
  readonly #parts: Pick<AgentParts, 'sessions' | 'beside'>;
  readonly #runs: ActiveRuns;
  readonly #queue: Lanes;
  readonly #next: (sessionId: string) => void;

  /** @param next starts what is queued */
  constructor(
    parts: Pick<AgentParts, 'sessions' | 'beside'>,
    runs: ActiveRuns,
    queue: Lanes,
    next: (sessionId: string) => void,
  ) {
    this.#parts = parts;
    this.#next = next;
    this.#runs = runs;
    this.#queue = queue;
  }

  async setAside(sessionId: string): Promise<void> {
    await this.#runs.lease.refuseElsewhere(sessionId);
    this.#queue.hold(sessionId, true);
    this.#runs.cancel(sessionId, 'send');
    await this.#runs.settled(sessionId);
  }

  bringBack(sessionId: string): void {
    this.#queue.hold(sessionId, false);
    this.#next(sessionId);
  }

  async delete(sessionId: string): Promise<void> {
    await this.setAside(sessionId);
    this.#queue.forget(sessionId);
    await this.#parts.beside.removed?.(sessionId);
    await this.#parts.sessions.delete(sessionId);
  }
}
