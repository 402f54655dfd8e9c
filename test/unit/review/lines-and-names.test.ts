import assert from 'node:assert/strict';
import {
  agentEdited,
  agentRenamed,
  movedOutside,
  withEdit,
} from '../../../src/core/review/model/agent-edits.ts';
import {
  ABSENT,
  type Content,
  linesOf,
  movedMarks,
  newReview,
  textContent,
  textOf,
} from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { rebased, united } from '../../../src/core/review/model/proposals.ts';
import { changedOutside, userEdited } from '../../../src/core/review/model/user-edits.ts';
import { by } from '../../support/review/attribution.ts';

type Range = readonly [from: number, to: number];
type Change = readonly [from: number, to: number, count: number];

describe('marks of lines', () => {
  const moved = (mark: Range, changes: readonly Change[]): Range => {
    const [{ from, to } = { from: -1, to: -1 }] = movedMarks(
      [{ from: mark[0], to: mark[1], by: 'user' }],
      changes.map(([start, end, count]) => ({
        from: start,
        to: end,
        lines: Array.from({ length: count }, () => ''),
      })),
    );
    return [from, to];
  };
  const CASES: readonly (readonly [Range, readonly Change[], Range])[] = [
    [[2, 4], [], [2, 4]],
    // Changes before, behind and between.
    [[0, 1], [[2, 3, 2]], [0, 1]],
    [[3, 5], [[0, 1, 3]], [5, 7]],
    [[3, 5], [[0, 2, 0]], [1, 3]],
    [[3, 5], [[0, 1, 1]], [3, 5]],
    [
      [5, 6],
      [
        [0, 0, 1],
        [2, 4, 0],
      ],
      [4, 5],
    ],
    [
      [3, 4],
      [
        [0, 1, 2],
        [8, 9, 0],
      ],
      [4, 5],
    ],
    // New lines right before, right behind and within; what was put in stays outside, or makes it longer.
    [[2, 4], [[2, 2, 1]], [3, 5]],
    [[2, 4], [[4, 4, 1]], [2, 4]],
    [[2, 4], [[3, 3, 2]], [2, 6]],
    [[2, 4], [[0, 2, 1]], [1, 3]],
    [[2, 4], [[4, 6, 1]], [2, 4]],
    // Lines of it, at its start, at its end, all of it, and more than it.
    [[2, 5], [[1, 3, 1]], [1, 4]],
    [[2, 4], [[3, 6, 2]], [2, 5]],
    [[2, 4], [[2, 4, 1]], [2, 3]],
    [[2, 4], [[2, 3, 3]], [2, 6]],
    [[2, 4], [[1, 6, 2]], [1, 3]],
    // A place where lines were taken away.
    [[2, 2], [[2, 2, 1]], [2, 2]],
    [[2, 2], [[2, 3, 1]], [2, 3]],
    [[2, 2], [[1, 2, 0]], [1, 1]],
    [[2, 2], [[1, 2, 3]], [4, 4]],
    [[2, 2], [[0, 1, 3]], [4, 4]],
    // Several of all kinds.
    [
      [1, 6],
      [
        [2, 3, 3],
        [4, 5, 0],
      ],
      [1, 7],
    ],
    [
      [2, 8],
      [
        [1, 3, 1],
        [4, 5, 3],
        [7, 9, 1],
      ],
      [1, 9],
    ],
    [
      [2, 8],
      [
        [0, 1, 2],
        [3, 4, 2],
        [6, 6, 1],
        [9, 9, 4],
      ],
      [3, 11],
    ],
  ];

  it('go with their lines, whatever is done around and within them', () => {
    for (const [mark, changes, expected] of CASES)
      assert.deepEqual(moved(mark, changes), expected, JSON.stringify([mark, changes]));
  });
});

describe('lines that a proposal and the file both change', () => {
  /** Each letter is a line. */
  const both = (base: string, ours: string, theirs: string): string => {
    const [was, own, other] = [base, ours, theirs].map((text) => Array.from(text)) as [
      string[],
      string[],
      string[],
    ];
    const { lines, isOverlap } = united({ kind: 'conflict', base: was, ours: own, theirs: other });
    return `${lines.join('')}${isOverlap ? '!' : ''}`;
  };

  it('are there as both made them, once each; where both took away the same, that is said', () => {
    for (const [base, ours, theirs, expected] of [
      ['a', 'X', 'Y', 'YX!'],
      ['a', 'X', 'X', 'X!'],
      ['a', '', '', '!'],
      ['ab', 'b', 'aY', 'Y'],
      ['ab', 'aX', 'Yb', 'YX'],
      ['ab', 'aXb', 'aYb', 'aXYb'],
      ['ab', 'aXb', 'aXb', 'aXb'],
      ['ab', 'Xab', 'abY', 'XabY'],
      ['abc', 'aXc', 'Ybc', 'YXc'],
      ['abc', 'X', 'aYc', 'YX!'],
      ['abcd', 'aXd', 'abYd', 'aYXd!'],
      ['abcd', 'aXcd', 'abcY', 'aXcY'],
      ['abc', 'aXbc', 'aYc', 'aXYc'],
      ['abc', 'aYc', 'aXbc', 'aXYc'],
      ['abcd', 'XbcY', 'abZd', 'XbZY'],
      ['abc', 'Xbc', 'Xc', 'XXc!'],
      ['abc', 'aXc', 'Xc', 'XXc!'],
    ] as const)
      assert.equal(both(base, ours, theirs), expected, `${base}: ${ours}, ${theirs}`);
  });
});

describe('a name that something else gives to a file', () => {
  const renamed = agentRenamed(newReview('/a', textContent('one')), '/b', by);
  const names = (from: string, to: string, review = renamed): readonly (string | undefined)[] => {
    const { path, renamedFrom } = movedOutside(review, from, to);
    return [path, renamedFrom];
  };

  it('is where it is now, or where a proposal has it on disk', () => {
    assert.deepEqual(names('/b', '/c'), ['/c', '/a']);
    assert.deepEqual(names('/b', '/a'), ['/a', undefined]);
    assert.deepEqual(names('/a', '/c'), ['/b', '/c']);
    assert.deepEqual(names('/a', '/b'), ['/b', undefined]);
    assert.deepEqual(names('/a', '/c', newReview('/a', textContent(''))), ['/c', undefined]);
  });
});

describe('text that is typed over several lines', () => {
  type Place = readonly [line: number, character: number];

  /** Into lines of which the agent has changed the second and the fourth. */
  const typed = (
    ...typing: readonly (readonly [start: Place, end: Place, text: string])[]
  ): readonly string[] => {
    const before = newReview('/a', textContent('aa\nbb\ncc\ndd'));
    const review = agentEdited(before, textContent('aa\nBB\ncc\nDD'), by);
    let text = textOf(review.document) ?? '';
    const changes = typing.map(([start, end, put]) => {
      const [from, to] = [start, end].map(([line, character]) => {
        const above = text.split('\n').slice(0, line);
        return above.reduce((sum, one) => sum + one.length + 1, character);
      });
      text = text.slice(0, from) + put + text.slice(to);
      const [first, last] = [start, end].map(([line, character]) => ({ line, character }));
      return { start: first!, end: last!, text: put };
    });
    const after = userEdited(review, changes, textContent(text));
    const hunks = hunksOf(after).map(
      ({ removed, added, editedByUser }) =>
        `${removed.join(' ')}>${added.join(' ')}${editedByUser ? '!' : ''}`,
    );
    return [textOf(after.baseline)?.replaceAll('\n', ' ') ?? '', ...hunks];
  };

  it('is part of a proposed line that it begins or ends in, else the person’s', () => {
    for (const [changes, ...expected] of [
      // In a line beside a proposed one.
      [[[[0, 1], [0, 1], 'x']], 'axa bb cc dd', 'bb>BB', 'dd>DD'],
      [[[[2, 1], [2, 1], 'x']], 'aa bb cxc dd', 'bb>BB', 'dd>DD'],
      // A line above, beneath, or in the middle of a proposed one.
      [[[[1, 0], [1, 0], 'x\n']], 'aa x bb cc dd', 'bb>BB', 'dd>DD'],
      [[[[1, 2], [1, 2], '\nx']], 'aa bb x cc dd', 'bb>BB', 'dd>DD'],
      [[[[0, 2], [0, 2], '\nx']], 'aa x bb cc dd', 'bb>BB', 'dd>DD'],
      [[[[1, 1], [1, 1], '\n']], 'aa bb cc dd', 'bb>B B!', 'dd>DD'],
      // Lines are joined.
      [[[[0, 2], [1, 0], '']], 'aa bb cc dd', 'aa bb>aaBB!', 'dd>DD'],
      [[[[1, 2], [2, 0], '']], 'aa bb cc dd', 'bb cc dd>BBcc DD!'],
      [[[[0, 1], [2, 1], '']], 'ac bb dd', 'bb dd>DD'],
      [[[[0, 1], [3, 1], '']], 'aa bb cc dd', 'aa bb cc dd>aD!'],
      // What stays of the text that is pasted over.
      [[[[0, 0], [2, 2], 'xx\nBB\ncc']], 'xx bb cc dd', 'bb>BB', 'dd>DD'],
      [[[[0, 0], [2, 2], 'aa\nBB\nxx']], 'aa bb xx dd', 'bb>BB', 'dd>DD'],
      [[[[0, 0], [1, 2], 'aa\nxx']], 'aa xx bb cc dd', 'bb>', 'dd>DD'],
      [[[[0, 0], [3, 2], 'aa\nBB\nx\ncc\nDD']], 'aa bb x cc dd', 'bb>BB', 'dd>DD'],
      // Several at once, of which one changes nothing.
      [
        [
          [[0, 0], [0, 2], 'aa'],
          [[2, 0], [2, 0], 'x\n'],
        ],
        'aa bb x cc dd',
        'bb>BB',
        'dd>DD',
      ],
    ] as const)
      assert.deepEqual(typed(...changes), expected, JSON.stringify(changes));
  });
});

describe('what something else leaves of a change', () => {
  /** Baseline, and what is pending, after another program has made a text of the agent's one. */
  const left = (before: string | undefined, agent: string, outside: string): readonly string[] => {
    const [was, made, is] = [before, agent, outside].map((text) =>
      text === undefined ? ABSENT : textContent(text.replaceAll(' ', '\n')),
    ) as [Content, Content, Content];
    const review = changedOutside(agentEdited(newReview('/a', was), made, by), is);
    const hunks = hunksOf(review).map(
      ({ removed, added }) => `${removed.join(' ')}>${added.join(' ')}`,
    );
    return [linesOf(review.baseline).join(' '), ...hunks];
  };

  it('lines that were only taken away wait for a decision, unless all of the file is another one', () => {
    for (const [before, agent, outside, ...expected] of [
      ['one two three', 'one three', 'alpha beta', 'alpha beta'],
      ['one two three', 'one three', 'one beta', 'one two beta', 'two>'],
      ['one two three', 'one three', '', ' two', 'two>'],
      ['} two', '}', '{', '{ two', 'two>'],
    ] as const)
      assert.deepEqual(left(before, agent, outside), expected, outside);
  });

  it('lines that are written over are not pending; what they replaced is, where nothing tells that', () => {
    for (const [before, agent, outside, ...expected] of [
      ['one two', 'one alpha', 'one zzz', 'one zzz'],
      ['one two', 'one alpha', 'zzz }', 'zzz } two', 'two>'],
      ['one two three', 'one alpha three', 'one } zzz', 'one } two zzz', 'two>'],
      ['one two', 'one alpha beta', 'yyy zzz beta', 'yyy zzz two', 'two>beta'],
    ] as const)
      assert.deepEqual(left(before, agent, outside), expected, `${agent}: ${outside}`);
  });

  it('a new file of which most is another one is somebody else’s', () => {
    for (const [outside, ...expected] of [
      ['alpha beta zero', 'zero', '>alpha beta'],
      ['alpha beta gamma zero', 'zero', '>alpha beta gamma'],
      ['alpha beta zero one', 'alpha beta zero one'],
      ['alpha zero', 'alpha zero'],
      ['alpha', '', '>alpha'],
    ] as const)
      assert.deepEqual(left(undefined, 'alpha beta gamma delta', outside), expected, outside);
  });
});

describe('a file that is more than its lines', () => {
  const picture = (hash: string): Content => ({ kind: 'binary', hash, bytes: 1 });
  const kept = (hash: string, mode = 0o644) => ({ hash, bytes: 1, mode });

  it('is kept as it was before the agent, and as it was last where that is the same', () => {
    const one = withEdit(newReview('/a', picture('1')), picture('2'), by, { kept: kept('1') });
    assert.deepEqual(one.kept, kept('1'));
    const next = (hash: string, mode?: number) =>
      withEdit(one, picture('3'), by, { kept: kept(hash, mode) }).kept;
    assert.deepEqual(next('2'), kept('1'));
    assert.deepEqual(next('1', 0o755), kept('1', 0o755));
    assert.deepEqual(withEdit(one, picture('3'), by, {}).kept, kept('1'));
    const settled = { ...newReview('/a', textContent('x')), kept: kept('old') };
    assert.deepEqual(withEdit(settled, ABSENT, by, { kept: kept('x') }).kept, kept('x'));
    const lines = agentEdited(newReview('/a', textContent('x')), textContent('y'), by);
    assert.deepEqual(withEdit(lines, ABSENT, by, { kept: kept('y') }).kept, kept('y'));
    const taken = { ...lines, kept: kept('x') };
    assert.deepEqual(withEdit(taken, ABSENT, by, { kept: kept('y') }).kept, kept('x'));
  });

  it('has the bytes of the last proposal, and who changed its form', () => {
    const made = { bytes: new Uint8Array(), hash: 'h' };
    const plain = newReview('/a', textContent('x'));
    const binary = withEdit(plain, picture('h'), by, { made });
    assert.deepEqual([binary.proposedBytes, binary.wholeFileBy.length], [made, 1]);
    const formed = withEdit(plain, textContent('y'), by, { made: { ...made, says: 'CRLF' } });
    assert.deepEqual([formed.proposedBytes?.says, formed.wholeFileBy], ['CRLF', [by]]);
    assert.equal(withEdit(formed, textContent('z'), by, {}).proposedBytes, undefined);
  });

  it('is proposed for what the file is, there or not', () => {
    const lines = agentEdited(newReview('/a', textContent('x')), textContent('x\ny'), by);
    const gone = rebased(lines, ABSENT);
    assert.equal(gone.fileMissing, true);
    assert.equal(rebased({ ...lines, fileMissing: true }, textContent('x')).fileMissing, false);
    assert.equal(rebased(lines, textContent('x')), lines);
    const deleted = agentEdited(newReview('/a', textContent('x')), ABSENT, by);
    assert.deepEqual(hunksOf(rebased(deleted, ABSENT)), []);
    assert.equal(rebased(deleted, ABSENT).fileMissing, false);
    const other = rebased(deleted, textContent('mine'), 'person');
    assert.deepEqual(other.marks.at(-1), { from: 0, to: 0, by: 'user beneath' });
    assert.equal(hunksOf(other)[0]?.conflict, 'person');
  });
});
