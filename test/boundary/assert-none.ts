import { AssertionError } from 'node:assert';

/**
 * Fails with one line per offender, which reads better than the difference from an empty list.
 * @param advice what to do about them
 * @throws {AssertionError} if there is an offender
 */
export function assertNone(offenders: readonly string[], advice?: string): void {
  if (offenders.length === 0) return;
  const lines = advice === undefined ? offenders : [`${advice}:`, ...offenders];
  throw new AssertionError({ message: lines.join('\n'), stackStartFn: assertNone });
}
