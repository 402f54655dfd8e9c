import { abortError } from './abort.ts';

/** Waits, but not longer than the signal allows: then it rejects with an AbortError. The work itself goes on. */
export async function untilAborted<Result>(
  work: PromiseLike<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(abortError());
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
