import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { SystemClock } from '../../src/hosts/node/clock.ts';
import { openStore } from '../../src/store/store.ts';
import { silentLog } from '../support/memory-recorder.ts';
import { askMemory } from '../support/memory-set.ts';

/** 100 questions about 200 notes: how many find theirs among the first five, and how long one takes. */
export async function run(): Promise<readonly Readonly<Record<string, string | number>>[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belay-memory-'));
  const store = await openStore({
    folder,
    worker: new URL('../../src/store/worker.ts', import.meta.url),
    clock: new SystemClock(),
    log: silentLog,
  });
  try {
    const asked = await askMemory(store.memories);
    const times = asked.map(({ took }) => took).toSorted((one, other) => one - other);
    const share = (of: (one: (typeof asked)[number]) => boolean): string =>
      (asked.filter(of).length / asked.length).toFixed(2);
    return [
      { what: 'recall at 5 (at least 0.9)', value: share(({ found }) => found) },
      { what: 'first', value: share(({ first }) => first) },
      { what: 'ms, median', value: (times[times.length >> 1] ?? 0).toFixed(2) },
      { what: 'ms, the slowest (at most 10)', value: (times.at(-1) ?? 0).toFixed(2) },
    ];
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}
