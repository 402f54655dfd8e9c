import { parentPort } from 'node:worker_threads';

// The entry point of the thread that reads one spreadsheet; whatever the file does, it does it here.
const port = parentPort;
port?.once('message', ({ bytes }: { readonly bytes: Uint8Array }) => {
  void import('./sheet-text.ts').then(({ sheetText }) => port.postMessage(sheetText(bytes)));
});
