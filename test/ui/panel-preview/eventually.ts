import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits until a check holds; the last failure, after 25 s, is the test's. It measures nothing: a question that is read
 * screen by screen takes 40 drawings, which were seen to take 12 s while others used the processors, too.
 */
export async function eventually(check: () => Promise<void> | void): Promise<void> {
  const deadline = Date.now() + 25_000;
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
