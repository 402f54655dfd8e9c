import { parentPort } from 'node:worker_threads';
import type { PdfQuestion } from './page-texts.ts';

// The entry point of the thread that reads one PDF file; whatever the file does, it does it here.
const port = parentPort;
port?.once('message', (question: PdfQuestion) => {
  void import('./page-texts.ts')
    .then(async ({ pageTexts }) => pageTexts(question))
    .then((answered) => port.postMessage(answered));
});
