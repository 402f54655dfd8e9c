import path from 'node:path/posix';
import type { Row, Sheet } from './sheet.ts';
import { tagsOf } from './xml.ts';
import type { Zip } from './zip.ts';

/** Columns of a sheet, as Excel has them. */
const COLUMNS = 16_384;
/** Milliseconds of a day. */
const DAY = 86_400_000;

/** The sheets of an xlsx file; `undefined`: it is none. */
export function xlsxSheets(zip: Zip): readonly Sheet[] | undefined {
  const book = zip.text('xl/workbook.xml');
  if (book === undefined) return undefined;
  const targets = new Map<string, string>();
  for (const { name, attribute } of tagsOf(zip.text('xl/_rels/workbook.xml.rels') ?? ''))
    if (name === 'Relationship') targets.set(attribute('Id') ?? '', attribute('Target') ?? '');
  const strings = sharedStrings(zip.text('xl/sharedStrings.xml') ?? '');
  const dates = dateStyles(zip.text('xl/styles.xml') ?? '');
  const sheets: Sheet[] = [];
  for (const { name, kind, attribute } of tagsOf(book)) {
    if (name !== 'sheet' || kind === 'close') continue;
    const target = targets.get(attribute('id') ?? '');
    if (target === undefined) continue;
    const file = target.startsWith('/') ? target.slice(1) : path.join('xl', target);
    sheets.push({ name: attribute('name') ?? '', rows: rowsOf(zip, file, strings, dates) });
  }
  return sheets;
}

function sharedStrings(xml: string): readonly string[] {
  const strings: string[] = [];
  let text = '';
  let isReading = false;
  for (const { name, kind, text: behind } of tagsOf(xml)) {
    // How Japanese is pronounced is no part of the text.
    if (name === 'rPh') isReading = kind === 'open';
    if (name === 't' && kind === 'open' && !isReading) text += behind;
    if (name !== 'si' || kind === 'open') continue;
    strings.push(text);
    text = '';
  }
  return strings;
}

/** Indexes of the cell formats that show a date. */
function dateStyles(xml: string): ReadonlySet<number> {
  const codes = new Map<string, string>();
  const dates = new Set<number>();
  let isFormats = false;
  let index = 0;
  for (const { name, kind, attribute } of tagsOf(xml)) {
    if (name === 'numFmt') codes.set(attribute('numFmtId') ?? '', attribute('formatCode') ?? '');
    if (name === 'cellXfs') isFormats = kind === 'open';
    if (name !== 'xf' || kind === 'close' || !isFormats) continue;
    const id = attribute('numFmtId') ?? '';
    const isBuiltIn = Number(id) >= 14 && Number(id) <= 22;
    const code = (codes.get(id) ?? '').replaceAll(/"[^"]*"|\[[^\]]*\]|\\./gu, '');
    if (isBuiltIn || /[dy]/iu.test(code)) dates.add(index);
    index += 1;
  }
  return dates;
}

function* rowsOf(
  zip: Zip,
  file: string,
  strings: readonly string[],
  dates: ReadonlySet<number>,
): Generator<Row> {
  let number = 0;
  let cells: string[] = [];
  let cell = { column: -1, type: '', style: -1, text: '' };
  for (const { name, kind, text, attribute } of tagsOf(zip.text(file) ?? '')) {
    if (name === 'row' && kind === 'open') {
      number = Number(attribute('r') ?? number + 1);
      cells = [];
      cell = { column: -1, type: '', style: -1, text: '' };
    } else if (name === 'row' && kind === 'close') yield { number, cells };
    else if (name === 'c' && kind !== 'close') {
      const column = columnOf(attribute('r')) ?? cell.column + 1;
      const style = Number(attribute('s') ?? -1);
      cell = { column, type: attribute('t') ?? 'n', style, text: '' };
    } else if ((name === 'v' || name === 't') && kind === 'open') cell.text += text;
    else if (name === 'c' && cell.column >= 0 && cell.column < COLUMNS) {
      while (cells.length < cell.column) cells.push('');
      cells[cell.column] = shown(cell, strings, dates);
    }
  }
}

function shown(
  { type, style, text }: { readonly type: string; readonly style: number; readonly text: string },
  strings: readonly string[],
  dates: ReadonlySet<number>,
): string {
  if (type === 's') return strings[Number(text)] ?? '';
  if (type === 'b') return text === '1' ? 'TRUE' : 'FALSE';
  return type === 'n' && text !== '' && dates.has(style) ? dateOf(Number(text), text) : text;
}

/** Days since the end of 1899, of which 1900 has one too many. */
function dateOf(days: number, text: string): string {
  const at = new Date(Date.UTC(1899, 11, days < 60 ? 31 : 30) + Math.round(days * DAY));
  if (Number.isNaN(at.getTime())) return text;
  const [date = '', time = ''] = at.toISOString().split('T');
  return Number.isInteger(days) ? date : `${date} ${time.slice(0, 8)}`;
}

/** 0-based, of `B3`. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/u.exec(reference ?? '')?.[0];
  if (letters === undefined) return undefined;
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
