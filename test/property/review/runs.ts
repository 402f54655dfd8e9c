/** A long run: only new histories, and many. */
export const isLong = process.env['BELAY_PROPERTY_RUNS'] !== undefined;

/** Histories of a random test: many more with `BELAY_PROPERTY_RUNS`. */
export function runs(usual: number): number {
  return Number(process.env['BELAY_PROPERTY_RUNS'] ?? usual);
}

/** Another one at every run; `BELAY_PROPERTY_SEED` makes the histories of a run again. */
export const NEW_SEED = Number(process.env['BELAY_PROPERTY_SEED'] ?? Date.now() % 2 ** 31);

/** `BELAY_PROPERTY_PATH`, which a failure prints, makes that one history of the seed again: seconds, not minutes. */
export const REPLAY: { readonly path?: string; readonly endOnFailure?: boolean } =
  process.env['BELAY_PROPERTY_PATH'] === undefined
    ? {}
    : { path: process.env['BELAY_PROPERTY_PATH'], endOnFailure: true };
