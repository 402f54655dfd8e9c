import type { FollowUpRecords } from '../../core/ports/store/followups.ts';
import type { RunRecords } from '../../core/ports/store/run-records.ts';

/** True when somebody has to look after this window is closed: a run, a queue, a follow-up, pending changes. */
export async function somethingWaits(
  {
    runs: records,
    followUps,
  }: {
    readonly runs: Pick<RunRecords, 'runs' | 'queued'>;
    readonly followUps: Pick<FollowUpRecords, 'all'>;
  },
  reviews: { readonly pending: readonly unknown[] } | undefined,
): Promise<boolean> {
  try {
    const runs = await records.runs({
      states: ['queued', 'running', 'waiting_on_human', 'timed_out'],
    });
    if (runs.some((run) => run.state !== 'timed_out' || run.resumeAvailable)) return true;
    if ((await followUps.all()).length > 0) return true;
    return (await records.queued()).length > 0 || (reviews?.pending.length ?? 0) > 0;
  } catch {
    return true; // then it is looked at when the database can be read
  }
}
