import { setTimeout as delay } from 'node:timers/promises';

/** Waits until `probe` gives something; VS Code answers some things late, and a busy machine later still. Fails with `what` after 30 s. */
export async function eventually<Value>(
  what: string,
  probe: () => Value | undefined | false | Promise<Value | undefined | false>,
): Promise<Value> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const value = await probe();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`It did not happen: ${what}.`);
    await delay(25);
  }
}
