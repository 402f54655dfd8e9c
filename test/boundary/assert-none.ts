import { AssertionError } from 'node:assert';

/**
 * Fails with one line per offender, which reads better than the difference from an empty list.
 * @param advice what to do about them
 * @throws {AssertionError} if there is an offender
 */
export function assertNone(offenders: readonly string[], advice = 'These break the rule'): void {
  if (offenders.length === 0) return;
  const message = [`${advice}:`, ...offenders].join('\n');
  throw new AssertionError({ message, stackStartFn: assertNone });
}
