import { BelayError } from '../domain/failure.ts';
import type { Clock, Log, Recorder, Write } from './ports.ts';

/** Milliseconds between two tries while the disk is full (durability rule 8: readable within 2 s). */
const RETRY_MS = 1000;

/**
 * A recorder that holds the run while the disk is full: it says so once, keeps the batch, lets
 * later batches wait behind it, and goes on when there is room. Any other refusal is thrown.
 */
export function patientRecorder(
  inner: Recorder,
  ports: {
    readonly clock: Clock;
    readonly log: Log;
    readonly signal: AbortSignal;
    readonly warn: (message: string) => void;
  },
): Recorder {
  let held: Promise<void> | undefined;

  async function insist(writes: readonly Write[], refusal: BelayError): Promise<void> {
    ports.warn(`${refusal.message} The run waits and goes on by itself as soon as there is room.`);
    for (;;) {
      await ports.clock.sleep(RETRY_MS, ports.signal);
      try {
        await inner.commit(writes);
        ports.log.info('The database can be written again.');
        return;
      } catch (error) {
        if (!passes(error)) throw error;
      }
    }
  }

  async function commit(writes: readonly Write[]): Promise<void> {
    while (held !== undefined) await held;
    try {
      await inner.commit(writes);
    } catch (error) {
      if (!passes(error) || ports.signal.aborted) throw error;
      while (held !== undefined) await held;
      const insisting = insist(writes, error);
      held = insisting
        .catch(() => undefined)
        .then(() => {
          held = undefined;
        });
      await insisting;
    }
  }

  return {
    commit,
    draft: (sessionId, messageId, parts) => inner.draft(sessionId, messageId, parts),
    events: (events) => inner.events(events),
    flush: async () => inner.flush(),
  };
}

function passes(error: unknown): error is BelayError {
  return (
    error instanceof BelayError &&
    error.code === 'store' &&
    error.failure.details?.['retryable'] === true
  );
}
