import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  ABSENT,
  type Attribution,
  textContent,
} from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import type { Reviews, Selected } from '../../../src/core/review/service/reviews.ts';
import { MapValues } from '../../support/map-values.ts';
import { MemoryFiles } from '../../support/memory-files.ts';
import { Kill, openReviews } from './stopping.ts';
import { runs } from '../../support/seed.ts';

function by(callId: string): Attribution {
  const made = { sessionId: 's', messageId: 'm', tool: 'edit_file', why: '', at: 1 };
  return { by: 'agent', callId, ...made };
}

/** Decisions, each of which is killed at every thing that it makes durable. */
const RUNS = runs(25);

/** What the agent did to a file: lines of it become others (with ones that are the same), or all of it. */
interface Change {
  readonly what: 'edit' | 'create' | 'delete' | 'rename' | 'rename and edit';
  /** Of each of its hunks; of a whole file the first one counts. */
  readonly chosen: readonly [boolean, boolean, boolean];
}

const change: fc.Arbitrary<Change> = fc.record({
  what: fc.constantFrom('edit', 'edit', 'create', 'delete', 'rename', 'rename and edit'),
  chosen: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
});

/** The third line from below is taken away, which a crash could make twice; two hunks are the same. */
const BEFORE = ['same', 'a', 'same', 'b', 'gone', 'c'];
const AFTER = ['other', 'a', 'other', 'b', 'c'];
const HUNKS = [
  [0, 1],
  [2, 3],
  [4, 5],
] as const;

/** The lines when of three hunks those are in the text. */
function withHunks(present: readonly boolean[]): string[] {
  const lines = [...BEFORE];
  for (const [index, [from, to]] of [...HUNKS.entries()].toReversed())
    if (present[index] === true) lines.splice(from, to - from, ...(index === 2 ? [] : ['other']));
  return lines;
}

type Disk = Readonly<Record<string, string | undefined>>;

/** One file of a world: what is on disk before and after the decision, and what is pending then. */
class File {
  readonly change: Change;
  readonly path: string;
  readonly to: string;

  constructor(given: Change, index: number) {
    this.change = given;
    this.path = `/w/${index}`;
    this.to = given.what.startsWith('rename') ? `/w/${index}-new` : this.path;
  }

  get isWhole(): boolean {
    return this.change.what !== 'edit';
  }

  get hasHunks(): boolean {
    return this.change.what.endsWith('edit');
  }

  /** With these hunks of it, or with all the agent did. */
  #disk(done: boolean, present: readonly boolean[]): Disk {
    const { what } = this.change;
    const text = withHunks(this.hasHunks ? present : []).join('\n');
    if (what === 'create') return { [this.path]: done ? AFTER.join('\n') : undefined };
    if (what === 'delete') return { [this.path]: done ? undefined : text };
    if (this.to === this.path) return { [this.path]: text };
    return done
      ? { [this.to]: text, [this.path]: undefined }
      : { [this.path]: text, [this.to]: undefined };
  }

  get before(): Disk {
    return this.#disk(true, [true, true, true]);
  }

  get isChosen(): boolean {
    return this.isWhole || this.change.chosen.includes(true);
  }

  after(decision: 'keep' | 'undo'): Disk {
    if (!this.isChosen) return this.before;
    const { chosen } = this.change;
    const isAll = this.isWhole || chosen.every(Boolean);
    if (isAll) {
      const isDone = decision === 'keep';
      return this.#disk(isDone, [isDone, isDone, isDone]);
    }
    return this.#disk(
      true,
      chosen.map((is) => (is ? decision === 'keep' : true)),
    );
  }

  /** How many hunks are left for a later decision. */
  get hunksLeft(): number {
    return this.isWhole ? 0 : this.change.chosen.filter((is) => !is).length;
  }

  async make(reviews: Reviews, files: MemoryFiles): Promise<void> {
    const { what } = this.change;
    const [before, after] = [textContent(BEFORE.join('\n')), textContent(AFTER.join('\n'))];
    if (what !== 'create') files.put(this.path, BEFORE.join('\n'));
    if (what === 'create') await reviews.agent.edits(this.path, { before: ABSENT, after }, by('1'));
    else if (what === 'delete')
      await reviews.agent.edits(this.path, { before, after: ABSENT }, by('1'));
    else {
      const is = this.hasHunks ? { before, after } : { before, after: before };
      if (this.hasHunks) await reviews.agent.edits(this.path, is, by('1'));
      if (this.to !== this.path)
        await reviews.agent.renames(this.path, { path: this.to, content: is.after }, by('2'));
    }
    for (const [path, text] of Object.entries(this.before)) files.put(path, text);
  }

  /** What is still pending of the decision. */
  left(reviews: Reviews): Selected | undefined {
    const row = reviews.find(this.to);
    if (row === undefined || !this.isChosen) return undefined;
    const { chosen } = this.change;
    if (this.isWhole || chosen.every(Boolean)) return { path: this.to };
    // By their lines in the text before: the first two are the same.
    const starts = HUNKS.filter((_, at) => chosen[at]).map(([from]) => from);
    const ids = hunksOf(row).flatMap(({ id, removed, baselineFrom }) => {
      const from = removed.includes('gone') ? 4 : baselineFrom === 0 ? 0 : 2;
      return (starts as readonly number[]).includes(from) ? id : [];
    });
    return ids.length === 0 ? undefined : { path: this.to, choice: ids };
  }

  selected(reviews: Reviews): Selected | undefined {
    const { chosen } = this.change;
    if (!this.isChosen) return undefined;
    if (this.isWhole || chosen.every(Boolean)) return { path: this.to };
    const hunks = hunksOf(reviews.find(this.to)!);
    assert.equal(hunks.length, 3);
    return { path: this.to, choice: hunks.filter((_, at) => chosen[at]).map(({ id }) => id) };
  }
}

class World {
  readonly files = new MemoryFiles();
  readonly values = new MapValues();
  readonly all: readonly File[];

  constructor(changes: readonly Change[]) {
    this.all = changes.map((one, index) => new File(one, index));
  }

  open(kill?: Kill): Reviews {
    return openReviews(this, kill);
  }

  async make(): Promise<void> {
    const reviews = this.open();
    for (const file of this.all) await file.make(reviews, this.files);
    reviews.dispose();
  }

  is(disk: Disk): boolean {
    return Object.entries(disk).every(([path, text]) => this.files.text(path) === text);
  }

  async decide(decision: 'keep' | 'undo', kill: Kill): Promise<void> {
    const reviews = this.open(kill);
    await reviews.load();
    const selected = this.all.flatMap((file) => file.selected(reviews) ?? []);
    await reviews.decisions.decide(decision, selected).catch(() => undefined);
    reviews.dispose();
  }

  /** After a crash: each file is as it was, or as it was decided, and what is left can still be decided exactly. */
  async recovers(decision: 'keep' | 'undo'): Promise<void> {
    const reviews = this.open();
    await reviews.load();
    for (const file of this.all) {
      const [isOld, isDone] = [this.is(file.before), this.is(file.after(decision))];
      // A file with a new name and other lines is changed in two steps; between them its new name is pending.
      const isBetween = file.hasHunks && file.isWhole && reviews.find(file.to) !== undefined;
      assert.ok(isOld || isDone || isBetween, `${file.path} is half`);
    }
    const left = this.all.flatMap((file) => file.left(reviews) ?? []);
    assert.deepEqual((await reviews.decisions.decide(decision, left)).failed, []);
    this.#isDone(reviews, decision);
    reviews.dispose();
    const again = this.open();
    await again.load();
    this.#isDone(again, decision);
    again.dispose();
  }

  #hunks(reviews: Reviews, file: File): number {
    const review = reviews.find(file.to);
    return review === undefined ? 0 : Math.max(1, hunksOf(review).length);
  }

  #isDone(reviews: Reviews, decision: 'keep' | 'undo'): void {
    for (const file of this.all) {
      assert.ok(this.is(file.after(decision)), `${file.path} is as it was decided`);
      assert.equal(
        this.#hunks(reviews, file),
        file.hunksLeft,
        `${file.path}: what was not chosen is pending`,
      );
    }
  }
}

describe('a decision that a crash interrupts', function () {
  this.timeout(RUNS * 4000 + 60_000);

  it('is done or not done in every file; what is left is pending and then decided exactly', async () => {
    let kills = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 5 }),
        fc.constantFrom('keep' as const, 'undo' as const),
        async (changes, decision) => {
          const whole = new World(changes);
          await whole.make();
          const counted = new Kill(Infinity, 'before');
          await whole.decide(decision, counted);
          for (const file of whole.all) assert.ok(whole.is(file.after(decision)), file.path);
          for (let at = 0; at < counted.made; at += 1) {
            for (const when of ['before', 'after'] as const) {
              const world = new World(changes);
              await world.make();
              await world.decide(decision, new Kill(at, when));
              await world.recovers(decision);
              kills += 1;
            }
          }
        },
      ),
      { numRuns: RUNS },
    );
    assert.ok(kills > RUNS * 10, `killed only ${kills} times`);
  });
});
