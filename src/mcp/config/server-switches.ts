import type { Disposable } from '../../domain/lifetime/disposable.ts';
import { Listeners } from '../../domain/lifetime/listeners.ts';
import type { ServerDefinition, ServerOrigin } from './config.ts';
import type { ServerSource } from './read-servers.ts';

/** Where the names of servers that are off are kept: for the person, and for each workspace. */
export interface SwitchStorage {
  read(origin: ServerOrigin): readonly string[];
  keep(origin: ServerOrigin, names: readonly string[]): PromiseLike<void>;
}

/** The servers that the person switched off for good: everywhere, or in this workspace, as each is defined. */
export class ServerSwitches {
  readonly #storage: SwitchStorage;
  readonly #changed = new Listeners();

  constructor(storage: SwitchStorage) {
    this.#storage = storage;
  }

  onChange(listener: () => void): Disposable {
    return this.#changed.listen(listener);
  }

  isOff(name: string): boolean {
    return this.off.includes(name);
  }

  async set(
    { name, origin }: Pick<ServerDefinition, 'name' | 'origin'>,
    on: boolean,
  ): Promise<void> {
    const others = (where: ServerOrigin): readonly string[] =>
      this.#storage.read(where).filter((one) => one !== name);
    // On: wherever it was off. Off: where it is defined.
    if (on) for (const where of ORIGINS) await this.#storage.keep(where, others(where));
    else await this.#storage.keep(origin, [...others(origin), name]);
    this.#changed.fire();
  }

  /** Names of the servers that are off. */
  get off(): readonly string[] {
    return ORIGINS.flatMap((where) => this.#storage.read(where));
  }

  /** The place after all others, which only switches off. */
  source(): ServerSource {
    return switchedOff(this.off);
  }
}

const ORIGINS = ['user', 'workspace'] as const satisfies readonly ServerOrigin[];

/** Servers that are off, as a place. */
export function switchedOff(names: readonly string[]): ServerSource {
  const off = names.map((name) => [name, { enabled: false }] as const);
  return { origin: 'workspace', label: 'your switches', servers: Object.fromEntries(off) };
}
