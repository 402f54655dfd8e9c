/** `BELAY_CHAOS=long` runs many times what `npm test` has time for. */
export const LONG = process.env['BELAY_CHAOS'] === 'long';

/** Pseudo-random numbers of a seed that is printed: what fails can be run again with `BELAY_SEED`. */
export function dice(): { readonly seed: number; next(below: number): number } {
  const seed = Number(process.env['BELAY_SEED'] ?? Date.now() % 1_000_000);
  let state = seed + 1;
  return {
    seed,
    next: (below) => {
      // Mulberry32.
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return (((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below;
    },
  };
}
