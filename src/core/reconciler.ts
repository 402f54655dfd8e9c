import type { Run } from '../domain/run.ts';
import { eligibility, isUnknown } from './handoff.ts';
import type { Clock, Recorder, RunRecords, Write } from './ports.ts';

export interface ReconcilePorts {
  readonly clock: Clock;
  readonly recorder: Recorder;
  readonly runs: RunRecords;
  /** Stops a process group that a dead process left running; `true` when there was one. */
  readonly stopAbandoned: (group: {
    readonly pid: number;
    readonly birth: string;
  }) => Promise<boolean>;
}

export interface Reconciled {
  /** Runs with calls that may or may not have happened (C9). */
  readonly unsafe: readonly { readonly run: Run; readonly callIds: readonly string[] }[];
  readonly timedOut: number;
  readonly failed: number;
  readonly cancelled: number;
}

/**
 * Settles the runs that crashed processes left behind (C8): one that was told to stop is cancelled
 * (C6), any other is timed out and offered for resume where its checkpoint allows it. A run whose
 * session has a living owner is never touched, whatever the clocks say. A command that such a run left
 * behind is stopped.
 */
export async function reconcile({
  clock,
  recorder,
  runs,
  stopAbandoned,
}: ReconcilePorts): Promise<Reconciled> {
  const counts = { timedOut: 0, failed: 0, cancelled: 0 };
  const unsafe: { run: Run; callIds: readonly string[] }[] = [];
  const writes: Write[] = [];
  for (const run of await runs.abandoned(0)) {
    const unknown = (await runs.ledger({ runId: run.id, states: ['unknown'] })).filter((entry) =>
      isUnknown(entry),
    );
    for (const { process } of unknown) if (process !== undefined) await stopAbandoned(process);
    if (run.state === 'timed_out') continue;
    if (run.cancelRequested) {
      counts.cancelled += 1;
      const end = { reason: 'canceled', state: 'cancelled', canContinue: false } as const;
      writes.push({ kind: 'run', run: { ...run, state: 'cancelled', end, endedAt: clock.now() } });
      continue;
    }
    const { resumable } = eligibility(await runs.latestCheckpoint(run.id));
    counts.timedOut += 1;
    if (unknown.length > 0) unsafe.push({ run, callIds: unknown.map((entry) => entry.callId) });
    writes.push({ kind: 'run', run: { ...run, state: 'timed_out', resumeAvailable: resumable } });
  }
  if (writes.length > 0) await recorder.commit(writes);
  return { ...counts, unsafe };
}
