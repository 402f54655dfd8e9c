import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import type { Json } from '../../../domain/data/json.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SharedValues } from '../../ports/store/shared-values.ts';
import { isBusy } from './review-store.ts';

const PREFIX = 'review-lock:';
/** Milliseconds after which a window that holds a file is taken to be gone; a decision takes some of them. */
const LONGEST = 10_000;

interface Parts {
  readonly values: SharedValues;
  readonly clock: Clock;
  /** Of this window: no other one, earlier ones included, has the same. */
  readonly writer: string;
}

/** One window at a time decides about a file: it looks, changes the file and stores, and no other does meanwhile. */
export class FileLocks {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws BelayError `busy` when another window is deciding about the file; nothing is done then */
  async during<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
    const { values } = this.#parts;
    const key = PREFIX + path;
    // A store that takes nothing holds no decision up: what needs it fails by itself.
    const lock = await this.#take(key, path).catch((thrown: unknown) => {
      if (isBusy(thrown)) throw thrown;
      return undefined;
    });
    if (lock === undefined) return work();
    try {
      return await work();
    } finally {
      // Taken over by another window, it is that one's.
      await values.swap([{ key, value: null }], { key, value: lock }).catch(() => undefined);
    }
  }

  async #take(key: string, path: string): Promise<Json> {
    const { values, clock, writer } = this.#parts;
    const held = await values.get(key);
    const now = clock.now();
    const [holder, at] = Array.isArray(held) ? (held as readonly Json[]) : [];
    const isHeld = typeof at === 'number' && Math.abs(now - at) < LONGEST && holder !== writer;
    const lock = [writer, now];
    if (!isHeld && (await values.swap([{ key, value: lock }], { key, value: held }))) return lock;
    const message = told`The pending changes of ${path} are being decided in another window in this very moment. Nothing was done here; look at them and decide again.`;
    throw fault('busy', message);
  }
}
