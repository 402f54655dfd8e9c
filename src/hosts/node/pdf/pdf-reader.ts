import { Worker } from 'node:worker_threads';
import { abortError } from '../../../domain/abort.ts';
import type { PdfReader } from '../../../core/ports/files/pdf-reader.ts';
import type { BelayError } from '../../../domain/failure.ts';
import { fault } from '../../../domain/failure.ts';
import type { PdfAnswer, PdfQuestion } from './pdf-worker.ts';

/** Megabytes that one file may take while it is read. */
const MOST_MEMORY = 512;

/** Reads each file in a thread of its own: a damaged or hostile one blocks and breaks nothing else. */
export class ThreadPdfReader implements PdfReader {
  readonly #worker: string | URL;

  /** @param worker the file of the thread */
  constructor(worker: string | URL) {
    this.#worker = worker;
  }

  async pages(
    bytes: Uint8Array,
    { from, to }: { readonly from: number; readonly to: number },
    signal: AbortSignal,
  ): Promise<{ readonly pages: readonly string[]; readonly total: number }> {
    const worker = new Worker(this.#worker, {
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY },
      // The library prints what it stumbles over; nobody reads it.
      stdout: true,
      stderr: true,
      env: {},
    });
    try {
      const answer = await answerOf(worker, { bytes, from, to }, signal);
      if ('problem' in answer) throw unreadable(answer.problem);
      return answer;
    } finally {
      await worker.terminate();
    }
  }
}

function answerOf(worker: Worker, question: PdfQuestion, signal: AbortSignal): Promise<PdfAnswer> {
  return new Promise<PdfAnswer>((resolve, reject) => {
    if (signal.aborted) {
      reject(abortError());
      return;
    }
    const stop = (): void => reject(abortError());
    signal.addEventListener('abort', stop, { once: true });
    const ended = (): void => signal.removeEventListener('abort', stop);
    worker.once('message', (answer: PdfAnswer) => {
      ended();
      resolve(answer);
    });
    worker.once('error', (error: Error) => {
      ended();
      reject(unreadable(error.message));
    });
    worker.once('exit', () => {
      ended();
      reject(unreadable('it took too much memory'));
    });
    worker.postMessage(question, []);
  });
}

function unreadable(problem: string): BelayError {
  const why = problem.trim().replace(/\.$/u, '').slice(0, 200);
  const message = `The PDF file cannot be read (${why}). It may be damaged or need a password; a command like pdftotext may know more.`;
  return fault('invalid', message);
}
