import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { applyLineChanges, lineChanges, splitLines } from '../../../src/core/merge/line-changes.ts';
import { mergeLines } from '../../../src/core/merge/merge-lines.ts';
import type { MergeRegion } from '../../../src/core/merge/merge-lines.ts';
import { mergeTexts } from '../../../src/core/merge/merge-texts.ts';
import { runs } from '../../support/seed.ts';

/** The merged lines; `undefined`: there are conflicts. */
function mergedLines(regions: readonly MergeRegion[]): readonly string[] | undefined {
  if (regions.some(({ kind }) => kind === 'conflict')) return undefined;
  return regions.flatMap((region) => (region.kind === 'theirs' ? region.theirs : region.ours));
}

/** Few different lines, so that there are many ways to match them. */
const repeated = fc.array(fc.constantFrom('a\n', 'b\n', '\n', '}\n'), { maxLength: 14 });

/** What one side does to lines of which no two are the same: some go, new ones come, some are changed. */
interface Side {
  readonly lines: readonly string[];
  readonly kept: ReadonlySet<string>;
  readonly added: readonly string[];
}

const side = (name: string, base: readonly string[]): fc.Arbitrary<Side> =>
  fc
    .array(fc.tuple(fc.boolean(), fc.nat({ max: 7 })), {
      minLength: base.length + 1,
      maxLength: base.length + 1,
    })
    .map((choices) => {
      const lines: string[] = [];
      const kept = new Set<string>();
      const added: string[] = [];
      for (const [at, [stays, inserts]] of choices.entries()) {
        for (let count = 6; count <= inserts; count += 1) {
          const line = `${name} at ${at}, ${count}\n`;
          lines.push(line);
          added.push(line);
        }
        const line = base[at];
        if (line === undefined || (!stays && inserts < 4)) continue;
        lines.push(line);
        kept.add(line);
      }
      return { lines, kept, added };
    });

const twoSides = fc
  .nat({ max: 12 })
  .map((length) => Array.from({ length }, (_, at) => `line ${at}\n`))
  .chain((base) => fc.tuple(fc.constant(base), side('ours', base), side('theirs', base)));

const texts = (regions: readonly MergeRegion[], of: 'base' | 'ours' | 'theirs'): string[] =>
  regions.flatMap((region) => region[of]);

describe('changes between lines', () => {
  it('turn the one into the other, in order, none touching the next', () => {
    fc.assert(
      fc.property(repeated, repeated, (base, other) => {
        const changes = lineChanges(base, other);
        assert.deepEqual(applyLineChanges(base, changes), other);
        for (const [index, { from, to, lines }] of changes.entries()) {
          assert.ok(to > from || lines.length > 0, 'it changes nothing');
          assert.ok(from > (changes[index - 1]?.to ?? -1), 'it touches the one before');
        }
      }),
    );
  });

  it('never touch a line with words that occurs once in both, whatever blank lines do around it', () => {
    const empty = fc.array(fc.constantFrom('\n', '}\n', '{\n'), { maxLength: 10 });
    fc.assert(
      fc.property(empty, empty, empty, empty, (head, tail, otherHead, otherTail) => {
        const left: string[] = [...head, 'once\n', ...tail];
        const right: string[] = [...otherHead, 'once\n', ...otherTail];
        for (const { from, to, lines } of lineChanges(left, right)) {
          assert.ok(!left.slice(from, to).includes('once\n'));
          assert.ok(!lines.includes('once\n'));
        }
      }),
    );
  });

  it('are none between equal texts, and one for one changed line of many', () => {
    const base = Array.from({ length: 20_000 }, (_, at) => `${at % 7}\n`);
    assert.deepEqual(lineChanges(base, [...base]), []);
    const other = base.with(9000, 'x\n');
    assert.deepEqual(lineChanges(base, other), [{ from: 9000, to: 9001, lines: ['x\n'] }]);
  });

  it('of texts that differ throughout are found through lines that occur once', () => {
    const lines = (mark: string) =>
      Array.from({ length: 4000 }, (_, at) => (at % 4 === 0 ? `anchor ${at}\n` : `${mark}${at}\n`));
    const changes = lineChanges(lines('a'), lines('b'));
    assert.equal(changes.length, 1000);
    assert.deepEqual(applyLineChanges(lines('a'), changes), lines('b'));
  });

  it('lines of a text, joined, are the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', '\r', ' ') }), (text) => {
        assert.equal(splitLines(text).join(''), text);
      }),
    );
  });
});

describe('three-way merge of lines', () => {
  it('loses nothing: its pieces are the three texts', () => {
    fc.assert(
      fc.property(repeated, repeated, repeated, (base, ours, theirs) => {
        const regions = mergeLines(base, ours, theirs);
        assert.deepEqual(texts(regions, 'base'), base);
        assert.deepEqual(texts(regions, 'ours'), ours);
        assert.deepEqual(texts(regions, 'theirs'), theirs);
      }),
    );
  });

  it('takes the side that changed when the other did not, and what both made alike once', () => {
    fc.assert(
      fc.property(repeated, repeated, (base, other) => {
        assert.deepEqual(mergedLines(mergeLines(base, other, base)), other);
        assert.deepEqual(mergedLines(mergeLines(base, base, other)), other);
        assert.deepEqual(mergedLines(mergeLines(base, other, other)), other);
      }),
    );
  });

  it('says the same when the sides are exchanged', () => {
    const mirrored = {
      same: 'same',
      ours: 'theirs',
      theirs: 'ours',
      both: 'both',
      conflict: 'conflict',
    };
    fc.assert(
      fc.property(repeated, repeated, repeated, (base, ours, theirs) => {
        const one = mergeLines(base, ours, theirs);
        const other = mergeLines(base, theirs, ours);
        assert.deepEqual(
          one.map(({ kind }) => mirrored[kind]),
          other.map(({ kind }) => kind),
        );
        assert.deepEqual(mergedLines(one), mergedLines(other));
      }),
    );
  });

  it('a clean merge has what each side added, and of the base what neither took away, in order', () => {
    let clean = 0;
    fc.assert(
      fc.property(twoSides, ([base, ours, theirs]) => {
        const merged = mergedLines(mergeLines(base, ours.lines, theirs.lines));
        if (merged === undefined) return;
        clean += 1;
        const isAdded = (line: string) => !line.startsWith('line');
        assert.deepEqual(
          merged.filter(isAdded).toSorted(),
          [...ours.added, ...theirs.added].toSorted(),
        );
        assert.deepEqual(
          merged.filter((line) => !isAdded(line)),
          base.filter((line) => ours.kept.has(line) && theirs.kept.has(line)),
        );
        // Each side's own lines stand in the order that it gave them.
        for (const { lines } of [ours, theirs]) {
          const there: ReadonlySet<string> = new Set(merged);
          const mine = new Set(lines);
          assert.deepEqual(
            merged.filter((line) => mine.has(line)),
            lines.filter((line) => there.has(line)),
          );
        }
      }),
      { numRuns: runs(400) },
    );
    assert.ok(clean > 40, `only ${clean} clean merges were tried`);
  });

  it('a line that both changed, each in another way, is a conflict', () => {
    const base = ['a\n', 'b\n', 'c\n'];
    assert.equal(
      mergedLines(mergeLines(base, ['a\n', 'B\n', 'c\n'], ['a\n', 'ß\n', 'c\n'])),
      undefined,
    );
    assert.equal(mergedLines(mergeLines(base, ['a\n', 'c\n'], ['a\n', 'ß\n', 'c\n'])), undefined);
    assert.equal(
      mergedLines(mergeLines(base, ['a\n', 'x\n', 'b\n', 'c\n'], ['a\n', 'y\n', 'b\n', 'c\n'])),
      undefined,
      'both insert at one place',
    );
  });

  it('changes of neighbouring lines go together', () => {
    const base = ['a\n', 'b\n', 'c\n', 'd\n'];
    assert.deepEqual(
      mergedLines(mergeLines(base, ['a\n', 'B\n', 'c\n', 'd\n'], ['a\n', 'b\n', 'C\n', 'd\n'])),
      ['a\n', 'B\n', 'C\n', 'd\n'],
    );
  });
});

describe('three-way merge of texts', () => {
  it('keeps the line ends of the text that is there', () => {
    const merge = mergeTexts('a\nb\nc\n', 'a\nB\nB2\nc\n', 'a\r\nb\r\nc\r\nd\r\n');
    assert.deepEqual(merge, {
      kind: 'merged',
      text: 'a\r\nB\r\nB2\r\nc\r\nd\r\n',
      changesTheirs: true,
    });
  });

  it('says where the conflicts are, with the three texts', () => {
    assert.deepEqual(mergeTexts('a\nb\nc\n', 'a\nours\nc\n', 'new\na\r\ntheirs\nc\n'), {
      kind: 'conflict',
      conflicts: [{ line: 3, base: 'b\n', ours: 'ours\n', theirs: 'theirs\n' }],
    });
  });

  it('says when the other side has our changes already', () => {
    assert.deepEqual(mergeTexts('a\n', 'b\n', 'b\nc\n'), {
      kind: 'conflict',
      conflicts: [{ line: 1, base: 'a\n', ours: 'b\n', theirs: 'b\nc\n' }],
    });
    assert.deepEqual(mergeTexts('a\nx\n', 'b\nx\n', 'b\nx\nc\n'), {
      kind: 'merged',
      text: 'b\nx\nc\n',
      changesTheirs: false,
    });
  });

  it('is the merge of lines, with CR LF or without, with a final line end or without', () => {
    const text = fc
      .tuple(fc.array(fc.constantFrom('a', 'b', ''), { maxLength: 8 }), fc.boolean())
      .map(([lines, ended]) => lines.join('\n') + (ended ? '\n' : ''));
    fc.assert(
      fc.property(text, text, text, fc.boolean(), (base, ours, theirs, windows) => {
        const written = windows ? theirs.replaceAll('\n', '\r\n') : theirs;
        const merge = mergeTexts(base, ours, written);
        const expected = mergedLines(
          mergeLines(splitLines(base), splitLines(ours), splitLines(theirs)),
        );
        assert.equal(merge.kind === 'merged', expected !== undefined);
        if (merge.kind !== 'merged') return;
        assert.equal(merge.text.replaceAll('\r\n', '\n'), expected?.join(''));
        if (windows && theirs.includes('\n')) assert.doesNotMatch(merge.text, /[^\r]\n/u);
      }),
    );
  });
});
