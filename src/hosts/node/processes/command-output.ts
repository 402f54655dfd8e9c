import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds of silence until a foreign hold on an ended group's output is ignored. */
const PIPE_GRACE = 250;
/** Bytes read in one window of milliseconds: a command that floods waits for us. */
const WINDOW_BYTES = 16 * 1024 * 1024;
const WINDOW_MS = 100;

/** Takes text as it comes; a promise makes the command wait until it resolves. */
export type TakeOutput = (text: string) => void | Promise<void>;

/** Reads what a command prints, no quicker than it is taken. */
export class CommandOutput {
  readonly #take: TakeOutput;
  readonly #closed: Promise<unknown>;
  #last = performance.now();
  #windowStart = 0;
  #windowBytes = 0;

  constructor(outputs: readonly Readable[], take: TakeOutput) {
    this.#take = take;
    this.#closed = Promise.all(
      outputs.map(
        (stream) => new Promise<void>((resolve) => void stream.once('close', () => resolve())),
      ),
    );
    for (const stream of outputs) this.#collect(stream);
  }

  /** All output has been read, or only a process that left the group holds the pipe. */
  async drained(): Promise<void> {
    const closing = this.#closed.then(() => 'closed' as const);
    for (;;) {
      if ((await Promise.race([closing, sleep(PIPE_GRACE)])) === 'closed') return;
      if (performance.now() - this.#last >= PIPE_GRACE) return;
    }
  }

  #collect(stream: Readable): void {
    const decoder = new TextDecoder();
    stream.on('data', (chunk: Buffer) => {
      this.#last = performance.now();
      const text = decoder.decode(chunk, { stream: true });
      const taken = text === '' ? undefined : this.#take(text);
      const pause = this.#pause(chunk.length);
      if (taken !== undefined) this.#hold(stream, Promise.all([taken, pause]));
      else if (pause !== undefined) this.#hold(stream, pause);
    });
    stream.on('end', () => {
      const rest = decoder.decode();
      if (rest !== '') void this.#take(rest);
    });
    stream.on('error', () => undefined); // the reading end is gone: `close` tells
  }

  #hold(stream: Readable, until: Promise<unknown>): void {
    stream.pause();
    const goOn = (): void => {
      this.#last = performance.now();
      stream.resume();
    };
    until.then(goOn, goOn);
  }

  /** A flood waits for the end of its window. */
  #pause(bytes: number): Promise<unknown> | undefined {
    const now = performance.now();
    if (now - this.#windowStart > WINDOW_MS) {
      this.#windowStart = now;
      this.#windowBytes = 0;
    }
    this.#windowBytes += bytes;
    return this.#windowBytes < WINDOW_BYTES
      ? undefined
      : sleep(Math.max(1, this.#windowStart + WINDOW_MS - now));
  }
}
