import { told } from '../../domain/text/told.ts';
import { fault } from '../../domain/failure.ts';
import type { Found, ReadableDisk, Reading } from './reading.ts';

const LARGEST_PDF = 64 * 1024 * 1024;
/** Pages of one file that are given when none are asked for. */
const PAGES = 20;

export function isPdf(probe: Uint8Array): boolean {
  // Something may stand before it.
  return new TextDecoder('latin1').decode(probe.subarray(0, 1024)).includes('%PDF-');
}

/** The text of a PDF file by pages: `start_line` and `end_line` are pages of it. */
export async function pdfReading(
  disk: Pick<ReadableDisk, 'files' | 'pdf'>,
  found: Found,
  signal: AbortSignal,
): Promise<Reading> {
  const { shown, path, real, from } = found;
  if (disk.pdf === undefined) {
    const message = told`${shown} is a PDF file, and their text cannot be read here. A command like pdftotext may.`;
    throw fault('invalid', message);
  }
  const bytes = await disk.files.read(real, LARGEST_PDF);
  const to = found.isRange ? Math.min(found.to, from + PAGES - 1) : PAGES;
  const { pages, total } = await disk.pdf.pages(bytes, { from, to }, signal);
  if (pages.length === 0) {
    const text = `${shown} has ${total} pages; there is no page ${from}.`;
    return { content: [{ type: 'text', text }], link: { path }, display: { path: shown } };
  }
  const last = from + pages.length - 1;
  const text = pages.map((page, index) => `[page ${from + index}]\n${page}`).join('\n\n');
  const empty = pages.every((page) => page.trim() === '')
    ? '\n[No text: the pages are pictures.]'
    : '';
  const more = last < total ? `\n[${shown} goes on: ask for start_line ${last + 1}, a page.]` : '';
  return {
    content: [
      {
        type: 'text',
        text: `${shown} (PDF, pages ${from}-${last} of ${total})\n${text}${empty}${more}\n`,
      },
    ],
    link: { path },
    display: { path: shown, pages: { from, to: last, total } },
    bytes,
  };
}
