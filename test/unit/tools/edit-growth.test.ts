import assert from 'node:assert/strict';
import { findingEdit } from '../../../src/tools/matching/find-edit.ts';
import { linePlacesOf, placesOf } from '../../../src/tools/matching/places.ts';
import { inOneGo } from '../../../src/domain/lifetime/steps.ts';
import { applyEdits, applyEditsInSteps } from '../../../src/tools/editing/apply-edits.ts';

/** Each of these took from half a minute to hours when its time grew with the square of the text. */
const SIZE = 1_000_000;

const blanks = `${'word '.repeat(20)}\n`.repeat(SIZE / 100);
const same = 'x\n'.repeat(SIZE / 2);

describe('edits of large texts', function () {
  this.timeout(60_000);

  it('that fit everywhere are counted in one go', () => {
    const match = inOneGo(findingEdit(blanks, { old_string: ' ', new_string: '_' }));
    assert.equal(match.kind, 'ambiguous');
    assert.equal(match.lines.length, SIZE / 5);
    assert.deepEqual([match.lines[0], match.lines.at(-1)], [1, SIZE / 100]);
  });

  it('are made everywhere in one go', () => {
    const edits = [{ old_string: ' ', new_string: '_', replace_all: true }];
    const plan = inOneGo(applyEditsInSteps(blanks, edits, 'a'));
    assert.equal(plan.text, blanks.replaceAll(' ', '_'));
  });

  it('that fit too many places are refused, and nothing is written', () => {
    const all = { old_string: 'x', new_string: 'y', replace_all: true };
    assert.throws(
      () => inOneGo(applyEditsInSteps(same, [all], 'a')),
      /fits more than 200000 places, which is too many for one edit/u,
    );
  });

  it('take a line of tens of thousands of characters as it is, blanks included', () => {
    const line = 'ab '.repeat(10_000);
    const edit = { old_string: `${line.trimEnd()}\nend`, new_string: 'x' };
    assert.equal(inOneGo(findingEdit(`${line}\nend`, edit)).kind, 'none');
  });

  const hostile: readonly (readonly [what: string, text: string, old: string])[] = [
    ['a long text of one letter', 'a'.repeat(SIZE), 'a'.repeat(SIZE / 2)],
    ['nearly the same letters', 'a'.repeat(SIZE), `b${'a'.repeat(SIZE / 2)}`],
    ['lines that are all the same', same, `${'x\n'.repeat(SIZE / 4)}y`],
    ['lines that are the same but for blanks', same, ' x\n'.repeat(SIZE / 4)],
    [
      'lines that are all alike',
      'abcdefghijx\n'.repeat(SIZE / 12),
      'abcdefghijy\n'.repeat(SIZE / 24),
    ],
    ['empty lines', '\n'.repeat(SIZE), `${'\n'.repeat(SIZE / 2)}x\n`],
    ['one line', 'ab'.repeat(SIZE / 2), `${'ab'.repeat(SIZE / 4)}c`],
  ];
  it('are looked for in many steps, between which the host does other things', async () => {
    const old = 'abcdefghijy\n'.repeat(SIZE / 24);
    const text = 'abcdefghijx\n'.repeat(SIZE / 12);
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const planning = applyEdits(text, [{ old_string: old, new_string: 'z' }], 'a');
    await assert.rejects(planning, /Nothing was written/u);
    clearInterval(timer);
    // In one go it would be none; how many there are depends on the machine.
    assert.ok(turns > 3, `${turns} turns of others`);
  });

  for (const [what, text, old] of hostile)
    it(`are bounded for ${what}`, () => {
      inOneGo(findingEdit(text, { old_string: old, new_string: `${old}z` }));
    });

  it('places of a text and of lines are those of the plain search', () => {
    const texts = ['', 'a', 'aa', 'abab', 'aabaabaaab', 'abcabcabd'.repeat(30), 'ab'.repeat(200)];
    for (const text of texts)
      for (const sought of ['a', 'aa', 'aab', 'ab'.repeat(40), 'abcabcabd'.repeat(9)]) {
        const wanted: number[] = [];
        for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + 1))
          wanted.push(at);
        assert.deepEqual(inOneGo(placesOf(text, sought, 100)), wanted.slice(0, 100));
        assert.deepEqual(inOneGo(linePlacesOf(text.split(''), sought.split(''))), wanted);
      }
  });
});
