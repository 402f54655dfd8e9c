import type { Run } from '../../domain/run.ts';
import { one, type Connection } from '../database/connection.ts';
import { identityAtOnce, livenessOf } from '../process-identity.ts';
import { whole } from './columns.ts';
import { leaseOf, type LeaseWatch } from './runs/leases.ts';
import { readRuns } from './runs/run-reads.ts';

/** The entry of a process into the database. */
export interface Entry {
  readonly epoch: number;
  /** A process that died had not closed the database. */
  readonly unclean: boolean;
}

/** Enters this process, with a new durable epoch if needed, and strikes out dead ones. */
export async function enter(connection: Connection, at: number, known?: number): Promise<Entry> {
  const others = connection.all<{
    epoch: number;
    process_id: number;
    birth: string;
    boot_id: string;
  }>('SELECT epoch, process_id, birth, boot_id FROM openers WHERE epoch <> ?', known ?? 0);
  const judged = await Promise.all(
    others.map(async ({ epoch, process_id: processId, birth, boot_id: boot }) => ({
      epoch,
      liveness: await livenessOf({ processId, birth, bootId: boot }),
    })),
  );
  const dead = judged.filter((other) => other.liveness === 'dead');
  const self = await identityAtOnce();
  const epoch = connection.transaction(() => {
    for (const gone of dead) connection.run('DELETE FROM openers WHERE epoch = ?', gone.epoch);
    const taken = known ?? nextEpoch(connection);
    connection.run(
      'INSERT OR REPLACE INTO openers (epoch, process_id, birth, boot_id, opened_at) VALUES (?, ?, ?, ?, ?)',
      taken,
      self.processId,
      self.birth,
      self.bootId,
      whole(at),
    );
    // Removes what an import left when its process died.
    connection.exec(
      'DELETE FROM sessions WHERE importing IS NOT NULL AND importing NOT IN (SELECT epoch FROM openers)',
    );
    return taken;
  });
  return { epoch, unclean: dead.length > 0 };
}

function nextEpoch(connection: Connection): number {
  return one<{ value: number }>(
    connection,
    "UPDATE meta SET value = value + 1 WHERE key = 'epoch' RETURNING value",
  ).value;
}

export function readEpoch(connection: Connection): number {
  return one<{ value: number }>(connection, "SELECT value FROM meta WHERE key = 'epoch'").value;
}

/** Takes a further epoch for this process, above `floor`: ids of an imported session will not come again. */
export function takeEpochAbove(connection: Connection, floor: number): number {
  return connection.transaction(() => {
    connection.run(
      "UPDATE meta SET value = max(value, ?) WHERE key = 'epoch'",
      whole(Math.min(floor, HIGHEST_EPOCH)),
    );
    return nextEpoch(connection);
  });
}

/** A file that claims more than this is not believed. */
const HIGHEST_EPOCH = 1_000_000_000;

export function leave(connection: Connection, epoch: number): void {
  connection.run('DELETE FROM openers WHERE epoch = ?', epoch);
}

/** Unfinished runs without an owner; running calls become `unknown` (durability rule 2). */
export async function abandonedRuns(
  connection: Connection,
  watch: LeaseWatch,
  olderThanMs: number,
  at: number,
): Promise<Run[]> {
  const open = readRuns(connection, { states: ['queued', 'running', 'waiting_on_human'] });
  const known = new Map<string, Judged>();
  const abandoned: Run[] = [];
  for (const run of open) {
    if (Math.abs(at - run.heartbeatAt) < olderThanMs) continue;
    const { alive } = await judge(connection, watch, run.sessionId, known);
    if (!alive) abandoned.push(run);
  }
  await markUnknown(connection, watch, known);
  return abandoned;
}

/** Turns running calls without a living owner into `unknown`. */
export async function markUnknown(
  connection: Connection,
  watch: LeaseWatch,
  known = new Map<string, Judged>(),
): Promise<void> {
  const sessions = connection.all<{ session_id: string }>(
    "SELECT DISTINCT session_id FROM ledger WHERE state = 'running'",
  );
  for (const { session_id: sessionId } of sessions) {
    const { lease, alive } = await judge(connection, watch, sessionId, known);
    if (alive) continue;
    connection.transaction(() => {
      // Somebody may have taken the session since it was judged.
      const present = leaseOf(connection, sessionId);
      if (present?.renewals !== lease?.renewals || present?.birth !== lease?.birth) return;
      connection.run(
        "UPDATE ledger SET state = 'unknown' WHERE session_id = ? AND state = 'running'",
        sessionId,
      );
    });
  }
}

/** A lease as it was read, and whether its owner lived then. */
interface Judged {
  readonly lease: ReturnType<typeof leaseOf>;
  readonly alive: boolean;
}

async function judge(
  connection: Connection,
  watch: LeaseWatch,
  sessionId: string,
  known: Map<string, Judged>,
): Promise<Judged> {
  const before = known.get(sessionId);
  if (before !== undefined) return before;
  const lease = leaseOf(connection, sessionId);
  const judged = { lease, alive: lease !== undefined && (await watch.alive(sessionId, lease)) };
  known.set(sessionId, judged);
  return judged;
}
