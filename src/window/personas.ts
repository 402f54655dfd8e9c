import type { BegunPersona } from '../core/customizations/persona.ts';
import type { FoundCustomizations } from '../core/customizations/customizations.ts';
import type { Log } from '../core/ports/log.ts';
import type { Disposable } from '../domain/lifetime/disposable.ts';
import { Listeners } from '../domain/lifetime/listeners.ts';

export interface WindowPersonasParts {
  readonly found: () => Promise<Pick<FoundCustomizations, 'personas'>>;
  /** The persona that a new session begins with. */
  readonly begun: () => Promise<BegunPersona>;
  readonly log: Log;
}

/** The personas of a window as they were read last, for those who cannot wait. */
export class WindowPersonas implements Disposable {
  readonly #parts: WindowPersonasParts;
  readonly #changed = new Listeners();
  readonly onChange = this.#changed.listen;
  #reading: Promise<void> | undefined;
  #again = false;
  #count = 0;
  #begun: BegunPersona = { name: '' };

  constructor(parts: WindowPersonasParts) {
    this.#parts = parts;
  }

  /** Those that can be chosen. */
  get count(): number {
    return this.#count;
  }

  get begun(): BegunPersona {
    return this.#begun;
  }

  /** Reads them again; while they are being read, once more afterwards. Never rejects. */
  async refresh(): Promise<void> {
    this.#again = this.#reading !== undefined;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
      if (this.#again) void this.refresh();
    });
    await this.#reading;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #read(): Promise<void> {
    try {
      const { personas } = await this.#parts.found();
      const count = personas.filter(({ state }) => state === 'on').length;
      const begun = await this.#parts.begun();
      const before = JSON.stringify([this.#count, this.#begun]);
      [this.#count, this.#begun] = [count, begun];
      if (JSON.stringify([count, begun]) !== before) this.#changed.fire();
    } catch (error) {
      this.#parts.log.warn('Personas could not be read.', { reason: String(error) });
    }
  }
}
