import type { Run } from '../domain/run.ts';
import type { Clock, Leases, Recorder, RunRecords, Write } from './ports.ts';
import { eligibility } from './handoff.ts';

/** Milliseconds without a heartbeat after which a run without a living owner is stale: three missed beats. */
const STALE_MS = 30_000;
/** Milliseconds after which a run that waits for the human and was told to stop is cancelled (C6). */
const CANCEL_MS = 180_000;

export interface ReconcilePorts {
  readonly clock: Clock;
  readonly leases: Leases;
  readonly recorder: Recorder;
  readonly runs: RunRecords;
}

/**
 * Looks for runs that crashed processes left behind (C8). A run whose session has a living owner
 * is never touched, whatever the clocks say. `isMine` tells the runs of this process.
 */
export async function reconcile(
  ports: ReconcilePorts,
  isMine: (run: Run) => boolean,
): Promise<{ readonly timedOut: number; readonly failed: number; readonly cancelled: number }> {
  const counts = { timedOut: 0, failed: 0, cancelled: 0 };
  const open = await ports.runs.runs({ states: ['running', 'waiting_on_human'] });
  const writes: Write[] = [];
  for (const run of open) {
    if (isMine(run)) continue;
    const owner = await ports.leases.owner(run.sessionId);
    if (owner?.alive === true) continue;
    const now = ports.clock.now();
    if (run.cancelRequested && (run.state === 'running' || now - run.heartbeatAt > CANCEL_MS)) {
      counts.cancelled += 1;
      const end = { reason: 'canceled', state: 'cancelled', canContinue: false } as const;
      writes.push({ kind: 'run', run: { ...run, state: 'cancelled', end, endedAt: now } });
      continue;
    }
    // A dead owner is certain; without any, a young heartbeat may belong to a process that is just starting.
    if (owner === undefined && Math.abs(now - run.heartbeatAt) < STALE_MS) continue;
    const { resumable } = eligibility(await ports.runs.latestCheckpoint(run.id));
    counts.timedOut += 1;
    writes.push({ kind: 'run', run: { ...run, state: 'timed_out', resumeAvailable: resumable } });
  }
  if (writes.length > 0) await ports.recorder.commit(writes);
  return counts;
}
