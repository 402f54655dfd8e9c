import { inEnglish, told, type Told, verbatim } from '../../../domain/text/told.ts';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { abortError } from '../../../domain/lifetime/abort.ts';

/** Limits of a question until its answer. */
export interface AnswerLimits {
  /** Megabytes. */
  readonly memory: number;
  /** Milliseconds; absent: as long as nobody aborts. */
  readonly time?: number;
  readonly signal: AbortSignal;
}

/** Why there is no answer: its time was over, its memory, or it failed. */
export class NoAnswer extends Error {
  readonly why: Told;

  constructor(why: Told) {
    super(inEnglish(why));
    this.why = why;
  }
}

/** The answer of the process's thread, or the reason why it ended without one. */
export type IsolatedAnswer<Answer> = { readonly answer: Answer } | { readonly failed: string };

/** Beside this module, in the sources and in the bundle. */
const PROCESS = new URL(
  import.meta.url.endsWith('.ts') ? './isolated-process.ts' : './isolated-process.cjs',
  import.meta.url,
);

/**
 * Asks one question of a thread in a process of its own, which is ended afterwards. A thread alone would block
 * nothing, but one that has no memory left takes all of its process with it.
 * @param worker the file of the thread; its first message is the answer
 * @throws NoAnswer; AbortError
 */
export async function oneAnswer<Answer>(
  worker: string | URL,
  question: object,
  { memory, time, signal }: AnswerLimits,
): Promise<Answer> {
  if (signal.aborted) throw abortError();
  const file = worker instanceof URL ? fileURLToPath(worker) : worker;
  const child = fork(fileURLToPath(PROCESS), [file, String(memory)], {
    // Nothing of ours but what tells VS Code's program to be Node, and Windows where it is.
    env: { ELECTRON_RUN_AS_NODE: '1', SystemRoot: process.env['SystemRoot'] },
    execArgv: [],
    serialization: 'advanced',
    // Libraries print what they stumble over; nobody reads it.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const stop = (): void => reject(abortError());
  const fail = (why: Told): void => reject(new NoAnswer(why));
  const timer = time === undefined ? undefined : setTimeout(fail, time, told`it takes too long`);
  signal.addEventListener('abort', stop, { once: true });
  child.once('message', (message: IsolatedAnswer<Answer>) => {
    if ('failed' in message) fail(verbatim(message.failed));
    else resolve(message.answer);
  });
  child.once('error', (error) => fail(verbatim(error.message)));
  child.once('exit', () => fail(told`it takes too much memory`));
  child.send(question, () => undefined); // `exit` or `error` tells
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    child.kill('SIGKILL');
  }
}
