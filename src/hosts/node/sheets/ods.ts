import type { Row, Sheet } from './sheet.ts';
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
  const reader = new OdsReader();
  for (const tag of tagsOf(xml)) reader.take(tag);
  return reader.sheets;
}

class OdsReader {
  readonly sheets: { readonly name: string; readonly rows: Row[] }[] = [];
  #number = 1;
  #row = { cells: [] as string[], times: 1 };
  #cell = { text: '', times: 1 };

  take(tag: Tag): void {
    const { name, kind, text } = tag;
    switch (name) {
      case 'table':
        if (kind === 'open') this.#begin(tag);
        break;
      case 'table-row':
        if (kind !== 'close')
          this.#row = { cells: [], times: timesOf(tag, 'number-rows-repeated') };
        if (kind !== 'open') this.#endRow();
        break;
      case 'table-cell':
      case 'covered-table-cell':
        if (kind !== 'close')
          this.#cell = { text: '', times: timesOf(tag, 'number-columns-repeated') };
        if (kind !== 'open') this.#endCell();
        break;
      case 'p':
      case 'span':
      case 'a':
        if (kind !== 'empty') this.#cell.text += kind === 'open' ? text : `${text} `;
        break;
      case 's':
      case 'tab':
      case 'line-break':
        this.#cell.text += ` ${text}`;
        break;
      default:
    }
  }

  #begin({ attribute }: Tag): void {
    this.sheets.push({ name: attribute('name') ?? '', rows: [] });
    this.#number = 1;
  }

  #endCell(): void {
    const { cells } = this.#row;
    const times = Math.min(this.#cell.times, COLUMNS - cells.length);
    for (let index = 0; index < times; index += 1) cells.push(this.#cell.text);
  }

  #endRow(): void {
    const { cells, times } = this.#row;
    const isEmpty = cells.every((one) => one.trim() === '');
    const shown = isEmpty ? 0 : Math.min(times, MOST_REPEATED);
    for (let index = 0; index < shown; index += 1)
      this.sheets.at(-1)?.rows.push({ number: this.#number + index, cells });
    this.#number += times;
  }
}

function timesOf({ attribute }: Tag, name: string): number {
  const times = Number(attribute(name) ?? 1);
  return Number.isInteger(times) && times > 0 ? times : 1;
}
