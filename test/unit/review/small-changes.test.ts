import assert from 'node:assert/strict';
import { agentEdited } from '../../../src/core/review/model/agent-edits.ts';
import { changedByCommand } from '../../../src/core/review/model/as-found.ts';
import {
  ABSENT,
  type Content,
  type FileReview,
  linesOf,
  newReview,
  remembered,
  textContent,
} from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { joinReviews } from '../../../src/core/review/model/join-reviews.ts';
import { editsLeft, mergedProposal } from '../../../src/core/review/model/merged-proposal.ts';
import { replacedLines } from '../../../src/core/review/model/recognised.ts';
import {
  changedOutside,
  type TypedChange,
  undoneTo,
  userEdited,
} from '../../../src/core/review/model/user-edits.ts';
import { by } from '../../support/review/attribution.ts';

/** Lines are parted by `/`; `undefined`: no file. */
const content = (text: string | undefined): Content =>
  text === undefined ? ABSENT : textContent(text.replaceAll('/', '\n'));
const edited = (before: string | undefined, after: string | undefined): FileReview =>
  agentEdited(newReview('/a', content(before)), content(after), by);
const joined = (lines: readonly string[]): string => lines.join('/');
/** Baseline, document and hunks. */
const shown = (review: FileReview): readonly string[] => [
  joined(linesOf(review.baseline)),
  joined(linesOf(review.document)),
  ...hunksOf(review).map(({ removed, added }) => `${joined(removed)}>${joined(added)}`),
];

type Place = readonly [line: number, character: number];
const change = (start: Place, end: Place, text: string): TypedChange => ({
  start: { line: start[0], character: start[1] },
  end: { line: end[0], character: end[1] },
  text,
});

describe('what the person types', () => {
  const CASES: readonly (readonly [
    name: string,
    before: string,
    after: string,
    change: TypedChange,
    typed: string,
    shown: readonly string[],
  ])[] = [
    [
      'into an empty line of the agent is theirs',
      'one/two',
      'one/X//Y/two',
      change([2, 0], [2, 0], 'mine'),
      'one/X/mine/Y/two',
      ['one/mine/two', 'one/X/mine/Y/two', '>X', '>Y'],
    ],
    [
      'into a line of the agent is part of its change',
      'one/two',
      'one/X/two',
      change([1, 1], [1, 1], ' mine'),
      'one/X mine/two',
      ['one/two', 'one/X mine/two', '>X mine'],
    ],
    [
      'goes with lines of theirs that they take away beside the agent’s',
      'mid/ab',
      'abX/mid/ab',
      change([0, 2], [2, 2], ''),
      'ab',
      ['ab', 'ab'],
    ],
    [
      'over a line that stays the same leaves that alone',
      'one/two',
      'one/X/two',
      change([0, 0], [1, 1], 'mine/X'.replace('/', '\n')),
      'mine/X/two',
      ['mine/two', 'mine/X/two', '>X'],
    ],
  ];
  for (const [name, before, after, typed, then, expected] of CASES)
    it(name, () =>
      assert.deepEqual(shown(userEdited(edited(before, after), [typed], content(then))), expected),
    );

  it('into a file that the agent deleted is not pending, and what it deleted still is', () => {
    const typed = [change([0, 0], [0, 0], 'mine')];
    const review = userEdited(edited('one/two', undefined), typed, content('mine'));
    assert.deepEqual(shown(review), ['one/two/mine', 'mine', 'one/two>']);
  });

  it('at a hundred places at once is theirs at each of them', () => {
    const lines = Array.from({ length: 100 }, (_, line) => `line ${line}`).join('/');
    const typed = Array.from({ length: 100 }, (_, line) => change([line, 0], [line, 0], '- '));
    const then = `- ${lines.replaceAll('/', '/- ')}`;
    assert.deepEqual(shown(userEdited(edited(lines, `${lines}/X`), typed, content(`${then}/X`))), [
      then,
      `${then}/X`,
      '>X',
    ]);
  });

  it('is taken away with the agent’s lines between, also where the editor does not say how', () => {
    const review = userEdited(edited('one/two/end', 'one/X/two/end'), [], content('one/end'));
    assert.deepEqual(shown(review), ['one/end', 'one/end']);
  });

  it('is undone as far as a hundred states go', () => {
    let review = edited('one', 'one/X');
    for (let state = 0; state < 100; state += 1)
      review = remembered({ ...review, document: content(`one/X/${state}`) });
    assert.equal(review.memory.length, 100);
    assert.deepEqual(shown(undoneTo(review, content('one/X/0'))), ['one', 'one/X/0', '>X/0']);
  });
});

describe('what programs do', () => {
  const CASES: readonly (readonly [
    name: string,
    before: string | undefined,
    after: string,
    then: string,
    shown: readonly string[],
  ])[] = [
    [
      'a new file of which most is left is the agent’s, however much comes beside it',
      undefined,
      'a1/b1/c1/d1',
      'a1/zz/yy/xx/ww/vv/uu/tt/c1/d1',
      ['zz/yy/xx/ww/vv/uu/tt', 'a1/zz/yy/xx/ww/vv/uu/tt/c1/d1', '>a1', '>c1/d1'],
    ],
    [
      'a new file of which half is left, one line of it in another form, is the agent’s',
      undefined,
      'aa bb cc/ff/dd/ee',
      'aa bb cX/ff/zz',
      ['zz', 'aa bb cX/ff/zz', '>aa bb cX/ff'],
    ],
  ];
  for (const [name, before, after, then, expected] of CASES)
    it(name, () =>
      assert.deepEqual(shown(changedOutside(edited(before, after), content(then))), expected),
    );

  it('a file that is there again as it was is not missing', () => {
    const gone = { ...edited('one', 'two'), fileMissing: true };
    assert.equal(changedOutside(gone, gone.document).fileMissing, false);
  });

  it('a file that a command made where none was is pending as a whole', () => {
    const made = { before: ABSENT, after: content('made') };
    const review = changedByCommand(newReview('/a', content('old')), made, by);
    assert.deepEqual(
      hunksOf(review).map(({ kind }) => kind),
      ['create'],
    );
  });

  it('of a thousand long lines the start tells if they are the same; of few all of it', () => {
    const long = (word: string, line: number): string =>
      `${line} ${'a '.repeat(60)}${`${word} `.repeat(300)}`;
    const areSame = (count: number): boolean => {
      const [old, made] = ['old', 'made'].map((word) =>
        Array.from({ length: count }, (_, line) => [long(word, line), `common ${line}`]).flat(),
      );
      return replacedLines(old ?? [], made ?? []).every(({ isSame }) => isSame);
    };
    assert.deepEqual([areSame(1000), areSame(10)], [true, false]);
  });
});

describe('proposals of two hands', () => {
  const binary: Content = { kind: 'binary', hash: 'h', bytes: 1 };
  const proposal = (document: Content): FileReview =>
    agentEdited(newReview('/a', content('one')), document, by);
  const [base, own] = [proposal(content('one/X')), proposal(content('one/X/mine'))];
  const left = (...known: { base?: FileReview; own?: FileReview }[]) =>
    editsLeft(
      () => ({ base: undefined, own: undefined, ...(known.length > 1 ? known.shift() : known[0]) }),
      () => false,
      () => Promise.resolve(content('one')),
    );

  it('are one only where both have lines', () => {
    for (const [mine, stored] of [
      [ABSENT, content('one/Y')],
      [content('one/X/mine'), binary],
    ] as const)
      assert.deepEqual(mergedProposal(base, proposal(mine), proposal(stored)).document, stored);
  });

  it('what one edited while the other decided is left, unless it is gone while the file is read', async () => {
    assert.deepEqual(shown((await left({ base, own })) ?? base), ['one', 'one/mine', '>mine']);
    assert.equal(await left({ base, own }, {}), undefined);
    assert.equal(await left({ own }), undefined);
    assert.equal(await left({ base }), undefined);
    assert.equal(await left({ base, own: base }), undefined);
  });

  it('a file that is moved to a name for which something is proposed is proposed with what it was', () => {
    const there = proposal(content('one/X'));
    const moved = newReview('/b', content('other'));
    assert.deepEqual(joinReviews('proposed', there, moved).baseline, content('other'));
    assert.deepEqual(joinReviews('written', there, moved).baseline, content('one/other'));
  });
});
