/** VS Code's memory across windows, as far as it is needed. */
interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

const KEPT_AS = 'belay.addressesWithKey';

/**
 * Addresses that requests with a key went to. When the key is gone, nothing is sent there without
 * one until the person says so: a lost key must not go unnoticed.
 */
export class KeyedAddresses {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** True when a key was sent to this address, or meant for it. */
  has(address: string): boolean {
    return this.#read().includes(address);
  }

  async add(address: string): Promise<void> {
    if (!this.has(address)) await this.#memory.update(KEPT_AS, [...this.#read(), address]);
  }

  /** The person wants to go on without a key. */
  async forget(address: string): Promise<void> {
    const others = this.#read().filter((one) => one !== address);
    await this.#memory.update(KEPT_AS, others);
  }

  #read(): readonly string[] {
    const kept = this.#memory.get(KEPT_AS);
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  }
}
