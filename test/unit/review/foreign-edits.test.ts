import assert from 'node:assert/strict';
import { agentEdited } from '../../../src/core/review/model/agent-edits.ts';
import { accept, reject } from '../../../src/core/review/model/decide.ts';
import { newReview, textContent, textOf } from '../../../src/core/review/model/file-review.ts';
import type {
  Attribution,
  Content,
  FileReview,
} from '../../../src/core/review/model/file-review.ts';
import { withForeignEdits } from '../../../src/core/review/model/foreign-edits.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';

const agent: Attribution = {
  by: 'agent',
  sessionId: 's',
  messageId: 'm',
  callId: 'c',
  tool: 'edit_file',
  why: '',
  at: 0,
};

/** Each letter is a line; the agent's are capitals. */
const lines = (letters: string): Content => textContent(Array.from(letters).join('\n'));
const letters = (content: Content): string => (textOf(content) ?? '').replaceAll('\n', '');

type Edit = readonly [from: number, to: number, lines: string, keepsChange?: boolean];

function edited(
  before: string,
  after: string,
  edits: readonly Edit[],
  by: 'user' | 'outside' = 'user',
): FileReview {
  const review = agentEdited(newReview('/w/a', lines(before)), lines(after), agent);
  const made = edits.map(([from, to, text, keepsChange = false]) => ({
    from,
    to,
    lines: Array.from(text),
    keepsChange,
  }));
  return withForeignEdits(review, made, by);
}

/** Baseline, document, and hunks: `removed>added`, `!` edited by the person, `~` changed by something else. */
function shown(review: FileReview): string {
  const hunks = hunksOf(review).map(
    ({ removed, added, editedByUser, changedOutside }) =>
      `${removed.join('')}>${added.join('')}${editedByUser ? '!' : ''}${changedOutside ? '~' : ''}`,
  );
  return [letters(review.baseline), letters(review.document), hunks.join(' ')].join(' ');
}

const TABLE: readonly (readonly [
  before: string,
  after: string,
  edits: readonly Edit[],
  by: 'user' | 'outside',
  shown: string,
])[] = [
  ['abcdef', 'aBcdef', [[3, 4, 'x']], 'user', 'abcxef aBcxef b>B'],
  ['abcdef', 'aBcdef', [[0, 1, 'x']], 'user', 'xbcdef xBcdef b>B'],
  ['abcdef', 'aBcdef', [[4, 4, 'x']], 'user', 'abcdxef aBcdxef b>B'],
  ['abcdef', 'aBcdef', [[1, 1, 'x']], 'user', 'axbcdef axBcdef b>B'],
  ['abcdef', 'aBcdef', [[2, 2, 'x']], 'user', 'abxcdef aBxcdef b>B'],
  ['abcdef', 'aBCdef', [[2, 2, 'x']], 'user', 'abcxdef aBxCdef bc>B >C'],
  ['abcdef', 'aBCdef', [[1, 2, 'x']], 'user', 'axbcdef axCdef bc>C'],
  ['abcdef', 'aBCdef', [[1, 2, 'x', true]], 'user', 'abcdef axCdef bc>xC!'],
  ['abcdef', 'aBCdef', [[1, 3, '']], 'user', 'abcdef adef bc>!'],
  ['abcdef', 'aBCdef', [[0, 3, '']], 'user', 'bcdef def bc>!'],
  ['abcdef', 'aBCdef', [[2, 5, '']], 'user', 'abcf aBf bc>B!'],
  ['abcdef', 'aBCdef', [[2, 5, 'xy']], 'user', 'abcxyf aBxyf bc>B'],
  ['abcdef', 'aBCdef', [[1, 3, 'bc']], 'user', 'abcdef abcdef '],
  ['abcdef', 'aBdef', [[1, 2, 'bc']], 'user', 'abcdef abcdef '],
  ['abcdef', 'aBCdef', [[2, 5, 'bc']], 'user', 'abcbcf aBbcf bc>B'],
  ['abcdef', 'aBCdef', [[1, 2, 'b']], 'user', 'abbcdef abCdef bc>C'],
  ['abcdef', 'aBCdef', [[0, 4, 'abcd']], 'user', 'abcdef abcdef '],
  ['abcdef', 'aBCdef', [[0, 3, 'abx']], 'user', 'abxbcdef abxdef bc>'],
  ['abcdef', 'adef', [[1, 1, 'bc']], 'user', 'abcdef abcdef '],
  ['abcdef', 'adef', [[1, 1, 'b']], 'user', 'abbcdef abdef bc>'],
  ['abcdef', 'adef', [[1, 1, 'b']], 'outside', 'abcdef abdef c>'],
  ['abcdef', 'adef', [[1, 1, 'bxc']], 'outside', 'abxcdef abxcdef '],
  ['abcdef', 'adef', [[1, 1, 'xc']], 'outside', 'axbcdef axcdef b>'],
  ['abcdef', 'adef', [[1, 1, 'xy']], 'outside', 'axybcdef axydef bc>'],
  ['abcdef', 'adef', [[0, 1, 'xbc']], 'user', 'xbcdef xbcdef '],
  ['abcdef', 'adef', [[1, 2, 'bcx']], 'user', 'abcxef abcxef '],
  ['abcdef', 'adef', [[1, 2, 'x']], 'user', 'abcxef axef bc>'],
  ['abcdef', 'adef', [[0, 2, 'x']], 'user', 'xbcef xef bc>'],
  ['abcdef', 'adef', [[0, 2, '']], 'user', 'bcef ef bc>!'],
  ['abcdef', 'abXYcdef', [[3, 3, 'p']], 'user', 'abpcdef abXpYcdef >X >Y'],
  ['abcdef', 'abXYcdef', [[2, 2, 'p']], 'user', 'abpcdef abpXYcdef >XY'],
  ['abcdef', 'abXYcdef', [[4, 4, 'p']], 'user', 'abpcdef abXYpcdef >XY'],
  ['abcdef', 'abXYcdef', [[3, 5, 'p']], 'user', 'abpdef abXpdef >X'],
  ['abcdef', 'abXYcdef', [[1, 3, 'p']], 'user', 'apcdef apYcdef >Y'],
  ['abcdef', 'abXYcdef', [[2, 4, '']], 'user', 'abcdef abcdef '],
  ['abcdef', 'abXYcdef', [[1, 5, 'pq']], 'user', 'apqdef apqdef '],
  ['abcdef', 'aBcdEf', [[0, 6, 'x']], 'user', 'xbe x be>'],
  ['abcdef', 'aBcdEf', [[2, 4, '']], 'user', 'abef aBEf be>BE'],
  ['abcdef', 'aBcdEf', [[1, 5, '']], 'user', 'abef af be>!'],
  ['abcdef', 'aBcdEf', [[1, 5, 'bcde']], 'user', 'abcdef abcdef '],
  ['abcdef', 'aBcdEEf', [[1, 6, 'bcde']], 'user', 'abcdef abcdef '],
  [
    'abcdef',
    'aBcdEf',
    [
      [0, 1, 'p'],
      [2, 3, 'q'],
      [5, 6, 'r'],
    ],
    'user',
    'pbqder pBqdEr b>B e>E',
  ],
  [
    'abcdef',
    'aBcdEf',
    [
      [2, 2, 'p'],
      [4, 4, 'q'],
    ],
    'user',
    'abpcdqef aBpcdqEf b>B e>E',
  ],
  [
    'abcdef',
    'aBcdEf',
    [
      [1, 2, 'p'],
      [4, 5, 'q'],
    ],
    'user',
    'apbcdqef apcdqf b> e>',
  ],
  [
    'abcdef',
    'aBcdEf',
    [
      [1, 2, 'p', true],
      [4, 5, 'q', true],
    ],
    'outside',
    'abcdef apcdqf b>p~ e>q~',
  ],
  [
    'abcdef',
    'aBcdEf',
    [
      [0, 0, 'pq'],
      [1, 2, 'r', true],
      [2, 4, ''],
      [4, 5, 's', true],
    ],
    'outside',
    'pqabef pqarsf be>rs~',
  ],
  ['abcdef', 'aBCDef', [[2, 3, 'c']], 'user', 'abcdcef aBcDef b>B dc>D'],
  ['abcdef', 'aBCDef', [[1, 3, 'bc']], 'user', 'abcbcdef abcDef bcd>D'],
  ['abcdef', 'aBCDef', [[1, 4, 'bcd']], 'user', 'abcdef abcdef '],
  ['abcdef', 'adef', [[1, 1, '']], 'user', 'abcdef adef bc>'],
  ['abcdef', 'aBcdef', [[1, 1, 'x']], 'outside', 'axbcdef axBcdef b>B'],
  ['abcdef', 'aBcdef', [[2, 2, 'x']], 'outside', 'abxcdef aBxcdef b>B'],
  ['abcdef', 'aBCdef', [[2, 2, 'x']], 'outside', 'abcxdef aBxCdef bc>B~ >C~'],
  ['abcdef', 'adef', [[1, 1, 'x']], 'outside', 'axbcdef axdef bc>'],
  ['abcdef', 'aBcdEf', [[3, 4, 'p']], 'outside', 'abcpef aBcpEf b>B e>E'],
  ['abcdef', 'aBCdef', [[2, 2, 'x', true]], 'user', 'abcxdef aBxCdef bc>B >C'],
  ['abcdef', 'aBcdef', [[2, 3, 'bx']], 'user', 'abbxdef aBbxdef b>B'],
  [
    'abcdef',
    'aBcdEf',
    [
      [0, 0, 'pq'],
      [4, 5, 'x', true],
    ],
    'user',
    'pqabcdef pqaBcdxf b>B e>x!',
  ],
  [
    'abcdef',
    'aBCdef',
    [
      [2, 2, 'x'],
      [3, 3, 'by'],
    ],
    'outside',
    'abycxdef aBxCbydef >BxC~ cx>',
  ],
];

describe('lines that are not the agent’s', () => {
  it('are in both texts, or part of a proposal that says so; what was taken away may come back', () => {
    for (const [before, after, edits, by, expected] of TABLE)
      assert.equal(
        shown(edited(before, after, edits, by)),
        expected,
        `${before} → ${after}: ${by} ${JSON.stringify(edits)}`,
      );
  });

  it('that are typed one after the other are known as one piece', () => {
    let review = edited('abc', 'aBc', []);
    for (const at of [3, 4, 5])
      review = withForeignEdits(
        review,
        [{ from: at, to: at, lines: ['x'], keepsChange: false }],
        'user',
      );
    const typed = review.marks.filter(({ by }) => by === 'user');
    assert.deepEqual(typed, [{ from: 3, to: 6, by: 'user' }]);
  });

  it('none is lost or doubled, wherever it is put and whatever is decided', () => {
    for (const [before, after] of [
      ['abcdef', 'aBCdef'],
      ['abcdef', 'abXYcdef'],
      ['abcdef', 'adef'],
      ['abcdef', 'AbcdEF'],
    ] as const)
      for (const [from, to] of rangesIn(after))
        for (const text of from === to ? ['x', 'xy'] : ['', 'x', 'xy'])
          nothingLost(before, after, [from, to, text]);
  });
});

const rangesIn = (text: string): readonly (readonly [number, number])[] =>
  Array.from({ length: text.length + 1 }, (_, from) => from).flatMap((from) =>
    Array.from({ length: text.length + 1 - from }, (_, more) => [from, from + more] as const),
  );

function nothingLost(before: string, after: string, edit: Edit): void {
  const [from, to, text] = edit;
  const review = edited(before, after, [edit]);
  const what = `${before} → ${after}: ${from} to ${to} ${text}`;
  const document = after.slice(0, from) + text + after.slice(to);
  assert.equal(letters(review.document), document, what);
  assert.equal(letters(accept(review, 'all').document), document, what);
  // Lines of both texts go from both.
  const gone = new Set(after.slice(from, to).replace(/[A-Z]/gu, ''));
  const kept = Array.from(before)
    .filter((line) => !gone.has(line))
    .join('');
  const rejected = letters(reject(review, 'all').review.document);
  assert.equal(rejected.replace(text, ''), kept, what);
  assert.ok(rejected.includes(text), what);
}
