import { parentPort } from 'node:worker_threads';
import { PDF } from '@libpdf/core';
import { lineText } from './page-lines.ts';

/** The entry point of the thread that reads one PDF file; whatever the file does, it does it here. */
export interface PdfQuestion {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

export type PdfAnswer =
  | { readonly pages: readonly string[]; readonly total: number }
  | { readonly problem: string };

async function answer({ bytes, from, to }: PdfQuestion): Promise<PdfAnswer> {
  try {
    const document = await PDF.load(bytes);
    const pages = document
      .getPages()
      .slice(from - 1, to)
      .map((page) =>
        page
          .extractText()
          .lines.map(({ spans }) => lineText(spans.flatMap(({ chars }) => chars)))
          .join('\n'),
      );
    return { pages, total: document.getPageCount() };
  } catch (thrown) {
    return { problem: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

const port = parentPort;
port?.once('message', (question: PdfQuestion) => {
  void answer(question).then((answered) => port.postMessage(answered));
});
