import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { abortError } from '../../../domain/lifetime/abort.ts';
import { type BelayError, fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { type LinePattern, lineMatcher } from './line-matcher.ts';
import type { FoundLines, LineAnswer, SearchedFile } from './line-worker.ts';

/** Milliseconds that a pattern may spend on the files of one question; it would be at it for ever. */
const PATIENCE = 5000;

/** Beside this module, in the sources and in the bundle. */
const FILE = new URL(
  import.meta.url.endsWith('.ts') ? './line-worker.ts' : './line-worker.cjs',
  import.meta.url,
);

/** Looks for a pattern in files, in a thread that is ended when it takes too long. */
export class LineThread {
  readonly #pattern: LinePattern;
  readonly #context: number | undefined;
  readonly #signal: AbortSignal;
  #worker: Worker | undefined;

  /** Without `context` only numbers of lines. Fails with `invalid` for no regular expression. */
  constructor(
    { pattern, regex, caseSensitive }: LinePattern,
    context: number | undefined,
    signal: AbortSignal,
  ) {
    this.#pattern = { pattern, regex, caseSensitive };
    lineMatcher(this.#pattern);
    this.#context = context;
    this.#signal = signal;
  }

  /** Files with matches, in order; one question at a time. Fails with `invalid` when too slow. */
  async find(files: readonly SearchedFile[]): Promise<LineAnswer> {
    if (files.length === 0) return [];
    const isNew = this.#worker === undefined;
    const worker = (this.#worker ??= new Worker(FILE, { stdout: true, stderr: true, env: {} }));
    try {
      // On a busy machine a thread may take seconds to start: that is no fault of the pattern.
      if (isNew) await once(worker, 'online', { signal: this.#signal });
      return (await this.#answer(worker, files)).filter(({ lines }) => lines > 0);
    } catch (thrown) {
      await this.close();
      throw thrown;
    }
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #answer(worker: Worker, files: readonly SearchedFile[]): Promise<readonly FoundLines[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly FoundLines[]>();
    const stop = (): void => reject(abortError());
    const timer = setTimeout(() => reject(this.#tooLong()), PATIENCE);
    const failed = (error: Error): void => reject(error);
    this.#signal.addEventListener('abort', stop, { once: true });
    if (this.#signal.aborted) stop();
    worker.once('message', resolve);
    worker.once('error', failed);
    worker.postMessage({ pattern: this.#pattern, context: this.#context, files }, []);
    return promise.finally(() => {
      clearTimeout(timer);
      this.#signal.removeEventListener('abort', stop);
      worker.off('message', resolve);
      worker.off('error', failed);
    });
  }

  #tooLong(): BelayError {
    const message = told`The search for ${JSON.stringify(this.#pattern.pattern.slice(0, 200))} takes too long: nested repetitions try too many ways. Write it with fewer of them, or search with "regex": false.`;
    return fault('invalid', message);
  }
}
