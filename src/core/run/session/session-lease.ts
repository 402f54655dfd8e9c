import { told } from '../../../domain/text/told.ts';
import { BelayError, tells } from '../../../domain/failure.ts';
import type { LeaseOwner, Leases } from '../../ports/store/leases.ts';
import type { Log } from '../../ports/log.ts';

export interface LeasePorts {
  readonly leases: Leases;
  readonly log: Log;
}

/** One owner a session (durability rule 4): what this process does in a session, it does with its lease. */
export class SessionLease {
  readonly #leases: Leases;
  readonly #log: Log;

  constructor({ leases, log }: LeasePorts) {
    this.#leases = leases;
    this.#log = log;
  }

  /** Does some work as the session's owner. Rejects with `busy` when another living process owns it. */
  async hold<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
    const { owned, owner } = await this.#leases.claim(sessionId);
    if (!owned) throw worksElsewhere(owner);
    try {
      return await work();
    } finally {
      await this.#leases
        .release(sessionId)
        .catch((error: unknown) => this.#log.error('A session could not be released.', error));
    }
  }

  /** Another living process works on the session. */
  async isElsewhere(sessionId: string): Promise<boolean> {
    return (await this.#otherOwner(sessionId)) !== undefined;
  }

  /** Rejects with `busy` when another living process works on the session. */
  async refuseElsewhere(sessionId: string): Promise<void> {
    const owner = await this.#otherOwner(sessionId);
    if (owner !== undefined) throw worksElsewhere(owner);
  }

  async #otherOwner(sessionId: string): Promise<LeaseOwner | undefined> {
    const owner = await this.#leases.owner(sessionId);
    return owner?.alive === true && !owner.self ? owner : undefined;
  }
}

function worksElsewhere(owner: LeaseOwner | undefined): BelayError {
  return new BelayError({
    code: 'busy',
    ...tells(
      owner === undefined
        ? told`This session is at work in another window.`
        : told`This session is at work in another window (process ${String(owner.processId)}).`,
      told`Nothing was changed here and your text is kept. Wait until it is done, take it back from the background, or close that window and take the session over.`,
    ),
    ...(owner === undefined ? {} : { details: { processId: owner.processId } }),
  });
}
