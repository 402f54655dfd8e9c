import type { Message } from '../../../domain/message.ts';
import type { LedgerEntry, Run, StartedProcess } from '../../../domain/run.ts';
import { type ClosePorts, closeRun, eligibility, abandonedCalls } from './handoff.ts';
import type { Leases } from '../../ports/store/leases.ts';
import type { Log } from '../../ports/log.ts';
import type { RunRecords } from '../../ports/store/run-records.ts';

export interface ReconcilePorts extends ClosePorts {
  readonly log: Log;
  readonly runs: RunRecords;
  readonly leases: Leases;
  /** This process works on the session. */
  readonly isBusy: (sessionId: string) => boolean;
  /** Stops a process group that a dead process left running; `true` when there was one. */
  readonly stopAbandoned: (group: StartedProcess) => Promise<boolean>;
}

export interface Reconciled {
  /** Offered for resume, or left to the human. */
  readonly timedOut: readonly {
    readonly run: Run;
    /** Calls that may or may not have happened (C9). */
    readonly unknown: readonly string[];
  }[];
  /** Told to stop before their process died (C6), with the messages that close their history (D4). */
  readonly cancelled: readonly { readonly run: Run; readonly added: readonly Message[] }[];
  /** Sessions of runs that could not be settled, one for each run; the log says why. */
  readonly failed: readonly string[];
}

type Settled =
  | { readonly as: 'timed_out'; readonly run: Run; readonly unknown: readonly string[] }
  | { readonly as: 'cancelled'; readonly run: Run; readonly added: readonly Message[] };

/**
 * Settles runs of crashed processes (C8): cancelled when told to stop (C6), else timed out, and
 * resumable where the checkpoint allows it. Never one with a living owner. Their commands are
 * stopped.
 */
export async function reconcile(ports: ReconcilePorts): Promise<Reconciled> {
  const settled: Settled[] = [];
  const failed: string[] = [];
  for (const run of await ports.runs.abandoned(0)) {
    try {
      const one = await withLease(run.sessionId, ports, async () => settle(run.id, ports));
      if (one !== undefined) settled.push(one);
    } catch (error) {
      failed.push(run.sessionId);
      ports.log.error(`Run ${run.id} was left behind and could not be settled yet.`, error);
    }
  }
  return {
    timedOut: settled.filter((one) => one.as === 'timed_out'),
    cancelled: settled.filter((one) => one.as === 'cancelled'),
    failed,
  };
}

/** Holds the session while it is settled, so that no other window begins to work on it. */
async function withLease(
  sessionId: string,
  { leases, isBusy }: ReconcilePorts,
  work: () => Promise<Settled | undefined>,
): Promise<Settled | undefined> {
  if (isBusy(sessionId)) return undefined;
  const { owned } = await leases.claim(sessionId);
  if (!owned) return undefined;
  try {
    return await work();
  } finally {
    // A run that began in this process meanwhile has the lease now.
    if (!isBusy(sessionId)) await leases.release(sessionId);
  }
}

async function settle(runId: string, ports: ReconcilePorts): Promise<Settled | undefined> {
  const run = await ports.runs.run(runId);
  // It may have been taken up, and ended, since it was listed.
  if (run === undefined || (run.state !== 'running' && run.state !== 'waiting_on_human'))
    return undefined;
  const remains = await abandonedCalls(run, ports);
  await stopProcesses(remains.unknown, ports);
  const checkpoint = await ports.runs.latestCheckpoint(run.id);
  if (ports.isBusy(run.sessionId)) return undefined; // a person was quicker
  if (run.cancelRequested)
    return { as: 'cancelled', run, added: await closeRun(run, remains, ports) };
  const { resumable } = eligibility(checkpoint);
  const timedOut: Run = { ...run, state: 'timed_out', resumeAvailable: resumable };
  await ports.recorder.commit([{ kind: 'run', run: timedOut }]);
  return { as: 'timed_out', run: timedOut, unknown: remains.unknown.map(({ callId }) => callId) };
}

/** Durability rule 6. */
async function stopProcesses(
  entries: readonly LedgerEntry[],
  { stopAbandoned, log }: ReconcilePorts,
): Promise<void> {
  for (const { process, callId } of entries) {
    if (process === undefined) continue;
    try {
      if (await stopAbandoned(process))
        log.info('A command that a crash had left running was stopped.', { callId });
    } catch (error) {
      log.error(`A command that a crash had left running could not be stopped (${callId}).`, error);
    }
  }
}
