import type { DetachedState } from '../../domain/run.ts';
import { DETACHED_KEY } from '../../domain/session/session-values.ts';
import type { LeaseOwner, Leases } from '../ports/store/leases.ts';
import type { Values } from '../ports/store/values.ts';

/** A person's word to a run in the background: end it, or give it back after the step at hand. */
export type DetachedWish = 'stop' | 'return';

/** In this order: what is stopped does not come back, but what is queued behind it. */
const WISHES: readonly DetachedWish[] = ['stop', 'return'];

const STATES: Readonly<Record<DetachedWish, DetachedState>> = {
  stop: 'stopping',
  return: 'returning',
};

export interface DetachedPorts {
  readonly leases: Pick<Leases, 'claim' | 'owner'>;
  readonly values: Pick<Values, 'set' | 'list'>;
}

/**
 * Runs that go on in a process of their own, as the store has them: the name of their process is kept beside the lease,
 * and each wish beside it, with the name of the process that it is for, so that no window writes over another's. All of
 * it counts as long as that very process owns the session, so it need not be removed.
 */
export class DetachedRuns {
  readonly #ports: DetachedPorts;

  constructor(ports: DetachedPorts) {
    this.#ports = ports;
  }

  /** `undefined`: no process in the background works on the session. */
  async of(sessionId: string): Promise<DetachedState | undefined> {
    const working = await this.#working(sessionId);
    if (working === undefined) return undefined;
    return working.wish === undefined ? 'working' : STATES[working.wish];
  }

  /** `false`: nothing works on the session in the background any more. */
  async wish(sessionId: string, wish: DetachedWish): Promise<boolean> {
    const working = await this.#working(sessionId);
    if (working === undefined) return false;
    await this.#ports.values.set(keyOf(wish), working.process, sessionId);
    return true;
  }

  /** Takes the session for this process, which goes on with it in the background; `false`: another one has it. */
  async claim(sessionId: string): Promise<boolean> {
    const { leases, values } = this.#ports;
    const { owned, owner } = await leases.claim(sessionId);
    if (owned && owner !== undefined) await values.set(DETACHED_KEY, nameOf(owner), sessionId);
    return owned;
  }

  /** The wish that the process which has the session, or had it last, has not carried out. */
  async wished(sessionId: string): Promise<DetachedWish | undefined> {
    return (await this.#read(sessionId)).wish;
  }

  /** This process has stopped a run as it was told to, and goes on. */
  async hasStopped(sessionId: string): Promise<void> {
    await this.#ports.values.set(keyOf('stop'), null, sessionId);
  }

  /** The process that works on the session in the background now, and what it was told. */
  async #working(
    sessionId: string,
  ): Promise<{ readonly process: string; readonly wish?: DetachedWish } | undefined> {
    const { process, ...told } = await this.#read(sessionId);
    if (process === undefined) return undefined;
    const owner = await this.#ports.leases.owner(sessionId);
    return owner?.alive === true && process === nameOf(owner) ? { process, ...told } : undefined;
  }

  async #read(
    sessionId: string,
  ): Promise<{ readonly process?: string; readonly wish?: DetachedWish }> {
    const listed = await this.#ports.values.list(DETACHED_KEY, sessionId);
    const kept = new Map(listed.map(({ key, value }) => [key, value]));
    const process = kept.get(DETACHED_KEY);
    if (typeof process !== 'string') return {};
    const wish = WISHES.find((one) => kept.get(keyOf(one)) === process);
    return { process, ...(wish === undefined ? {} : { wish }) };
  }
}

const keyOf = (wish: DetachedWish): string => `${DETACHED_KEY}/${wish}`;

const nameOf = ({ processId, birth, bootId }: LeaseOwner): string =>
  `${processId} ${birth} ${bootId}`;
