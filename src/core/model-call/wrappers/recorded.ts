import type { WrapModelCall } from '../model-call.ts';

/**
 * Sends nothing before all that its run has done so far is on disk (durability, rule 1). Everything outside of it is
 * done while the disk works.
 * @param recorded resolves when a run's records are on disk; rejects when one was refused
 */
export function withRecorded(recorded: (runId: string) => Promise<void>): WrapModelCall {
  return (next) =>
    async function* afterRecords(request, context) {
      await recorded(context.runId);
      yield* next(request, context);
    };
}
