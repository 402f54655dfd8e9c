import { parentPort } from 'node:worker_threads';
import type { PictureQuestion } from './scale-picture.ts';

// The entry point of the thread, in a process of its own, that scales one picture; whatever the picture does, it does it
// here. A failure ends the thread, and whoever asked is told why.
const port = parentPort;
port?.once('message', (question: PictureQuestion) => {
  void import('./scale-picture.ts')
    .then(async ({ scalePicture }) => scalePicture(question))
    .then((answer) => port.postMessage(answer));
});
