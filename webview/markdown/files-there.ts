import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { ASKED_PATHS, LONGEST_PATH } from '../../src/protocol/code-view.ts';

/** Paths that are remembered; the oldest are asked again. */
const KEPT = 2000;
/** Milliseconds in which paths are collected for one request. */
const COLLECT = 50;
/** Milliseconds after which a file that was not there is looked for again. */
const AGAIN = 20_000;

interface Known {
  readonly there: Signal<boolean>;
  askedAt: number;
}

/** Asks the host which of many paths are files, in order; `undefined`: no answer. */
type Ask = (paths: readonly string[]) => Promise<readonly boolean[] | undefined>;

/**
 * The files that answers name, as far as the host has found them: asked for together, once, and remembered.
 */
export class FilesThere {
  readonly #ask: Ask;
  readonly #known = new Map<string, Known>();
  readonly #wanted = new Set<string>();
  #waits = false;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** True once the host has found it. */
  has(path: string): ReadonlySignal<boolean> {
    return this.#of(path).there;
  }

  /** Wants to know about a path, unless that is known. */
  want(path: string): void {
    if (path.length > LONGEST_PATH) return;
    const known = this.#of(path);
    if (known.there.peek() || Date.now() - known.askedAt < AGAIN) return;
    this.#wanted.add(path);
    if (!this.#waits) this.#later();
  }

  #of(path: string): Known {
    let known = this.#known.get(path);
    if (known !== undefined) return known;
    known = { there: signal(false), askedAt: -Infinity };
    this.#known.set(path, known);
    if (this.#known.size > KEPT) {
      const [oldest] = this.#known.keys();
      if (oldest !== undefined) this.#known.delete(oldest);
    }
    return known;
  }

  async #flush(): Promise<void> {
    const paths = [...this.#wanted].slice(0, ASKED_PATHS);
    for (const path of paths) {
      this.#wanted.delete(path);
      this.#of(path).askedAt = Date.now();
    }
    const found = await this.#ask(paths);
    for (const [index, path] of paths.entries())
      if (found?.[index] === true) this.#of(path).there.value = true;
    if (this.#wanted.size > 0) this.#later();
    else this.#waits = false;
  }

  #later(): void {
    this.#waits = true;
    setTimeout(() => void this.#flush(), COLLECT);
  }
}
