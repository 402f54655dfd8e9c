import { setTimeout as delay } from 'node:timers/promises';

/**
 * Milliseconds to wait for what must happen. A start of VS Code was seen to take more than a minute where others had
 * work for both processors; a quiet machine never notices.
 */
export const PATIENCE = 120_000;

/** Milliseconds between two looks. */
const PAUSE = 50;

/**
 * Waits until `probe` gives something. A page that was replaced while it was looked into is looked into again.
 * Rejects with `what` after `patience` milliseconds.
 */
export async function until<Value>(
  what: string,
  probe: () => Value | undefined | false | Promise<Value | undefined | false>,
  patience = PATIENCE,
): Promise<Value> {
  const deadline = Date.now() + patience;
  for (;;) {
    let cause: unknown;
    try {
      const value = await probe();
      if (value !== undefined && value !== false) return value;
    } catch (error) {
      if (!wasReplaced(error)) throw error;
      cause = error;
    }
    if (Date.now() > deadline) throw new Error(`It did not happen: ${what}.`, { cause });
    await delay(PAUSE);
  }
}

/** As Playwright says it of a frame that is not there any more; a browser that has ended is another matter. */
const wasReplaced = (error: unknown): boolean =>
  error instanceof Error &&
  /frame (?:was|has been|got) detached|context was destroyed/iu.test(error.message);
