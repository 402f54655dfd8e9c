import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { linesOf, textContent, textOf } from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { Reviews } from '../../../src/core/review/service/reviews.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { MapValues } from '../../support/map-values.ts';
import { MemoryFiles } from '../../support/memory-files.ts';
import { silentLog } from '../../support/memory-recorder.ts';
import { by } from './desk.ts';
import { runs } from '../../support/seed.ts';
import { refused } from './workshop.ts';

const RUNS = runs(150);

/** How long each thing takes that a window waits for: turns of the event loop, one after the other. */
const DELAYS = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 40, size: 'max' });

const DECISION = fc.constantFrom('accept' as const, 'reject' as const);

/** Two windows, each of which waits for the store and the files as long as it is told. */
class Race {
  readonly values = new MapValues();
  readonly files = new MemoryFiles();
  readonly clock = new FakeClock();
  readonly windows: readonly Reviews[];
  #count = 0;
  readonly #delays: readonly number[];

  constructor(delays: readonly number[]) {
    this.#delays = delays;
    this.windows = ['1', '2'].map((writer) => this.#open(writer));
  }

  #open(writer: string): Reviews {
    const { clock } = this;
    const [values, files] = [this.#slow(this.values), this.#slow(this.files)];
    return new Reviews({ values, files, clock, writer, log: silentLog });
  }

  /** The same, a moment later. */
  #slow<Of extends object>(of: Of): Of {
    return new Proxy(of, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return async (...given: readonly unknown[]): Promise<unknown> => {
          const delay = this.#delays[(this.#count += 1) % this.#delays.length] ?? 0;
          for (let left = delay; left > 0; left -= 1) await turn();
          return Reflect.apply(value, target, given) as unknown;
        };
      },
    });
  }

  async propose(kind: 'written' | 'proposed', path: string, text: string): Promise<void> {
    const before = this.files.text(path) ?? '';
    const edit = { before: textContent(before), after: textContent(text) };
    await this.windows[0]!.agent.edits(kind, path, edit, by('1'));
    if (kind === 'written') this.files.put(path, text);
    for (const one of this.windows) await one.refresh();
    for (const one of this.windows) await one.files.fileChanged(path);
  }

  async settle(): Promise<void> {
    for (const one of this.windows) await one.flush();
    for (const one of this.windows) await one.refresh();
    await this.clock.advance(20_000);
    for (const one of this.windows) await one.flush();
  }

  close(): void {
    for (const one of this.windows) one.dispose();
  }
}

describe('two windows at the same time', function () {
  this.timeout(RUNS * 1000 + 60_000);

  it('that decide opposite things: each file gets one decision, and each window counts its own', async () => {
    const decisions = fc.asyncProperty(
      DELAYS,
      fc.constantFrom('written' as const, 'proposed' as const),
      fc.integer({ min: 1, max: 6 }),
      fc.tuple(DECISION, DECISION),
      fc.nat({ max: 63 }),
      async (delays, kind, count, [one, other], mask) => {
        const race = new Race(delays);
        const paths = Array.from({ length: count }, (_, index) => `/w/${index}`);
        for (const path of paths) {
          race.files.put(path, 'own\n');
          await race.propose(kind, path, 'own\nagent\n');
        }
        const all = paths.map((path) => ({ kind, path }));
        const some = all.filter((_, index) => ((mask >> index) & 1) === 1);
        const [first, second] = race.windows as [Reviews, Reviews];
        const [mine, theirs] = await Promise.all([
          first.decisions.decide(one, all),
          second.decisions.decide(other, some),
        ]);
        // What neither came to is pending still, and said to be.
        const again = await first.decisions.decide(
          one,
          first.pending.map(({ review: { path } }) => ({ kind, path })),
        );
        await race.settle();
        assert.equal(mine.done + mine.elsewhere + mine.failed.length, all.length);
        assert.equal(theirs.done + theirs.elsewhere + theirs.failed.length, some.length);
        assert.equal(mine.done + theirs.done + again.done, all.length);
        for (const window of race.windows) assert.deepEqual(window.pending, []);
        const accepted = paths.filter((path) => race.files.text(path) === 'own\nagent\n').length;
        const counted = [
          { decision: one, done: mine.done + again.done },
          { decision: other, done: theirs.done },
        ].reduce((sum, { decision, done }) => sum + (decision === 'accept' ? done : 0), 0);
        assert.equal(accepted, counted, 'files that have the change were accepted');
        race.close();
      },
    );
    await fc.assert(decisions, { numRuns: RUNS });
  });

  it('that edit one proposal: what either wrote is in it', async () => {
    const edits = fc.asyncProperty(
      DELAYS,
      fc.array(fc.tuple(fc.nat({ max: 1 }), fc.nat({ max: 400 })), {
        minLength: 1,
        maxLength: 8,
        size: 'max',
      }),
      async (delays, steps) => {
        const race = new Race(delays);
        race.files.put('/w/a', 'own\n');
        await race.propose('proposed', '/w/a', 'own\nfirst\nlast\n');
        const written: string[] = [];
        for (const [index, wait] of steps) {
          const window = race.windows[index]!;
          const text = textOf(window.find('proposed', '/w/a')!.document) ?? '';
          const line = `edit ${written.length}`;
          written.push(line);
          const place = index === 0 ? 'first\n' : 'last\n';
          window.files.proposalEdited(
            '/w/a',
            textContent(text.replace(place, `${place}${line}\n`)),
          );
          await race.clock.advance(wait);
          if (wait % 3 === 0) await race.windows[1 - index]!.refresh();
        }
        for (let round = 0; round < 3; round += 1) await race.settle();
        for (const window of race.windows) {
          const review = window.find('proposed', '/w/a');
          const lines = (review && textOf(review.document)?.split('\n')) ?? [];
          for (const line of written) assert.equal(lines.filter((one) => one === line).length, 1);
          assert.ok(hunksOf(review!).length > 0);
        }
        race.close();
      },
    );
    await fc.assert(edits, { numRuns: RUNS });
  });

  it('of which one edits what the other decides: only who saw a line can have rejected it', async () => {
    const step = fc.record({
      window: fc.nat({ max: 1 }),
      does: fc.constantFrom('edit', 'edit', 'edit', 'accept', 'reject'),
      wait: fc.nat({ max: 400 }),
    });
    let [lost, kept] = [0, 0];
    const edits = fc.asyncProperty(
      DELAYS,
      fc.array(step, { minLength: 2, maxLength: 8, size: 'max' }),
      async (delays, steps) => {
        const race = new Race(delays);
        race.files.put('/w/a', 'own\n');
        await race.propose('proposed', '/w/a', 'own\nfirst\nlast\n');
        const seen = race.windows.map((window) => seenIn(window));
        const mayGo = new Set<string>();
        const typed: string[] = [];
        const deciding: Promise<void>[] = [];
        const decide = async (index: number, does: 'accept' | 'reject'): Promise<void> => {
          const refusal = await refused(
            race.windows[index]!.decisions[does]({ kind: 'proposed', path: '/w/a' }),
          );
          if (refusal !== undefined || does === 'accept') return;
          for (const line of seen[index]!) mayGo.add(line);
        };
        for (const { window: index, does, wait } of steps) {
          const window = race.windows[index]!;
          const document = window.find('proposed', '/w/a')?.document;
          if (does !== 'edit') deciding.push(decide(index, does));
          else if (document?.kind === 'text') {
            const line = `edit ${typed.length}`;
            typed.push(line);
            const lines = document.lines.toSpliced(index === 0 ? 1 : -1, 0, line);
            window.files.proposalEdited('/w/a', { kind: 'text', lines });
          }
          await race.clock.advance(wait);
          if (wait % 3 === 0) await race.windows[1 - index]!.refresh();
        }
        await Promise.all(deciding);
        for (let round = 0; round < 3; round += 1) await race.settle();
        const file = race.files.text('/w/a')?.split('\n') ?? [];
        for (const window of race.windows) {
          const review = window.find('proposed', '/w/a');
          const lines = review === undefined ? file : linesOf(review.document);
          for (const line of typed) {
            const count = lines.filter((one) => one === line).length;
            assert.ok(count === 1 || (count === 0 && mayGo.has(line)), `${line}: ${count}`);
            if (count === 0) lost += 1;
            else kept += 1;
          }
        }
        race.close();
      },
    );
    await fc.assert(edits, { numRuns: RUNS });
    assert.ok(lost > RUNS / 10 && kept > RUNS / 2, `${lost} lines rejected, ${kept} kept`);
  });
});

/** The lines that a window has shown of a proposal. */
function seenIn(window: Reviews): ReadonlySet<string> {
  const seen = new Set<string>();
  window.onChange(({ path }) => {
    const review = window.find('proposed', path);
    for (const line of review === undefined ? [] : linesOf(review.document)) seen.add(line);
  });
  return seen;
}
