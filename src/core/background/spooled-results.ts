import type { Blobs } from '../ports/store/blobs.ts';
import type { OutputSpool } from '../ports/commands/output-spool.ts';

/** Results of the store, and those that are too long for it. */
export function spooledResults(
  blobs: Pick<Blobs, 'result'>,
  spool: OutputSpool | undefined,
): Pick<Blobs, 'result'> {
  return {
    result: async (...request) => (await blobs.result(...request)) ?? spool?.read(...request),
  };
}
