import type { PdfReader } from '../../../core/ports/files/pdf-reader.ts';
import { type BelayError, fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { NoAnswer, oneAnswer } from '../isolated/one-answer.ts';
import type { PdfAnswer, PdfQuestion } from './page-texts.ts';

/** Megabytes that one file may take while it is read. */
const MOST_MEMORY = 512;

/** Reads each file in a process of its own: a damaged or hostile one blocks and breaks nothing else. */
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
    const limits = { memory: MOST_MEMORY, signal };
    const question: PdfQuestion = { bytes, from, to };
    const answer = await oneAnswer<PdfAnswer>(this.#worker, question, limits).catch(
      (thrown: unknown) => {
        throw thrown instanceof NoAnswer ? unreadable(thrown.message) : thrown;
      },
    );
    if ('problem' in answer) throw unreadable(answer.problem);
    return answer;
  }
}

function unreadable(problem: string): BelayError {
  const why = problem.trim().replace(/\.$/u, '').slice(0, 200);
  const message = told`The PDF file cannot be read (${why}). It may be damaged or need a password; a command like pdftotext may know more.`;
  return fault('invalid', message);
}
