import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

/** Resolves when something is so; rejects when it does not come about. */
export async function eventually(what: string, check: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2000 && !check(); turn += 1) await delay(10);
  assert.ok(check(), `It did not come about: ${what}.`);
}

/** Resolves when a condition holds; the test's own limit ends it. */
export async function until(check: () => Promise<boolean>): Promise<void> {
  while (!(await check())) await delay(10);
}
