import { told } from '../../domain/text/told.ts';
import { type BelayError, fault } from '../../domain/failure.ts';
import { linesOfLargeFile } from './large-file.ts';
import { decodeText, describeGuess, textIn } from '../../core/files/text-file.ts';
import { notebookText } from './notebook.ts';
import { type Found, PROBE, type ReadableDisk, type Reading, linesReading } from './reading.ts';

/** Files up to this size are read whole; of larger ones only the wanted lines. */
const WHOLE = 4 * 1024 * 1024;
/** Notebooks hold their pictures; nothing of one can be told without the rest. */
const WHOLE_NOTEBOOK = 32 * 1024 * 1024;
/** Bytes of a spreadsheet. */
const LARGEST_SHEET = 32 * 1024 * 1024;
/** Bytes of text from one file in one call; the result limit cuts further. */
const MOST_TEXT = 1024 * 1024;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** @throws BelayError `invalid` for what is no text */
export async function textReading(
  disk: Pick<ReadableDisk, 'files' | 'encodings'>,
  found: Found,
  probe: Uint8Array,
  signal: AbortSignal,
): Promise<Reading> {
  const { shown, path, real, stat } = found;
  const isNotebook = /\.ipynb$/iu.test(path);
  const isWide = probe[0] === 0xff || probe[0] === 0xfe;
  const limit = isNotebook ? WHOLE_NOTEBOOK : WHOLE;
  if (stat.size > limit && !isWide) return largeReading(disk, found, probe, signal);
  const bytes = probe.length < PROBE ? probe : await disk.files.read(real, WHOLE_NOTEBOOK);
  const file = await textIn(disk, path, bytes);
  if (file === undefined) throw binary(shown, stat.size);
  const cells = isNotebook ? notebookText(file.text) : undefined;
  const what = describeGuess(file) + (cells === undefined ? '' : 'notebook as its cells, ');
  return { ...partOf(found, cells ?? file.text, what), bytes };
}

/** The text of a spreadsheet's cells, a line for each row. */
export async function sheetReading(
  { files, sheets }: Pick<ReadableDisk, 'files' | 'sheets'>,
  found: Found,
  signal: AbortSignal,
): Promise<Reading> {
  if (sheets === undefined) throw binary(found.shown, found.stat.size);
  const bytes = await files.read(found.real, LARGEST_SHEET);
  const text = await sheets.text(bytes, signal);
  return { ...partOf(found, text, 'spreadsheet as its rows, '), bytes };
}

/** True for what is packed as newer spreadsheets are, under a name of one. */
export function isSheet(path: string, probe: Uint8Array): boolean {
  return /\.(?:xlsx|xlsm)$/iu.test(path) && probe[0] === 0x50 && probe[1] === 0x4b;
}

function partOf(found: Found, text: string, what: string): Reading {
  const { wanted, total } = linesBetween(text, found.from, found.to);
  return wanted.length === 0
    ? nothingThere(found, total)
    : linesReading(found, wanted, total, what === '' ? {} : { what });
}

async function largeReading(
  disk: Pick<ReadableDisk, 'files'>,
  found: Found,
  probe: Uint8Array,
  signal: AbortSignal,
): Promise<Reading> {
  const { shown, real, stat, from, to } = found;
  const file = { path: real, size: stat.size };
  const range = { from, to, mostBytes: MOST_TEXT };
  const { bytes, lines, isCut } = await linesOfLargeFile(disk.files, file, range, signal);
  if (decodeText(probe) === undefined) throw binary(shown, stat.size);
  const { text, what } = decodePart(bytes);
  const wanted = linesOf(text);
  if (wanted.length === 0) return nothingThere(found, lines);
  const isBroken = isCut && bytes.at(-1) !== LINE_FEED;
  // A line that is there in part only is the next that is asked for, unless it is the only one.
  if (isBroken && wanted.length > 1)
    return linesReading(found, wanted.slice(0, -1), lines, { what });
  return linesReading(found, wanted, lines, { what, isCut: isBroken });
}

function nothingThere({ shown, path, stat, from }: Found, total: number | undefined): Reading {
  const text =
    stat.size === 0
      ? `${shown} is empty.`
      : `${shown} has ${total ?? 0} lines; there is no line ${from}.`;
  return {
    content: [{ type: 'text', text }],
    link: { path },
    display: { path: shown, ...(total === undefined ? {} : { lines: total }) },
  };
}

/** Text of a part of a file, which may end within a character, and what it was read as. */
function decodePart(bytes: Uint8Array): { readonly text: string; readonly what: string } {
  const text = new TextDecoder().decode(bytes);
  const guess = text.slice(0, -1).includes('\ufffd') ? decodeText(bytes) : undefined;
  return guess === undefined ? { text, what: '' } : { ...guess, what: describeGuess(guess) };
}

/** The lines `from` to `to` (1-based, inclusive), and how many there are: only those wanted are cut out. */
function linesBetween(
  text: string,
  from: number,
  to: number,
): { readonly wanted: readonly string[]; readonly total: number } {
  let total = 0;
  let [begin, end, start] = [0, 0, 0];
  for (let at = 0; at <= text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit !== LINE_FEED && unit !== CARRIAGE_RETURN && at < text.length) continue;
    if (unit === CARRIAGE_RETURN && text.charCodeAt(at + 1) === LINE_FEED) continue;
    if (at === text.length && at === start) break;
    total += 1;
    if (total === from) begin = start;
    start = at + 1;
    if (total <= to) end = start;
  }
  return { wanted: total < from ? [] : linesOf(text.slice(begin, end)), total };
}

/** A final line feed ends the last line; it does not begin another. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/u);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function binary(shown: string, size: number): BelayError {
  const message = told`${shown} is a binary file of ${String(size)} bytes and is not shown as text. A command can inspect it (file, strings, xxd).`;
  return fault('invalid', message);
}
