import path from 'node:path/posix';
import type { Row, Sheet } from './sheet.ts';
import { findAttribute, parseWholeXml, parseXml } from './xml.ts';
import type { Zip } from './zip.ts';

/** Columns of a sheet, as Excel has them. */
const COLUMNS = 16_384;
/** Milliseconds of a day. */
const DAY = 86_400_000;

/** Reads the sheets of an xlsx file; `undefined`: it is none. */
export function readSheets(zip: Zip): readonly Sheet[] | undefined {
  const book = zip.readText('xl/workbook.xml');
  if (book === undefined) return undefined;
  const targets = new Map<string, string>();
  parseWholeXml(zip.readText('xl/_rels/workbook.xml.rels') ?? '', {
    open: (name, { Id: id = '', Target: target = '' }) => {
      if (name === 'Relationship') targets.set(id, target);
    },
  });
  const strings = readStrings(zip.readText('xl/sharedStrings.xml') ?? '');
  const dates = findDateStyles(zip.readText('xl/styles.xml') ?? '');
  const sheets: Sheet[] = [];
  parseWholeXml(book, {
    open: (tag, attributes) => {
      if (tag !== 'sheet') return;
      const target = targets.get(findAttribute(attributes, 'id') ?? '');
      if (target === undefined) return;
      const file = target.startsWith('/') ? target.slice(1) : path.join('xl', target);
      sheets.push({ name: attributes['name'] ?? '', rows: readRows(zip, file, strings, dates) });
    },
  });
  return sheets;
}

function readStrings(xml: string): readonly string[] {
  const strings: string[] = [];
  let text = '';
  let isText = false;
  let isReading = false;
  parseWholeXml(xml, {
    open: (name) => {
      // How Japanese is pronounced is no part of the text.
      if (name === 'rPh') isReading = true;
      isText = name === 't' && !isReading;
    },
    text: (piece) => {
      if (isText) text += piece;
    },
    close: (name) => {
      isText = false;
      if (name === 'rPh') isReading = false;
      if (name !== 'si') return;
      strings.push(text);
      text = '';
    },
  });
  return strings;
}

/** Finds the indexes of the cell formats that show a date. */
function findDateStyles(xml: string): ReadonlySet<number> {
  const codes = new Map<string, string>();
  const dates = new Set<number>();
  let isFormats = false;
  let index = 0;
  parseWholeXml(xml, {
    open: (name, { numFmtId: id = '', formatCode = '' }) => {
      if (name === 'numFmt') codes.set(id, formatCode);
      if (name === 'cellXfs') isFormats = true;
      if (name !== 'xf' || !isFormats) return;
      const isBuiltIn = Number(id) >= 14 && Number(id) <= 22;
      const code = (codes.get(id) ?? '').replaceAll(/"[^"]*"|\[[^\]]*\]|\\./gu, '');
      if (isBuiltIn || /[dy]/iu.test(code)) dates.add(index);
      index += 1;
    },
    close: (name) => {
      if (name === 'cellXfs') isFormats = false;
    },
  });
  return dates;
}

function* readRows(
  zip: Zip,
  file: string,
  strings: readonly string[],
  dates: ReadonlySet<number>,
): Generator<Row> {
  let rows: Row[] = [];
  let number = 0;
  let cells: string[] = [];
  let cell = { column: -1, type: '', style: -1, text: '' };
  let isValue = false;
  const chunks = parseXml(zip.readText(file) ?? '', {
    open: (name, attributes) => {
      isValue = name === 'v' || name === 't';
      if (name === 'row') {
        number = Number(attributes['r'] ?? number + 1);
        cells = [];
        cell = { column: -1, type: '', style: -1, text: '' };
      }
      if (name !== 'c') return;
      const column = findColumn(attributes['r']) ?? cell.column + 1;
      const style = Number(attributes['s'] ?? -1);
      cell = { column, type: attributes['t'] ?? 'n', style, text: '' };
    },
    text: (text) => {
      if (isValue) cell.text += text;
    },
    close: (name) => {
      isValue = false;
      if (name === 'row') rows.push({ number, cells });
      if (name !== 'c' || cell.column < 0 || cell.column >= COLUMNS) return;
      while (cells.length < cell.column) cells.push('');
      cells[cell.column] = showCell(cell, strings, dates);
    },
  });
  while (chunks.next().done !== true) {
    yield* rows;
    rows = [];
  }
}

function showCell(
  { type, style, text }: { readonly type: string; readonly style: number; readonly text: string },
  strings: readonly string[],
  dates: ReadonlySet<number>,
): string {
  if (type === 's') return strings[Number(text)] ?? '';
  if (type === 'b') return text === '1' ? 'TRUE' : 'FALSE';
  return type === 'n' && text !== '' && dates.has(style) ? showDate(Number(text), text) : text;
}

/** Days since the end of 1899, of which 1900 has one too many. */
function showDate(days: number, text: string): string {
  const at = new Date(Date.UTC(1899, 11, days < 60 ? 31 : 30) + Math.round(days * DAY));
  if (Number.isNaN(at.getTime())) return text;
  const [date = '', time = ''] = at.toISOString().split('T');
  return Number.isInteger(days) ? date : `${date} ${time.slice(0, 8)}`;
}

/** 0-based, of `B3`. */
function findColumn(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/u.exec(reference ?? '')?.[0];
  if (letters === undefined) return undefined;
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
