import { Worker } from 'node:worker_threads';
import type { IsolatedAnswer } from './one-answer.ts';

// The entry point of a process in which one thread answers one question. This thread has nothing to do but to see
// that whoever asked is gone: then all of it ends.
const [file = '', memory] = process.argv.slice(2);
const tell = (said: IsolatedAnswer<unknown>): void => {
  process.send?.(said, () => process.exit());
};

process.once('disconnect', () => process.exit());
process.once('message', (question) => {
  const thread = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: Number(memory) } });
  thread.once('message', (answer: unknown) => tell({ answer }));
  thread.once('error', ({ message }: Error) => tell({ failed: message }));
  thread.postMessage(question, []);
});
