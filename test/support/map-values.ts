import type { Json } from '../../src/domain/json.ts';
import type { Values } from '../../src/core/ports.ts';

/** Values in memory. */
export class MapValues implements Values {
  readonly #values = new Map<string, Json>();

  async get(key: string, sessionId = ''): Promise<Json | undefined> {
    return this.#values.get(`${sessionId} ${key}`);
  }

  async set(key: string, value: Json, sessionId = ''): Promise<void> {
    if (value === null) this.#values.delete(`${sessionId} ${key}`);
    else this.#values.set(`${sessionId} ${key}`, value);
  }

  async list(
    prefix: string,
    sessionId = '',
  ): Promise<readonly { readonly key: string; readonly value: Json }[]> {
    const start = `${sessionId} ${prefix}`;
    return [...this.#values]
      .filter(([key]) => key.startsWith(start))
      .map(([key, value]) => ({ key: key.slice(sessionId.length + 1), value }));
  }
}
