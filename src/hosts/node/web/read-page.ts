import type { PageText, WebPage } from '../../../core/ports/web.ts';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { NoAnswer, oneAnswer } from '../isolated/one-answer.ts';
import type { PageQuestion } from './page-worker.ts';

/** Beside this module, in the sources and in the bundle. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './page-worker.ts' : './page-worker.cjs',
  import.meta.url,
);
/** Megabytes that one page may take while it is read. */
const MEMORY = 512;
/** Milliseconds for all of a page: 5 MB of ordinary HTML take one second of a quiet machine. */
const TIME = 10_000;
/** Bytes that are read of a page that takes longer: deep nesting and large tables cost the square of their size. */
const BEGINNING = 250_000;

/**
 * The words of a page, read in a process of its own; of one that takes too long or too much those of its beginning.
 * @param most characters
 * @param time milliseconds
 */
export async function readPage(
  { body, mediaType, charset }: WebPage,
  most: number,
  signal: AbortSignal,
  time = TIME,
): Promise<PageText> {
  const about = charset === undefined ? { mediaType } : { mediaType, charset };
  const read = async (bytes: Uint8Array): Promise<PageText> => {
    const question: PageQuestion = { page: { ...about, body: bytes }, most };
    return oneAnswer(WORKER, question, { memory: MEMORY, time, signal });
  };
  try {
    return await read(body).catch(async (thrown: unknown) => {
      if (!(thrown instanceof NoAnswer) || body.length <= BEGINNING) throw thrown;
      return { ...(await read(body.subarray(0, BEGINNING))), readBytes: BEGINNING };
    });
  } catch (thrown) {
    if (!(thrown instanceof NoAnswer)) throw thrown;
    const message = told`The page cannot be made into text (${thrown.message.slice(0, 200)}): it is nested too deeply, or has tables that are too large. Look for a plain version of it, or go another way.`;
    throw fault('tool', message, { cause: thrown });
  }
}
