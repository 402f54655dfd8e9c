import { Listeners } from '../../domain/lifetime/listeners.ts';

/** VS Code's memory across windows, as far as it is needed. */
interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

const KEPT_AS = 'belay.recentModels';
/** More are no longer recent. */
const MOST = 8;

/** The models that the person chose last, the newest first. */
export class RecentModels {
  readonly #memory: Memory;
  readonly #changed = new Listeners();

  readonly onChanged = this.#changed.listen;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  get names(): readonly string[] {
    const kept = this.#memory.get(KEPT_AS);
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string').slice(0, MOST) : [];
  }

  async add(model: string): Promise<void> {
    const others = this.names.filter((one) => one !== model);
    await this.#memory.update(KEPT_AS, [model, ...others].slice(0, MOST));
    this.#changed.fire();
  }
}
