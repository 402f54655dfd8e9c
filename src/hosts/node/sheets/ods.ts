import type { Row, Sheet } from './sheet-text.ts';
import { type Tag, tagsOf } from './xml.ts';
import type { Zip } from './zip.ts';

/** Columns of a row; more are said to repeat an empty one to the edge. */
const COLUMNS = 16_384;
/** Rows that one row may stand for when it is not empty. */
const MOST_REPEATED = 1000;

/** The sheets of an OpenDocument spreadsheet; `undefined`: it is none. */
export function odsSheets(zip: Zip): readonly Sheet[] | undefined {
  const xml = zip.text('content.xml');
  if (xml === undefined) return undefined;
  const sheets: { readonly name: string; readonly rows: Row[] }[] = [];
  let row = { cells: [] as string[], times: 1 };
  let number = 1;
  let cell = { text: '', times: 1 };
  for (const tag of tagsOf(xml)) {
    const { name, kind, text, attribute } = tag;
    if (name === 'table' && kind === 'open') {
      sheets.push({ name: attribute('name') ?? '', rows: [] });
      number = 1;
    }
    if (name === 'table-row' && kind !== 'close')
      row = { cells: [], times: timesOf(tag, 'number-rows-repeated') };
    if (isCell(name) && kind !== 'close')
      cell = { text: '', times: timesOf(tag, 'number-columns-repeated') };
    if (isText(name) && kind !== 'empty') cell.text += kind === 'open' ? text : `${text} `;
    if (name === 's' || name === 'tab' || name === 'line-break') cell.text += ` ${text}`;
    if (isCell(name) && kind !== 'open') {
      const room = Math.max(0, COLUMNS - row.cells.length);
      for (let index = 0; index < Math.min(cell.times, room); index += 1) row.cells.push(cell.text);
    }
    if (name !== 'table-row' || kind === 'open') continue;
    const isEmpty = row.cells.every((one) => one.trim() === '');
    for (let index = 0; !isEmpty && index < Math.min(row.times, MOST_REPEATED); index += 1)
      sheets.at(-1)?.rows.push({ number: number + index, cells: row.cells });
    number += row.times;
  }
  return sheets;
}

const isCell = (name: string): boolean => name === 'table-cell' || name === 'covered-table-cell';
const isText = (name: string): boolean => name === 'p' || name === 'span' || name === 'a';

function timesOf({ attribute }: Tag, name: string): number {
  const times = Number(attribute(name) ?? 1);
  return Number.isInteger(times) && times > 0 ? times : 1;
}
