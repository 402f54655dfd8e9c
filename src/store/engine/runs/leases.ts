import type { LeaseOwner } from '../../../core/ports/store/leases.ts';
import type { Connection } from '../../database/connection.ts';
import {
  bootId,
  livenessOf,
  ownIdentity,
  seemsAlive,
  type Liveness,
  type ProcessIdentity,
} from '../../process-identity.ts';
import { whole } from '../columns.ts';

interface LeaseRow {
  readonly process_id: number;
  readonly birth: string;
  readonly boot_id: string;
  readonly renewals: number;
}

/**
 * Milliseconds without renewal, by our own monotonic clock, after which an owner in another container or on another
 * machine, which cannot be looked at, counts as dead.
 */
const UNSEEN_OWNER_DEAD_AFTER = 60_000;

/** Leases taken by owners that can only be watched: their renewals, and since when they stand still. */
export class LeaseWatch {
  readonly #seen = new Map<string, { readonly renewals: number; readonly since: number }>();
  readonly #monotonic: () => number;
  readonly #liveness: (identity: ProcessIdentity) => Promise<Liveness>;

  constructor(
    liveness: (identity: ProcessIdentity) => Promise<Liveness> = livenessOf,
    monotonic: () => number = () => performance.now(),
  ) {
    this.#liveness = liveness;
    this.#monotonic = monotonic;
  }

  /** True while a lease's owner lives. */
  async alive(sessionId: string, lease: LeaseRow): Promise<boolean> {
    const liveness = await this.#liveness(identityIn(lease));
    if (liveness !== 'elsewhere') return liveness === 'alive';
    const seen = this.#seen.get(sessionId);
    if (seen?.renewals !== lease.renewals) {
      this.#seen.set(sessionId, { renewals: lease.renewals, since: this.#monotonic() });
      return true;
    }
    return this.#monotonic() - seen.since < UNSEEN_OWNER_DEAD_AFTER;
  }
}

interface ClaimRequest {
  readonly sessionId: string;
  /** Milliseconds since the epoch, for people who look into the database. */
  readonly at: number;
  /** Takes it from an owner that lives, too. */
  readonly force: boolean;
}

/**
 * Takes a session: judges the owner (that may ask the system), then writes the lease in one IMMEDIATE transaction if it
 * is still that one's.
 */
export async function claim(
  connection: Connection,
  watch: LeaseWatch,
  { sessionId, at, force }: ClaimRequest,
): Promise<{ readonly owned: boolean; readonly owner?: LeaseOwner }> {
  const self = await ownIdentity();
  for (;;) {
    const judged = leaseOf(connection, sessionId);
    const isOthers = judged !== undefined && !isSame(judged, self);
    if (isOthers && !force && (await watch.alive(sessionId, judged))) {
      return { owned: false, owner: ownerOf(judged, self, true) };
    }
    const taken = connection.transaction(() => {
      const present = leaseOf(connection, sessionId);
      if (present !== undefined && !sameLease(present, judged)) return false;
      connection.run(
        `INSERT INTO leases (session_id, process_id, birth, boot_id, renewals, renewed_at)
         VALUES (?, ?, ?, ?, 0, ?)
         ON CONFLICT (session_id) DO UPDATE SET process_id = excluded.process_id, birth = excluded.birth,
           boot_id = excluded.boot_id, renewals = renewals + 1, renewed_at = excluded.renewed_at`,
        sessionId,
        self.processId,
        self.birth,
        self.bootId,
        whole(at),
      );
      return true;
    });
    if (taken) return { owned: true, owner: { ...self, self: true, alive: true } };
  }
}

/** Gives a session back; a lease of another owner stays. */
export async function release(connection: Connection, sessionId: string): Promise<void> {
  const self = await ownIdentity();
  connection.run(
    'DELETE FROM leases WHERE session_id = ? AND process_id = ? AND birth = ? AND boot_id = ?',
    sessionId,
    self.processId,
    self.birth,
    self.bootId,
  );
}

/** A session's holder, and whether that process lives. */
export async function ownerOfSession(
  connection: Connection,
  watch: LeaseWatch,
  sessionId: string,
): Promise<LeaseOwner | undefined> {
  const lease = leaseOf(connection, sessionId);
  if (lease === undefined) return undefined;
  const self = await ownIdentity();
  const alive = isSame(lease, self) || (await watch.alive(sessionId, lease));
  return ownerOf(lease, self, alive);
}

/** Renews the leases of this process. `at` is for people who look into the database. */
export async function renew(connection: Connection, at: number): Promise<void> {
  const self = await ownIdentity();
  connection.run(
    `UPDATE leases SET renewals = renewals + 1, renewed_at = ?
     WHERE process_id = ? AND birth = ? AND boot_id = ?`,
    whole(at),
    self.processId,
    self.birth,
    self.bootId,
  );
}

/** The living owner of a session if it is not this process; decided at once. */
export function otherOwner(connection: Connection, sessionId: string): ProcessIdentity | undefined {
  const lease = leaseOf(connection, sessionId);
  if (lease === undefined) return undefined;
  // Same id in the same boot: this process, or one that is gone.
  if (lease.process_id === process.pid && lease.boot_id === bootId()) return undefined;
  const owner = identityIn(lease);
  return seemsAlive(owner) ? owner : undefined;
}

export function leaseOf(connection: Connection, sessionId: string): LeaseRow | undefined {
  return connection.get<LeaseRow>(
    'SELECT process_id, birth, boot_id, renewals FROM leases WHERE session_id = ?',
    sessionId,
  );
}

function identityIn(lease: LeaseRow): ProcessIdentity {
  return { processId: lease.process_id, birth: lease.birth, bootId: lease.boot_id };
}

function isSame(lease: LeaseRow, self: ProcessIdentity): boolean {
  return (
    lease.process_id === self.processId &&
    lease.birth === self.birth &&
    lease.boot_id === self.bootId
  );
}

function sameLease(lease: LeaseRow, judged: LeaseRow | undefined): boolean {
  return (
    judged !== undefined && lease.renewals === judged.renewals && isSame(lease, identityIn(judged))
  );
}

function ownerOf(lease: LeaseRow, self: ProcessIdentity, alive: boolean): LeaseOwner {
  return { ...identityIn(lease), self: isSame(lease, self), alive };
}
