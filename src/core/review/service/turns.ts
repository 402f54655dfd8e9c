/** Work on one thing goes one after the other; on different things side by side. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does it when everything given before for `key` is over, however that ended. */
  async take<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}
