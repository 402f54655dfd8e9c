import { NodeWeb } from '../../src/hosts/node/web/node-web.ts';
import { HOSTILE_PAGES, pageOf } from '../unit/limits/hostile-pages.ts';
import { ENTRIES } from '../unit/limits/entries.ts';
import { HOSTILE_TEXTS } from '../unit/limits/hostile-texts.ts';
import { callOf, LONG_INPUTS, LONG_TEXTS, TAKES_TEXT } from '../unit/limits/long-texts.ts';
import { longestBlock } from './tools/longest-block.ts';

const ROUNDS = 5;

/** How long the event loop stands still with 1 MB of hostile text: processor time in milliseconds, medians; of 5 MB, once. */
export async function run(): Promise<readonly Readonly<Record<string, string | number>>[]> {
  const rows: Record<string, string | number>[] = [];
  for (const [what, text, other] of HOSTILE_TEXTS)
    for (const [entry, work] of Object.entries(ENTRIES)) {
      const [blocks, times]: [number[], number[]] = [[], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        const began = performance.now();
        blocks.push(await longestBlock(() => work(text, other)));
        times.push(performance.now() - began);
      }
      rows.push({ what, entry, ms: median(times), block: median(blocks), target: '< 50' });
    }
  for (const [what, text] of Object.entries(LONG_TEXTS))
    for (const [entry, work] of Object.entries(TAKES_TEXT))
      rows.push(await measured(`5 MB of ${what}`, entry, () => work(text(5_000_000))));
  for (const [what, json] of Object.entries(LONG_INPUTS)) {
    const text = json();
    rows.push(
      await measured(`5 MB of ${what}`, 'the input of a call', async () =>
        Promise.resolve(callOf(text)),
      ),
    );
  }
  for (const [what, html] of Object.entries(HOSTILE_PAGES)) {
    const page = html();
    rows.push(await measured(`5 MB of ${what}`, 'a page', () => read(page).catch(() => undefined)));
  }
  return rows;
}

async function measured(
  what: string,
  entry: string,
  work: () => Promise<unknown>,
): Promise<Record<string, string | number>> {
  const began = performance.now();
  const block = Math.round(await longestBlock(work));
  return { what, entry, ms: Math.round(performance.now() - began), block, target: '< 50' };
}

function read(html: string): Promise<unknown> {
  return new NodeWeb().text(pageOf(html), 40_000, new AbortController().signal);
}

function median(values: readonly number[]): number {
  return Math.round(values.toSorted((left, right) => left - right)[ROUNDS >> 1] ?? 0);
}
