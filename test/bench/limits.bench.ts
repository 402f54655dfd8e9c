import { NodeWeb } from '../../src/hosts/node/web/node-web.ts';
import { HOSTILE_PAGES } from '../unit/limits/hostile-pages.ts';
import { ENTRIES } from '../unit/limits/entries.ts';
import { HOSTILE_TEXTS } from '../unit/limits/hostile-texts.ts';
import { longestBlock } from './tools/longest-block.ts';

const ROUNDS = 5;

/** How long the event loop stands still with 1 MB of hostile text: processor time in milliseconds, medians. */
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
  for (const [what, html] of Object.entries(HOSTILE_PAGES)) {
    const began = performance.now();
    const block = Math.round(await longestBlock(() => read(html()).catch(() => undefined)));
    const ms = Math.round(performance.now() - began);
    rows.push({ what, entry: 'a page of 5 MB', ms, block, target: '< 50' });
  }
  return rows;
}

function read(html: string): Promise<unknown> {
  const url = new URL('http://127.0.0.1/');
  const body = Buffer.from(html);
  const page = {
    kind: 'page',
    url,
    status: 200,
    mediaType: 'text/html',
    body,
    cut: false,
  } as const;
  return new NodeWeb().text(page, 40_000, new AbortController().signal);
}

function median(values: readonly number[]): number {
  return Math.round(values.toSorted((left, right) => left - right)[ROUNDS >> 1] ?? 0);
}
