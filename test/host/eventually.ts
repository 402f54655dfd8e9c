import { setTimeout as delay } from 'node:timers/promises';

/** Waits until `probe` gives something; VS Code answers some things late. Fails with `what` after 10 s. */
export async function eventually<Value>(
  what: string,
  probe: () => Value | undefined | false | Promise<Value | undefined | false>,
): Promise<Value> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const value = await probe();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`It did not happen: ${what}.`);
    await delay(25);
  }
}
