import { Listeners } from '../../../domain/lifetime/listeners.ts';
import type { InstanceCheck } from '../../../providers/check-instance.ts';
import type { ProviderInstance } from '../../../providers/instance.ts';

/** Results of trying providers in this window, as long as their addresses stay. */
export class KnownChecks {
  readonly #found = new Map<string, InstanceCheck>();
  readonly #changed = new Listeners();

  readonly onChanged = this.#changed.listen;

  of(instance: ProviderInstance): InstanceCheck | undefined {
    return this.#found.get(nameOf(instance));
  }

  /** `undefined`: what was found does not hold any more. */
  set(instance: ProviderInstance, check: InstanceCheck | undefined): void {
    if (check === undefined) this.#found.delete(nameOf(instance));
    else this.#found.set(nameOf(instance), check);
    this.#changed.fire();
  }
}

const nameOf = ({ id, baseUrl, wire }: ProviderInstance): string => `${id} ${wire} ${baseUrl}`;
