import type { SheetReader } from '../../../core/ports/files/sheet-reader.ts';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { NoAnswer, oneAnswer } from '../isolated/one-answer.ts';
import type { SheetAnswer } from './sheet-text.ts';

/** Beside this module, in the sources and in the bundle. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './sheet-worker.ts' : './sheet-worker.cjs',
  import.meta.url,
);
/** Megabytes. */
const MEMORY = 512;
/** Milliseconds. */
const TIME = 30_000;

/** Reads each spreadsheet in a process of its own: a hostile one breaks nothing else. */
export class IsolatedSheetReader implements SheetReader {
  readonly #time: number;

  /** @param time milliseconds that one may take */
  constructor(time = TIME) {
    this.#time = time;
  }

  async text(bytes: Uint8Array, signal: AbortSignal): Promise<string> {
    const limits = { memory: MEMORY, time: this.#time, signal };
    const answer = await oneAnswer<SheetAnswer>(WORKER, { bytes }, limits).catch(
      (thrown: unknown): SheetAnswer => {
        if (thrown instanceof NoAnswer) return { problem: thrown.message };
        throw thrown;
      },
    );
    if ('text' in answer) return answer.text;
    const why = answer.problem.trim().replace(/\.$/u, '').slice(0, 200);
    const message = told`The spreadsheet cannot be read (${why}). Ask the person for it as CSV.`;
    throw fault('invalid', message);
  }
}
