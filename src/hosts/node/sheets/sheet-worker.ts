import { parentPort } from 'node:worker_threads';
import { sheetText } from './sheet-text.ts';

// The entry point of the thread that reads one spreadsheet; whatever the file does, it does it here.
const port = parentPort;
port?.once('message', ({ bytes }: { readonly bytes: Uint8Array }) => {
  port.postMessage(sheetText(bytes));
});
