import { readSheets } from './xlsx.ts';
import { Zip } from './zip.ts';

export type SheetAnswer = { readonly text: string } | { readonly problem: string };

/** Characters of all cells together. */
const MOST_TEXT = 8_000_000;

/** The cells of a spreadsheet as text. Never throws. */
export function sheetText(bytes: Uint8Array): SheetAnswer {
  try {
    const zip = new Zip(bytes);
    const sheets = readSheets(zip);
    if (sheets === undefined) throw new Error('it holds no sheets');
    const lines: string[] = [];
    let left = MOST_TEXT;
    for (const { name, rows } of sheets) {
      lines.push(`[sheet ${JSON.stringify(name)}]`);
      for (const { number, cells } of rows) {
        const used = cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1);
        if (used.length === 0) continue;
        const line = [number, ...used.map(inOneLine)].join('\t');
        left -= line.length;
        if (left < 0)
          return { text: [...lines, '[The rest is left out: it is too much.]'].join('\n') };
        lines.push(line);
      }
    }
    return { text: lines.join('\n') };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function inOneLine(cell: string): string {
  return cell.replaceAll(/\s+/gu, ' ').trim();
}
