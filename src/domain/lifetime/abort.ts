/** The error that every wait of Belay rejects with when its signal fires; `failureOf` knows it as `canceled`. */
export function abortError(message = 'Canceled.'): Error {
  return new DOMException(message, 'AbortError');
}

/** True for what an aborted wait rejects with, ours or the platform's. */
export function isAbortError(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AbortError';
}

/** Throws an AbortError when the signal has fired, whatever its reason is. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortError();
}
