import { PDF } from '@libpdf/core';
import { lineText } from './page-lines.ts';

/** Pages that are asked for, from 1. */
export interface PdfQuestion {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

export type PdfAnswer =
  | { readonly pages: readonly string[]; readonly total: number }
  | { readonly problem: string };

/** The text of each page that is asked for, or why the file cannot be read. */
export async function pageTexts({ bytes, from, to }: PdfQuestion): Promise<PdfAnswer> {
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
