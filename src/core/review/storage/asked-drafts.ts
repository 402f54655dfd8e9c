import type { Clock } from '../../ports/clock.ts';
import type { Values } from '../../ports/store/values.ts';
import { isJsonObject } from '../../../domain/data/json.ts';

const PREFIX = 'asked-edit:';

/** Drafts kept at most; the oldest go first. */
const MOST = 20;

/**
 * Text that a person typed into asked edits, until they decide: after a reload the call asks again. The key is the hash
 * of what was asked.
 */
export class AskedDrafts {
  readonly #values: Values;
  readonly #clock: Clock;

  constructor(values: Values, clock: Clock) {
    this.#values = values;
    this.#clock = clock;
  }

  async get(hash: string): Promise<string | undefined> {
    const kept = await this.#values.get(`${PREFIX}${hash}`);
    const text = isJsonObject(kept) ? kept['text'] : undefined;
    return typeof text === 'string' ? text : undefined;
  }

  /**
   * Never rejects: what cannot be kept is only not there after a restart.
   * @param text `undefined`: it is what was proposed
   */
  async put(hash: string, text: string | undefined): Promise<void> {
    await this.#put(`${PREFIX}${hash}`, text).catch(() => undefined);
  }

  async #put(key: string, text: string | undefined): Promise<void> {
    if (text === undefined) return this.#values.set(key, null);
    await this.#values.set(key, { text, at: this.#clock.now() });
    const all = await this.#values.list(PREFIX);
    const oldest = all.toSorted((a, b) => timeOf(a.value) - timeOf(b.value)).slice(0, -MOST);
    for (const { key: old } of oldest) await this.#values.set(old, null);
  }
}

function timeOf(value: unknown): number {
  return isJsonObject(value) && typeof value['at'] === 'number' ? value['at'] : -Infinity;
}
