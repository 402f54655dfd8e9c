import type {
  PictureScaler,
  PictureSize,
  ScaledPicture,
} from '../../../core/ports/files/picture-scaler.ts';
import { fault } from '../../../domain/failure.ts';
import { NoAnswer, oneAnswer } from '../isolated/one-answer.ts';
import type { PictureAnswer, PictureQuestion } from './picture-worker.ts';

/** Beside this module, in the sources and in the bundle. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './picture-worker.ts' : './picture-worker.cjs',
  import.meta.url,
);
/** Megabytes beside the pixels, which are bounded by their number. */
const MEMORY = 512;
/** Milliseconds: 144 million pixels take some 8 seconds of a quiet machine. */
const TIME = 60_000;

/** Scales each picture in a process of its own: a hostile one breaks nothing else. One at a time: each may take 1 GB. */
export class IsolatedPictureScaler implements PictureScaler {
  #last: Promise<unknown> = Promise.resolve();

  async scaled(data: string, size: PictureSize, signal: AbortSignal): Promise<ScaledPicture> {
    const mine = this.#last.then(async () => answered({ data, ...size }, signal));
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}

async function answered(question: PictureQuestion, signal: AbortSignal): Promise<ScaledPicture> {
  const limits = { memory: MEMORY, time: TIME, signal };
  const answer = await oneAnswer<PictureAnswer>(WORKER, question, limits).catch(
    (thrown: unknown) => {
      if (thrown instanceof NoAnswer) throw fault('invalid', thrown.why);
      throw thrown;
    },
  );
  if ('problem' in answer) throw fault('invalid', answer.problem);
  return answer;
}
