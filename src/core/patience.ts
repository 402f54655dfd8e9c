import type { Clock } from './ports.ts';

/**
 * What a promise gives; `undefined` when it takes longer.
 * @param patience milliseconds
 */
export async function soon<Value>(
  clock: Clock,
  patience: number,
  promise: Promise<Value>,
): Promise<Value | undefined> {
  const over = new AbortController();
  const late = clock.sleep(patience, over.signal).then(
    () => undefined,
    () => undefined,
  );
  try {
    return await Promise.race([promise, late]);
  } finally {
    over.abort();
  }
}
