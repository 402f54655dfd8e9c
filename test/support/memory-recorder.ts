import { BelayError } from '../../src/domain/failure.ts';
import type { Recorder, Write } from '../../src/core/ports/store/recorder.ts';

/** A recorder that keeps batches in memory, in order; can be told to refuse, as a full disk does. */
export class MemoryRecorder implements Recorder {
  readonly batches: (readonly Write[])[] = [];
  refuse: BelayError | undefined;

  get writes(): readonly Write[] {
    return this.batches.flat();
  }

  async commit(writes: readonly Write[]): Promise<void> {
    await Promise.resolve();
    if (this.refuse !== undefined) throw this.refuse;
    this.batches.push(writes);
  }

  draft(): void {
    // Drafts are not looked at by these tests.
  }

  events(): void {
    // Nor are events.
  }

  async flush(): Promise<void> {
    await Promise.resolve();
  }
}

/** Ids of a test: `message-1`, `run-2` …, counted over all kinds. */
export function countingIds(): { next: (kind: string) => string } {
  let count = 0;
  return {
    next: (kind) => {
      count += 1;
      return `${kind}-${count}`;
    },
  };
}

export const silentLog = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** What a full disk answers. */
export function diskFull(): BelayError {
  return new BelayError({
    code: 'store',
    message: 'The disk is full.',
    details: { retryable: true },
  });
}

/** A record without any events, for brokers whose subscribers are quick. */
export const noEvents = {
  events: async () => Promise.resolve([]),
  flush: async () => Promise.resolve(),
};
