/**
 * The seed of everything that tests draw at random. It is fixed, so that one commit always runs the same tests;
 * `BELAY_SEED` sets another, as `npm run bench -- histories` does. The values of seed 12 are known to be varied enough
 * for tests that count what they have seen.
 */
export const SEED = Number(process.env['BELAY_SEED'] ?? 12);

/** How many times the usual number of random cases is tried: 1, or `BELAY_RUNS_FACTOR`. */
const FACTOR = Number(process.env['BELAY_RUNS_FACTOR'] ?? 1);

/** Returns how many random cases to try where `npm test` tries `usual`. */
export const runs = (usual: number): number => Math.ceil(usual * FACTOR);

/** Creates a generator of pseudo-random numbers in [0, 1). The same seed gives the same numbers. */
export function createRandom(seed = SEED): () => number {
  let state = seed + 1;
  return () => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
