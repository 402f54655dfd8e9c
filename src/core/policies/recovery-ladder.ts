/** Steps of the ladder (C4): compact, compact deeply, ask the person. */
export type Rung = 'R1' | 'R2' | 'R3';

/** The ladder's memory of a run (C14). */
export type LadderState = {
  /** Recoveries made, R1 included. */
  readonly recoveries: number;
  readonly last: { readonly rung: Rung; readonly iteration: number } | null;
};

/** C4: a step counts for the next one within so many iterations. */
const WINDOW = 20;
/** C4: recoveries in one run; then the run goes on to its iteration or time limit. */
const MOST_RECOVERIES = 4;

export const LADDER_START: LadderState = { recoveries: 0, last: null };

/**
 * The next step for a context over its threshold; `undefined` when the ladder is used up (C4).
 * After the person was asked it starts again with a deep prune.
 */
export function nextRung(state: LadderState, iteration: number): Rung | undefined {
  if (state.recoveries >= MOST_RECOVERIES) return undefined;
  if (state.last === null || iteration - state.last.iteration > WINDOW) return 'R1';
  switch (state.last.rung) {
    case 'R1':
    case 'R3':
      return 'R2';
    case 'R2':
      return 'R3';
    default:
      return state.last.rung satisfies never;
  }
}

export function climbed(state: LadderState, rung: Rung, iteration: number): LadderState {
  return { recoveries: state.recoveries + 1, last: { rung, iteration } };
}
