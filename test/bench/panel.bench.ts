// The panel of the packaged extension in a real VS Code, beside the floor: an extension in the same rig that does nothing
// but show plain text. `BELAY_PANEL_PARTS=start` measures only that part (of sizes, start, answers, long).
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { makePackage, packageFile } from '../rig/package.ts';
import { root } from '../rig/processes.ts';
import { answerFigures } from './panel/answer-rows.ts';
import { longFigures } from './panel/long-rows.ts';
import { memoryAlone, startFigures, type Figures } from './panel/start-rows.ts';

type Row = Readonly<Record<string, string | number>>;

const LIMITS: Figures = {
  'load and activate, ms': 60,
  'focus → input usable, ms': 450,
  'Enter → request, later, ms': 30,
  'Enter → text, first message, ms': 250,
  'Enter → text, later, ms': 90,
  'extension host over VS Code alone, MB': 40,
  'package, kB': 2500,
  "the page's script, kB": 350,
  'long answer over 8 s: lag after the last delta, ms': 100,
  '…: blocking time, ms': 0,
  '…: longest task, ms': 50,
  '…: frames a second': 58,
  '…: posts': 600,
  '…: posted, kB': 300,
  '…: processor time of the extension host, ms': 1600,
  'all at once: total, ms': 400,
  'typing meanwhile, p50, ms': 16,
  'typing meanwhile, p95, ms': 35,
  'idle for a minute: processor time of the extension host, ms': 0,
  'open 10000 messages: end painted, ms': 200,
  'find in them a word that one has, ms': 300,
  'find in them a word that thousands have, ms': 300,
  'in it: lag after the last delta, ms': 100,
  'in it: blocking time, ms': 0,
  'in it: scrolling, frames a second': 55,
  'in it: scrolling, longest gap, ms': 60,
  'in it: typing meanwhile, p95, ms': 35,
  'a result of 50 MB: longest task, ms': 50,
};
/** Rows of which more is better. */
const AT_LEAST: ReadonlySet<string> = new Set([
  '…: frames a second',
  'in it: scrolling, frames a second',
]);

export async function run(): Promise<readonly Row[]> {
  if (process.env['BELAY_PANEL_VSIX'] === undefined) await makePackage();
  const parts = process.env['BELAY_PANEL_PARTS'] ?? 'sizes,start,answers,long';
  const rows: Row[] = [];
  if (parts.includes('sizes')) rows.push(...(await sizes()));
  if (parts.includes('start')) {
    const alone = await memoryAlone();
    const floor = over(alone, await startFigures('floor'));
    rows.push(...rowsOf(over(alone, await startFigures('Belay')), floor));
  }
  if (parts.includes('answers')) {
    const floor = await answerFigures('floor');
    rows.push(...rowsOf(await answerFigures('Belay'), floor));
  }
  if (parts.includes('long')) {
    const floor = await longFigures('floor');
    rows.push(...rowsOf(await longFigures('Belay'), floor));
  }
  return rows;
}

/** The package, and the page's script. */
async function sizes(): Promise<readonly Row[]> {
  const kilobytes = async (file: string): Promise<number> => (await stat(file)).size / 1000;
  return rowsOf({
    'package, kB': await kilobytes(packageFile),
    "the page's script, kB": await kilobytes(path.join(root, 'dist/panel.js')),
  });
}

const rowsOf = (belay: Figures, floor: Figures = {}): readonly Row[] =>
  Object.entries(belay).map(([what, value]) => row(what, value, floor[what]));

function over(
  alone: number,
  { 'extension host, MB': memory = Number.NaN, ...others }: Figures,
): Figures {
  return { ...others, 'extension host over VS Code alone, MB': memory - alone };
}

function row(what: string, value: number, floor: number | undefined): Row {
  const limit = LIMITS[what];
  return {
    what,
    Belay: round(value),
    floor: floor === undefined ? '' : round(floor),
    limit: limit ?? '',
    '': limit === undefined || isMet(what, value, limit) ? '' : 'MISSED',
  };
}

const isMet = (what: string, value: number, limit: number): boolean =>
  AT_LEAST.has(what) ? value >= limit : value <= limit;

const round = (value: number): number => Math.round(value * 10) / 10;
