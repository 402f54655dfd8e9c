import { parentPort } from 'node:worker_threads';
import type { PictureQuestion } from './scale-picture.ts';

export type { PictureAnswer, PictureQuestion } from './scale-picture.ts';

// The entry point of the thread, in a process of its own, that scales one picture; whatever the picture does, it does it
// here. A failure ends the thread, and whoever asked is told why.
const port = parentPort;
port?.once('message', (question: PictureQuestion) => void answer(question));

async function answer(question: PictureQuestion): Promise<void> {
  const { scalePicture } = await import('./scale-picture.ts');
  port?.postMessage(await scalePicture(question));
}
