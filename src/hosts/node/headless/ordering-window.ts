import { createInterface } from 'node:readline';

/** A word of the background process to the window that started it, a line of JSON each. */
export type BackgroundWord =
  | { readonly said: 'ready' }
  | { readonly said: 'begun' }
  | { readonly said: 'refused'; readonly why: string };

/** The window at the other end of standard input and output, which may be gone at any time. */
export class OrderingWindow {
  readonly #lines = createInterface({ input: process.stdin });
  readonly #next = this.#lines[Symbol.asyncIterator]();

  constructor() {
    process.stdout.on('error', () => undefined); // nobody reads any more
  }

  /** The next line; `undefined`: the window is gone. */
  async line(): Promise<string | undefined> {
    const { value, done } = await this.#next.next();
    return done === true ? undefined : value;
  }

  say(word: BackgroundWord): void {
    process.stdout.write(`${JSON.stringify(word)}\n`);
  }

  /** Nothing is expected from it any more. */
  close(): void {
    this.#lines.close();
    process.stdin.destroy();
  }
}
