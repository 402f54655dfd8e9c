import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { linesOf, textContent } from '../../../src/core/review/model/file-review.ts';
import { type Hunk, hunksOf } from '../../../src/core/review/model/hunks.ts';
import { ReviewWorkspace } from '../../support/review/workspace.ts';
import { runs } from '../../support/seed.ts';

/** Histories, each of up to twenty steps on a real file with a real store. */
const RUNS = runs(40);

const at = fc.nat({ max: 30 });
const few = fc.nat({ max: 3 });
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('agent' as const), at, gone: few, made: few }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('type' as const, 'program' as const),
      at,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('change' as const), at }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('keep' as const, 'undo' as const),
      at,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('checkout' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** One file, whose lines say who made them: no two are the same. */
class History implements AsyncDisposable {
  readonly workspace: ReviewWorkspace;
  /** Lines that the user or another program put beside hunks, and that nobody has changed since. */
  readonly theirs = new Set<string>();
  #count = 0;

  constructor(workspace: ReviewWorkspace) {
    this.workspace = workspace;
  }

  get lines(): readonly string[] {
    return linesOf(textContent(this.workspace.onDisk('a.txt') ?? ''));
  }

  get hunks(): readonly Hunk[] {
    const row = this.workspace.reviews.find(this.workspace.at('a.txt'));
    return row === undefined ? [] : hunksOf(row);
  }

  async do(step: Step): Promise<void> {
    const { lines, hunks } = this;
    // The last line is what ends the one before it.
    const place = 'at' in step ? step.at % lines.length : 0;
    switch (step.kind) {
      case 'agent': {
        const gone = Math.min(step.gone, lines.length - 1 - place);
        const made = this.#fresh(step.made, 'agent');
        for (const line of lines.slice(place, place + gone)) this.theirs.delete(line);
        const after = lines.toSpliced(place, gone, ...made);
        await this.workspace.write('write', 'a.txt', after.join('\n'));
        return;
      }
      case 'type':
      case 'program': {
        const [line = ''] = this.#fresh(1, step.kind);
        const isInside = hunks.some(
          ({ documentFrom, documentTo }) => documentFrom < place && place < documentTo,
        );
        if (!isInside) this.theirs.add(line);
        return this.#write(lines.toSpliced(place, 0, line), step.kind === 'type');
      }
      case 'change': {
        if (place === lines.length - 1) return;
        this.theirs.delete(lines[place] ?? '');
        return this.#write(lines.with(place, `${lines[place]} changed`), true);
      }
      case 'keep':
      case 'undo':
        return this.#decide(step.kind, hunks[step.at % Math.max(1, hunks.length)]);
      case 'checkout': {
        const ids = hunks.map(({ id }) => id);
        const document = lines;
        await this.#write(['of another branch', ''], false);
        await this.#write(document, false);
        assert.deepEqual(
          this.hunks.map(({ id }) => id),
          ids,
          'a checkout and back changes nothing',
        );
        return;
      }
      case 'restart': {
        const before = this.workspace.pending;
        await this.workspace.reviews.flush();
        await this.workspace.restart();
        assert.deepEqual(this.workspace.pending, before, 'a restart changes nothing');
        return;
      }
      default:
        step satisfies never;
    }
  }

  async #decide(decision: 'keep' | 'undo', hunk: Hunk | undefined): Promise<void> {
    if (hunk === undefined) return;
    const { lines, hunks } = this;
    const selected = { path: this.workspace.at('a.txt'), choice: [hunk.id] };
    const { decisions } = this.workspace.reviews;
    if (decision === 'keep') await decisions.keep(selected);
    else await decisions.undo(selected);
    const length = hunk.documentTo - hunk.documentFrom;
    const expected =
      decision === 'keep' ? lines : lines.toSpliced(hunk.documentFrom, length, ...hunk.removed);
    assert.deepEqual(this.lines, expected.length === 0 ? [''] : expected, 'only its lines change');
    assert.equal(this.hunks.length, hunks.length - 1, 'the other hunks are pending as before');
    if (decision === 'undo') for (const line of hunk.added) this.theirs.delete(line);
  }

  async #write(lines: readonly string[], isTyped: boolean): Promise<void> {
    const { workspace } = this;
    const text = lines.join('\n');
    if (isTyped)
      workspace.reviews.files.documentChanged(workspace.at('a.txt'), textContent(text), 'editor');
    await workspace.outside('a.txt', text);
    await workspace.reviews.files.fileChanged(workspace.at('a.txt'));
  }

  #fresh(count: number, who: string): string[] {
    return Array.from({ length: count }, () => `${who} ${(this.#count += 1)}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.workspace[Symbol.asyncDispose]();
  }
}

describe('pending changes after any history', function () {
  this.timeout(RUNS * 3000 + 60_000);

  const check = (end: (history: History) => Promise<void>): Promise<void> =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 8 }),
        fc.array(step, { maxLength: 20, size: 'max' }),
        async (length, steps) => {
          const text = Array.from({ length }, (_, index) => `line ${index + 1}\n`).join('');
          await using history = new History(await ReviewWorkspace.open({ 'a.txt': text }));
          for (const one of steps) await history.do(one);
          await end(history);
        },
      ),
      { numRuns: RUNS },
    );

  it('Keep All leaves the file as it is, and nothing is pending', () =>
    check(async (history) => {
      const { lines, workspace } = history;
      await workspace.reviews.decisions.decide('keep', [{ path: workspace.at('a.txt') }]);
      assert.deepEqual(history.lines, lines);
      assert.deepEqual(workspace.pending, []);
    }));

  it('Undo All takes back every hunk but those that others edited, and no line of others', () =>
    check(async (history) => {
      const { hunks, workspace } = history;
      if (hunks.length === 0) return;
      const edited = hunks.filter(({ editedByUser }) => editedByUser);
      const path = workspace.at('a.txt');
      const result = await workspace.reviews.decisions.decide('undo', [{ path }]);
      assert.equal(result.left, edited.length);
      assert.deepEqual(result.failed, []);
      const left = history.lines;
      const others = hunks.filter((hunk) => !hunk.editedByUser);
      for (const { added, removed } of others) {
        assert.ok(!added.some((line) => line !== '' && left.includes(line)), 'its lines are gone');
        for (const line of removed) assert.ok(left.includes(line), `${line} is back`);
      }
      for (const line of edited.flatMap(({ added }) => added))
        assert.ok(left.includes(line), `${line} of a hunk that was edited stays`);
      for (const line of history.theirs) assert.ok(left.includes(line), `${line} stays`);
      assert.equal(history.hunks.length, edited.length);
    }));
});
