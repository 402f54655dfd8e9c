import { NodeWeb } from '../../src/hosts/node/web/node-web.ts';
import { HOSTILE_PAGES, pageOf } from '../unit/limits/hostile-pages.ts';
import { ENTRIES } from '../unit/limits/entries.ts';
import { HOSTILE_TEXTS, unitOfWork } from '../unit/limits/hostile-texts.ts';
import { callOf, LONG_INPUTS, LONG_TEXTS, TAKES_TEXT } from '../unit/limits/long-texts.ts';
import { longestBlock } from './tools/longest-block.ts';

const ROUNDS = 5;
/** The same of 5 MB, where one round takes up to ten seconds. */
const LARGE_ROUNDS = 3;

type Row = Readonly<Record<string, string | number>>;

/**
 * How long the event loop stands still with 1 and 5 MB of hostile text: processor time in milliseconds, medians. The
 * first row says how quiet the machine is: on a busy one all figures grow with it.
 */
export async function run(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const unit = median(Array.from({ length: ROUNDS }, unitOfWork));
  rows.push({ what: 'plain work, about 10 on a quiet machine', entry: '', block: unit });
  for (const [what, text, other] of HOSTILE_TEXTS)
    for (const [entry, work] of Object.entries(ENTRIES))
      rows.push(await measured(what, entry, ROUNDS, () => work(text, other)));
  for (const [what, make] of Object.entries(LONG_TEXTS)) {
    const text = make(5_000_000);
    for (const [entry, work] of Object.entries(TAKES_TEXT))
      rows.push(await measured(`5 MB of ${what}`, entry, LARGE_ROUNDS, () => work(text)));
  }
  for (const [what, json] of Object.entries(LONG_INPUTS)) {
    const text = json();
    const work = async () => Promise.resolve(callOf(text));
    rows.push(await measured(`5 MB of ${what}`, 'the input of a call', LARGE_ROUNDS, work));
  }
  for (const [what, html] of Object.entries(HOSTILE_PAGES)) {
    const page = html();
    const work = () => read(page).catch(() => undefined);
    rows.push(await measured(`5 MB of ${what}`, 'a page', LARGE_ROUNDS, work));
  }
  return rows;
}

async function measured(
  what: string,
  entry: string,
  rounds: number,
  work: () => Promise<unknown>,
): Promise<Row> {
  const [blocks, times]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    blocks.push(await longestBlock(work));
    times.push(performance.now() - began);
  }
  return { what, entry, ms: median(times), block: median(blocks), target: '< 50' };
}

function read(html: string): Promise<unknown> {
  return new NodeWeb().text(pageOf(html), 40_000, new AbortController().signal);
}

function median(values: readonly number[]): number {
  return Math.round(values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0);
}
