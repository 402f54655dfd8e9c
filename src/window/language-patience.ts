import { abortError, throwIfAborted } from '../domain/lifetime/abort.ts';
import type { Disposable } from '../domain/lifetime/disposable.ts';

/** The promise's value, or `undefined` after `ms`. Rejects with AbortError when the signal fires. */
export async function within<Value>(
  ms: number,
  promise: PromiseLike<Value>,
  signal: AbortSignal,
): Promise<Value | undefined> {
  throwIfAborted(signal);
  const { promise: ended, resolve, reject } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ms);
  const stop = (): void => reject(abortError());
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([promise, ended]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** Nothing, `ms` later. Rejects with AbortError when the signal fires. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await within(ms, new Promise<never>(() => {}), signal);
}

/** Resolves when a listener calls `done`, or after `ms`; listens no longer than that. */
export async function heard(
  ms: number,
  listen: (done: () => void) => Disposable,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const listening = listen(resolve);
  try {
    await within(ms, promise, signal);
  } finally {
    listening.dispose();
  }
}
