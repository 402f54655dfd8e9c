import { told, type Told } from '../../domain/text/told.ts';
import { BelayError, sentenceOf } from '../../domain/failure.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Recorder, Write } from '../ports/store/recorder.ts';

/** A run's recorder. */
export interface RunRecorder extends Recorder {
  /** Resolves when every batch given so far is on disk; rejects when one was refused. */
  recorded(): Promise<void>;
}

/** Milliseconds between two tries while the disk is full (durability rule 8: readable within 2 s). */
const RETRY_MS = 1000;

/**
 * A recorder that holds the run while the disk is full, says so once, and goes on when there is
 * room. Other refusals are thrown, and nothing more is taken. A batch counts as on disk when every
 * earlier one is (rule "log before act").
 */
export function patientRecorder(
  inner: Recorder,
  ports: {
    readonly clock: Clock;
    readonly log: Log;
    readonly signal: AbortSignal;
    readonly warn: (...sentences: readonly Told[]) => void;
  },
): RunRecorder {
  /** The end of the line, while batches wait: later ones go behind them, so that their order holds. */
  let line: Promise<void> | undefined;
  /** Resolves when all batches given so far are on disk; rejects when one of them was refused. */
  let earlier: Promise<void> = Promise.resolve();
  let refused: { readonly by: unknown } | undefined;
  let isTold = false;

  async function queue(work: () => Promise<void>): Promise<void> {
    const turn = (line ?? Promise.resolve()).then(work);
    const settled = turn.then(
      () => undefined,
      () => undefined,
    );
    line = settled;
    try {
      await turn;
    } finally {
      if (line === settled) line = undefined;
    }
  }

  async function insist(writes: readonly Write[], refusal: BelayError): Promise<void> {
    if (!isTold)
      ports.warn(sentenceOf(refusal), told`The run waits and goes on by itself when it can.`);
    isTold = true;
    for (;;) {
      await ports.clock.sleep(RETRY_MS, ports.signal);
      try {
        await inner.commit(writes);
        ports.log.info('The database can be written again.');
        isTold = false;
        return;
      } catch (error) {
        if (!passes(error)) throw error;
      }
    }
  }

  async function attempt(writes: readonly Write[], wait: typeof insist): Promise<void> {
    try {
      await inner.commit(writes);
    } catch (error) {
      if (!passes(error) || ports.signal.aborted) throw error;
      await wait(writes, error);
    }
  }

  async function record(writes: readonly Write[]): Promise<void> {
    if (line !== undefined) return queue(async () => attempt(writes, insist));
    return attempt(writes, async (kept, refusal) => queue(async () => insist(kept, refusal)));
  }

  async function commit(writes: readonly Write[]): Promise<void> {
    if (refused !== undefined) throw refused.by;
    earlier = Promise.all([earlier, record(writes)]).then(() => undefined);
    try {
      await earlier;
    } catch (error) {
      refused ??= { by: error };
      throw error;
    }
  }

  return {
    commit,
    draft: (sessionId, messageId, parts) => inner.draft(sessionId, messageId, parts),
    events: (events) => inner.events(events),
    flush: async () => inner.flush(),
    recorded: async () => earlier,
  };
}

function passes(error: unknown): error is BelayError {
  return (
    error instanceof BelayError &&
    error.code === 'store' &&
    error.failure.details?.['retryable'] === true
  );
}
