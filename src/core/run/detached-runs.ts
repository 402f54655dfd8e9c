import { fault } from '../../domain/failure.ts';
import { isJsonObject } from '../../domain/data/json.ts';
import type { DetachedState } from '../../domain/run.ts';
import { DETACHED_KEY } from '../../domain/session/session-values.ts';
import type { LeaseOwner, Leases } from '../ports/store/leases.ts';
import type { Values } from '../ports/store/values.ts';

/** A person's word to a run in the background: end it, or give it back after the step at hand. */
export type DetachedWish = 'stop' | 'return';

const STATES: Readonly<Record<DetachedWish, DetachedState>> = {
  stop: 'stopping',
  return: 'returning',
};

export interface DetachedPorts {
  readonly leases: Pick<Leases, 'claim' | 'owner'>;
  readonly values: Pick<Values, 'get' | 'set'>;
}

/**
 * Runs that go on in a process of their own, as the store has them: their process leaves its mark beside the lease, and
 * hears of wishes there. A mark counts as long as that very process owns the session.
 */
export class DetachedRuns {
  readonly #ports: DetachedPorts;

  constructor(ports: DetachedPorts) {
    this.#ports = ports;
  }

  /** `undefined`: no process in the background works on the session. */
  async of(sessionId: string): Promise<DetachedState | undefined> {
    const { values, leases } = this.#ports;
    const mark = await values.get(DETACHED_KEY, sessionId);
    if (!isJsonObject(mark)) return undefined;
    const owner = await leases.owner(sessionId);
    if (owner?.alive !== true || mark['process'] !== nameOf(owner)) return undefined;
    return STATES[mark['wish'] as DetachedWish] ?? 'working';
  }

  /** Rejects with `not_found` when nothing works on the session in the background any more. */
  async wish(sessionId: string, wish: DetachedWish): Promise<void> {
    if ((await this.of(sessionId)) === undefined)
      throw fault('not_found', 'Nothing works on this session in the background any more.');
    await this.#set(sessionId, wish);
  }

  /** Takes the session for this process, which goes on with it in the background; `false`: another one has it. */
  async claim(sessionId: string): Promise<boolean> {
    const { leases, values } = this.#ports;
    const { owned, owner } = await leases.claim(sessionId);
    if (owned && owner !== undefined)
      await values.set(DETACHED_KEY, { process: nameOf(owner) }, sessionId);
    return owned;
  }

  /** The wish that this process has not carried out yet. */
  async wished(sessionId: string): Promise<DetachedWish | undefined> {
    const mark = await this.#ports.values.get(DETACHED_KEY, sessionId);
    const wish = isJsonObject(mark) ? mark['wish'] : undefined;
    return wish === 'stop' || wish === 'return' ? wish : undefined;
  }

  /** This process has carried the wish out, and goes on. */
  async carriedOut(sessionId: string): Promise<void> {
    await this.#set(sessionId);
  }

  /** The process is done with the session. */
  async forget(sessionId: string): Promise<void> {
    await this.#ports.values.set(DETACHED_KEY, null, sessionId);
  }

  async #set(sessionId: string, wish?: DetachedWish): Promise<void> {
    const { values } = this.#ports;
    const mark = await values.get(DETACHED_KEY, sessionId);
    if (!isJsonObject(mark)) return;
    const { wish: _before, ...process } = mark;
    const value = wish === undefined ? process : { ...process, wish };
    await values.set(DETACHED_KEY, value, sessionId);
  }
}

const nameOf = ({ processId, birth, bootId }: LeaseOwner): string =>
  `${processId} ${birth} ${bootId}`;
