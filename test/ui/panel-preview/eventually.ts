import { setTimeout as delay } from 'node:timers/promises';

/** Waits until a check holds; the last failure, after 10 s, is the test's. */
export async function eventually(check: () => Promise<void> | void): Promise<void> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(30);
    }
  }
}
