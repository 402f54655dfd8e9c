import { countPending } from '../../src/core/review/model/selected-changes.ts';
import { diffArrays } from 'diff';
import { lineChanges } from '../../src/core/merge/line-changes.ts';
import { linesOf } from '../../src/core/review/model/file-review.ts';
import type { Attribution, Content } from '../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../src/core/review/model/hunks.ts';
import { Reviews } from '../../src/core/review/service/reviews.ts';
import { pendingList } from '../../src/panel/review/pending-list.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { MapValues } from '../support/map-values.ts';
import { MemoryFiles } from '../support/memory-files.ts';
import { silentLog } from '../support/memory-recorder.ts';

type Row = Readonly<Record<string, string | number>>;

const HUNKS = 300;
const FILES = 40;
const LINES = 20_000;
const KEYS = Number(process.env['BELAY_REVIEW_KEYS'] ?? 5000);

const by: Attribution = {
  by: 'agent',
  sessionId: 's',
  messageId: 'm',
  callId: 'c',
  tool: 'edit_file',
  why: '',
  at: 1,
};

/** Pending changes at their largest, beside a plain comparison of the same texts. Milliseconds. */
export async function run(): Promise<readonly Row[]> {
  return [...(await manyFiles()), ...(await largeFile())];
}

/** 300 hunks in 40 files: what a keystroke costs with all that surfaces ask after it, and decisions. */
async function manyFiles(): Promise<Row[]> {
  const work = new Work();
  const lines = textOfLines(2000);
  const each = Math.ceil(HUNKS / FILES);
  for (let file = 0; file < FILES; file += 1)
    await work.edit(`/w/${file}`, lines, withHunks(lines, each));
  const { reviews } = work;
  const plain = timed(() => {
    for (const review of reviews.pending)
      diffArrays([...linesOf(review.baseline)], [...linesOf(review.document)]);
  });
  const names = { roots: ['/w'], title: () => '', text: () => '', evidence: () => undefined };
  const asked = (): void => {
    void [countPending(reviews.pending), pendingList(reviews, names)];
  };
  const keys: number[] = [];
  for (let key = 0; key < 400; key += 1) {
    const path = `/w/${key % FILES}`;
    keys.push(
      timed(() => {
        work.type(path, 1001);
        asked();
      }),
    );
  }
  for (let file = 0; file < FILES; file += 1) work.save(`/w/${file}`);
  const all = reviews.pending.map(({ path }) => ({ path }));
  const half = all.length / 2;
  const accepting = await waited(() => reviews.decisions.decide('keep', all.slice(0, half)));
  const rejecting = await waited(() => reviews.decisions.decide('undo', all.slice(half)));
  reviews.dispose();
  return [
    row(`40 files, ${each * FILES} hunks: plain diff of all`, [plain], plain),
    row('… a keystroke, with totals and requests', keys, plain),
    row('… accept half of the files', [accepting], plain),
    row('… reject the other half', [rejecting], plain),
  ];
}

async function largeFile(): Promise<Row[]> {
  const work = new Work();
  const lines = textOfLines(LINES);
  const after = withHunks(lines, HUNKS);
  const plain = median(times(9, () => diffArrays([...lines], [...after])));
  const own = times(9, () => lineChanges(lines, after));
  const agent = await waited(() => work.edit('/w/large', lines, after));
  const { reviews } = work;
  const keys: number[] = [];
  for (let key = 0; key < KEYS; key += 1) {
    // Outside of hunks, and within the ones that are proposed.
    const line = key % 2 === 0 ? 10_001 : Math.floor(LINES / HUNKS) * (key % HUNKS);
    keys.push(timed(() => work.type('/w/large', line)));
  }
  const tenth = Math.floor(KEYS / 10);
  const review = reviews.find('/w/large')!;
  work.save('/w/large');
  const [hunk] = hunksOf(review);
  const path = '/w/large';
  const accepting = await waited(() => reviews.decisions.keep({ path, choice: [hunk!.id] }));
  const rejecting = await waited(() => reviews.decisions.undo({ path }));
  reviews.dispose();
  return [
    row(`${LINES} lines, ${HUNKS} hunks: plain diff`, [plain], plain),
    row('… the comparison behind the hunks', own, plain),
    row('… an agent’s edit, stored', [agent], plain),
    row(`… a keystroke, the first ${tenth}`, keys.slice(0, tenth), plain),
    row(`… a keystroke, the last ${tenth} of ${KEYS}`, keys.slice(-tenth), plain),
    row('… accept a hunk', [accepting], plain),
    row('… reject the rest', [rejecting], plain),
  ];
}

class Work {
  readonly #files = new MemoryFiles();
  readonly reviews = new Reviews({
    values: new MapValues(),
    files: this.#files,
    clock: new FakeClock(),
    log: silentLog,
  });

  async edit(path: string, before: readonly string[], after: readonly string[]): Promise<void> {
    const contents = { before: content(before), after: content(after) };
    await this.reviews.agent.edits(path, contents, by);
    this.#files.put(path, after.join('\n'));
  }

  /** What was typed is saved. */
  save(path: string): void {
    const { document } = this.reviews.find(path)!;
    this.#files.put(path, linesOf(document).join('\n'));
  }

  /** A character at the end of a line, as an editor tells of it. */
  type(path: string, line: number): void {
    const { document } = this.reviews.find(path)!;
    const lines = linesOf(document);
    const text = lines[line] ?? '';
    const after = lines.with(line, `${text}x`);
    this.reviews.files.documentChanged(path, content(after), 'editor');
    hunksOf(this.reviews.find(path)!);
  }
}

function content(lines: readonly string[]): Content {
  return { kind: 'text', lines };
}

function textOfLines(count: number): string[] {
  return Array.from({ length: count }, (_, line) =>
    line % 7 === 0 ? '' : `  const value${line} = compute(${line % 50});`,
  );
}

/** Every hunk replaces a line by two. */
function withHunks(lines: readonly string[], count: number): string[] {
  const step = Math.floor(lines.length / count);
  return lines.flatMap((line, at) =>
    at % step === 0 && at / step < count ? [`changed ${at}`, `added ${at}`] : [line],
  );
}

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

async function waited(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function times(count: number, work: () => unknown): number[] {
  return Array.from({ length: count }, () => timed(work));
}

function row(what: string, samples: readonly number[], plain: number): Row {
  const middle = median(samples);
  return {
    what,
    'ms (median)': round(middle),
    'ms (worst)': round(Math.max(...samples)),
    'times a plain diff': round(middle / plain),
  };
}

const median = (samples: readonly number[]): number =>
  samples.toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0;

const round = (value: number): number => Math.round(value * 100) / 100;
