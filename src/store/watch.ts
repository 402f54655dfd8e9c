import type { Clock } from '../core/ports/clock.ts';
import type { Disposable } from '../domain/lifetime/disposable.ts';
import type { Client } from './client.ts';

/** Milliseconds until a watching window sees what the owner wrote. */
const LOOK_EVERY = 500;

/** Calls `listener` after another process has committed; nearly free. */
export function watchDatabase(client: Client, clock: Clock, listener: () => void): Disposable {
  let known: number | undefined;
  let looking = false;
  const look = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    try {
      const version = await client.call('dataVersion', undefined);
      const changed = known !== undefined && version !== known;
      known = version;
      if (changed) listener();
    } catch {
      // The store is closed or in trouble; who asks it for something hears of it.
    } finally {
      looking = false;
    }
  };
  void look();
  return clock.every(LOOK_EVERY, () => void look());
}
