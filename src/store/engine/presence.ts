import type { Run } from '../../domain/run.ts';
import type { Connection } from '../database/connection.ts';
import { livenessOf, ownIdentity } from '../process-identity.ts';
import { whole } from './columns.ts';
import { leaseOf, type LeaseWatch } from './leases.ts';
import { readRuns } from './run-reads.ts';

/** Takes a new epoch, durably: ids made of it are unique among all processes that ever opened this database. */
export function takeEpoch(connection: Connection): number {
  return connection.transaction(
    () =>
      connection.get<{ value: number }>(
        "UPDATE meta SET value = value + 1 WHERE key = 'epoch' RETURNING value",
      )?.value ?? 0,
  );
}

/**
 * Enters this process among those that have the database open and strikes out the dead ones.
 * `true`: one of them had not closed it.
 */
export async function enter(connection: Connection, epoch: number, at: number): Promise<boolean> {
  const others = connection.all<{
    epoch: number;
    process_id: number;
    birth: string;
    boot_id: string;
  }>('SELECT epoch, process_id, birth, boot_id FROM openers WHERE epoch <> ?', epoch);
  const dead: number[] = [];
  for (const other of others) {
    const identity = { processId: other.process_id, birth: other.birth, bootId: other.boot_id };
    if ((await livenessOf(identity)) === 'dead') dead.push(other.epoch);
  }
  const self = await ownIdentity();
  connection.transaction(() => {
    for (const gone of dead) connection.run('DELETE FROM openers WHERE epoch = ?', gone);
    connection.run(
      'INSERT OR REPLACE INTO openers (epoch, process_id, birth, boot_id, opened_at) VALUES (?, ?, ?, ?, ?)',
      epoch,
      self.processId,
      self.birth,
      self.bootId,
      whole(at),
    );
    // What an import left behind when its process died.
    connection.exec(
      'DELETE FROM sessions WHERE importing IS NOT NULL AND importing NOT IN (SELECT epoch FROM openers)',
    );
  });
  return dead.length > 0;
}

/** Strikes this process out: it closed the database properly. */
export function leave(connection: Connection, epoch: number): void {
  connection.run('DELETE FROM openers WHERE epoch = ?', epoch);
}

/**
 * Unfinished runs without a living owner. Their running calls become `unknown`: whether they
 * happened cannot be known (durability rule 2). Runs of another window that lives stay as they are.
 */
export async function abandonedRuns(
  connection: Connection,
  watch: LeaseWatch,
  olderThanMs: number,
  at: number,
): Promise<Run[]> {
  const open = readRuns(connection, { states: ['queued', 'running', 'waiting_on_human'] });
  const living = new Map<string, boolean>();
  const abandoned: Run[] = [];
  for (const run of open) {
    if (Math.abs(at - run.heartbeatAt) < olderThanMs) continue;
    if (await hasOwner(connection, watch, run.sessionId, living)) continue;
    abandoned.push(run);
  }
  await markUnknown(connection, watch, living);
  return abandoned;
}

/** Turns running calls without a living owner into `unknown`. */
export async function markUnknown(
  connection: Connection,
  watch: LeaseWatch,
  living = new Map<string, boolean>(),
): Promise<void> {
  const sessions = connection.all<{ session_id: string }>(
    "SELECT DISTINCT session_id FROM ledger WHERE state = 'running'",
  );
  for (const { session_id: sessionId } of sessions) {
    if (await hasOwner(connection, watch, sessionId, living)) continue;
    const judged = leaseOf(connection, sessionId);
    connection.transaction(() => {
      // Somebody may have taken the session since it was judged.
      const present = leaseOf(connection, sessionId);
      if (present?.renewals !== judged?.renewals || present?.birth !== judged?.birth) return;
      connection.run(
        "UPDATE ledger SET state = 'unknown' WHERE session_id = ? AND state = 'running'",
        sessionId,
      );
    });
  }
}

async function hasOwner(
  connection: Connection,
  watch: LeaseWatch,
  sessionId: string,
  known: Map<string, boolean>,
): Promise<boolean> {
  let alive = known.get(sessionId);
  if (alive === undefined) {
    const lease = leaseOf(connection, sessionId);
    alive = lease !== undefined && (await watch.alive(sessionId, lease));
    known.set(sessionId, alive);
  }
  return alive;
}
