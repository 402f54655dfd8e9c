import type { Problem } from '../../ports/editor/language.ts';

/** A problem as far as it is compared; without a path: all are of one file. */
export type ComparedProblem = Pick<Problem, 'line' | 'severity' | 'source' | 'code' | 'message'> & {
  readonly path?: string;
};

/** New problems: those that say nothing old; of several equal ones, those farthest from the old. */
export function newProblems<One extends ComparedProblem>(
  before: readonly ComparedProblem[],
  after: readonly One[],
): readonly One[] {
  const known = new Map<string, number[]>();
  for (const problem of before)
    known.set(keyOf(problem), [...(known.get(keyOf(problem)) ?? []), problem.line]);
  const old = new Set<One>();
  for (const [key, lines] of known) {
    const alike = after.filter((problem) => keyOf(problem) === key);
    for (const line of lines) {
      const [nearest] = alike
        .filter((problem) => !old.has(problem))
        .toSorted((left, right) => Math.abs(left.line - line) - Math.abs(right.line - line));
      if (nearest !== undefined) old.add(nearest);
    }
  }
  return after.filter((problem) => !old.has(problem));
}

function keyOf({ path = '', severity, source, code, message }: ComparedProblem): string {
  return JSON.stringify([path, severity, source, code, message]);
}
