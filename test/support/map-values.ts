import type { Json } from '../../src/domain/data/json.ts';
import type { SharedValues } from '../../src/core/ports/store/shared-values.ts';

/** Values in memory, which go through JSON as in the store. */
export class MapValues implements SharedValues {
  readonly #values = new Map<string, string>();

  async get(key: string, sessionId = ''): Promise<Json | undefined> {
    const value = this.#values.get(`${sessionId} ${key}`);
    return value === undefined ? undefined : (JSON.parse(value) as Json);
  }

  async set(key: string, value: Json, sessionId = ''): Promise<void> {
    this.#set(`${sessionId} ${key}`, value);
  }

  async list(
    prefix: string,
    sessionId = '',
  ): Promise<readonly { readonly key: string; readonly value: Json }[]> {
    const start = `${sessionId} ${prefix}`;
    return [...this.#values]
      .filter(([key]) => key.startsWith(start))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => ({
        key: key.slice(sessionId.length + 1),
        value: JSON.parse(value) as Json,
      }));
  }

  async swap(
    changes: readonly { readonly key: string; readonly value: Json }[],
    guard: { readonly key: string; readonly value: Json | undefined },
  ): Promise<boolean> {
    const text = guard.value === undefined ? undefined : JSON.stringify(guard.value);
    if (this.#values.get(` ${guard.key}`) !== text) return false;
    for (const { key, value } of changes) this.#set(` ${key}`, value);
    return true;
  }

  #set(key: string, value: Json): void {
    if (value === null) this.#values.delete(key);
    else this.#values.set(key, JSON.stringify(value));
  }
}
