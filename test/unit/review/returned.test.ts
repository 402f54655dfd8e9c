import assert from 'node:assert/strict';
import { agentEdited } from '../../../src/core/review/model/agent-edits.ts';
import {
  ABSENT,
  type Content,
  type FileReview,
  newReview,
  textContent,
  textOf,
} from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { isUsedUp, type KeptAside, withReturned } from '../../../src/core/review/model/returned.ts';
import { by } from '../../support/review/attribution.ts';

/** Each word is a line; `undefined`: no file. */
const lines = (words: string | undefined): Content =>
  words === undefined ? ABSENT : textContent(words.replaceAll(' ', '\n'));
const edited = (before: string | undefined, after: string | undefined): FileReview =>
  agentEdited(newReview('/a', lines(before)), lines(after), by);

interface Case {
  /** What was pending: a text of the agent, and the one before it. */
  readonly aside: readonly [string | undefined, string | undefined];
  /** The file, or what is pending in it. */
  readonly now: string | readonly [string | undefined, string];
  readonly from?: string;
  /** `old>new`. */
  readonly accepted?: readonly string[];
  readonly left?: string;
  readonly undecided?: boolean;
  readonly typed?: boolean;
  /** Baseline and hunks. */
  readonly is: readonly string[];
}

const asideOf = ({
  aside,
  accepted = [],
  undecided = false,
  typed = false,
  left,
}: Case): KeptAside => ({
  review: edited(...aside),
  accepted: accepted.map((pair) => {
    const [old, made] = pair.split('>').map((words) => words.split(' ').filter(Boolean));
    return { old: old ?? [], new: made ?? [] };
  }),
  undecided,
  typed,
  left: left === undefined ? undefined : lines(left),
});

function after(one: Case): readonly string[] {
  const now =
    typeof one.now === 'string' ? newReview('/b', lines(one.now)) : edited(one.now[0], one.now[1]);
  const from = one.from === undefined ? undefined : lines(one.from);
  const review = withReturned(now, [asideOf(one)], from);
  assert.equal(review.path, now.path);
  assert.equal(review.fileMissing, false);
  const hunks = hunksOf(review).map(
    ({ removed, added, by: who }) =>
      `${removed.join(' ')}>${added.join(' ')}${who.length === 1 ? '' : '?'}`,
  );
  return [textOf(review.baseline)?.replaceAll('\n', ' ') ?? review.baseline.kind, ...hunks];
}

const PUT = ['one two', 'one X two'] as const;
const TAKEN = ['one two three four', 'one four'] as const;
const TWO = ['one two three four', 'one X two three Y four'] as const;

const CASES: Readonly<Record<string, Case>> = {
  'lines that the last step put there': {
    aside: PUT,
    now: 'mine one X two',
    from: 'mine one two',
    is: ['mine one two', '>X'],
  },
  'lines that were there before it are not': {
    aside: PUT,
    now: 'mine one X two',
    from: 'one X two',
    is: ['mine one X two'],
  },
  'lines that tell whose they are, where the step is not known': {
    aside: PUT,
    now: 'mine one X two',
    is: ['mine one two', '>X'],
  },
  'a bracket does not': {
    aside: ['one two', 'one } two'],
    now: 'mine one } two',
    is: ['mine one } two'],
  },
  'a bracket does, with the step since it was kept': {
    aside: ['one two', 'one } two'],
    now: 'mine one } two',
    left: 'mine one two',
    is: ['mine one two', '>}'],
  },
  'lines that the last step took away': {
    aside: TAKEN,
    now: 'mine one four',
    from: 'mine one two three four',
    is: ['mine one two three four', 'two three>'],
  },
  'lines of which the last step took away some only are not': {
    aside: TAKEN,
    now: 'mine one four',
    from: 'mine one three four',
    is: ['mine one four'],
  },
  'nor are those of which the first alone was there': {
    aside: TAKEN,
    now: 'mine one four',
    from: 'mine one two four',
    is: ['mine one four'],
  },
  'lines that were changed are not taken away': {
    aside: TAKEN,
    now: 'mine one two! three! four',
    from: 'mine one two three four',
    is: ['mine one two! three! four'],
  },
  'lines that are only like them are not': {
    aside: PUT,
    now: 'mine one X! two',
    from: 'mine one two',
    is: ['mine one X! two'],
  },
  'lines of which a telling one is new': {
    aside: ['one two', 'one } W two'],
    now: 'mine one } W two',
    from: 'mine one } two',
    is: ['mine one two', '>} W'],
  },
  'lines of which a bracket is new are not': {
    aside: ['one two', 'one W } two'],
    now: 'mine one W } two',
    from: 'mine one W two',
    is: ['mine one W } two'],
  },
  'lines that were taken away elsewhere are not': {
    aside: TAKEN,
    now: 'mine yours one four',
    from: 'two three mine yours one four',
    is: ['mine yours one four'],
  },
  'one change of two': {
    aside: TWO,
    now: 'mine one X two three four',
    from: 'mine one two three four',
    is: ['mine one two three four', '>X'],
  },
  'the other one': {
    aside: TWO,
    now: 'mine one two three Y four',
    from: 'mine one two three four',
    is: ['mine one two three four', '>Y'],
  },
  'beside what is pending, before it': {
    aside: TWO,
    now: ['mine one X two three four', 'mine one X two three four Z'],
    from: 'mine one two three four Z',
    is: ['mine one two three four', '>X', '>Z'],
  },
  'beside what is pending, behind it': {
    aside: TWO,
    now: ['mine one two three Y four', 'Z mine one two three Y four'],
    from: 'Z mine one two three four',
    is: ['mine one two three four', '>Z', '>Y'],
  },
  'what is pending already is so once': {
    aside: PUT,
    now: ['mine one two', 'mine one X two'],
    from: 'mine one two',
    is: ['mine one two', '>X'],
  },
  'without what was accepted': {
    aside: TWO,
    now: 'mine one X two three Y four',
    from: 'mine one two three four',
    accepted: ['>X'],
    is: ['mine one X two three four', '>Y'],
  },
  'without some lines of it that were accepted': {
    aside: ['one two', 'one X W two'],
    now: 'mine one X W two',
    from: 'mine one two',
    accepted: ['>X'],
    is: ['mine one X two', '>W'],
  },
  'without a replaced line that was accepted': {
    aside: ['one two three four', 'one X W four'],
    now: 'mine one X W four',
    from: 'mine one two three four',
    accepted: ['two>X'],
    is: ['mine one X three four', 'three>W'],
  },
  'without lines that were taken away with a yes': {
    aside: TAKEN,
    now: 'mine one four',
    from: 'mine one two three four',
    accepted: ['two>'],
    is: ['mine one three four', 'three>'],
  },
  'without the second of two lines that were taken away with a yes': {
    aside: TAKEN,
    now: 'mine one four',
    from: 'mine one two three four',
    accepted: ['three>'],
    is: ['mine one two four', 'two>'],
  },
  'without the second of two replaced lines that was accepted': {
    aside: ['one two three four', 'one X W four'],
    now: 'mine one X W four',
    from: 'mine one two three four',
    accepted: ['three>W'],
    is: ['mine one two W four', 'two>X'],
  },
  'without a line that was accepted in the place of another one': {
    aside: ['one two three four', 'one X W four'],
    now: 'mine one X W four',
    from: 'mine one two three four',
    accepted: ['Q>X'],
    is: ['mine one two three X four', 'two three>', '>W'],
  },
  'without a line that was accepted beside others, and the one that it replaced': {
    aside: ['one two end', 'W X end'],
    now: 'mine W X Q end',
    from: 'mine one two end',
    accepted: ['two>X Q'],
    is: ['mine one X Q end', 'one>W'],
  },
  'with a line that was accepted beside others, and is there twice': {
    aside: ['one two end', 'W X end'],
    now: 'mine W X Q end X Q',
    from: 'mine one two end X Q',
    accepted: ['two>X Q'],
    is: ['mine one two Q end X Q', 'one two>W X'],
  },
  'with lines that have nothing of what was accepted': {
    aside: ['one two end', 'W X end'],
    now: 'W X end mine',
    from: 'one two end mine',
    accepted: ['two>N M'],
    is: ['one two end mine', 'one two>W X'],
  },
  'with lines that were taken away, and not those that became others with a yes': {
    aside: TAKEN,
    now: 'mine one four',
    from: 'mine one two three four',
    accepted: ['Q>Z'],
    is: ['mine one two three four', 'two three>'],
  },
  'with a bracket that was taken away, also where others became lines with a yes': {
    aside: ['one } two', 'one two'],
    now: 'mine one two',
    from: 'mine one } two',
    accepted: ['} Q>Z'],
    is: ['mine one } two', '}>'],
  },
  'without lines for which others came with a yes': {
    aside: TAKEN,
    now: 'mine one Q four',
    from: 'mine one two three four',
    accepted: ['two three>Q'],
    is: ['mine one Q four'],
  },
  'without all of a change of which more was accepted': {
    aside: PUT,
    now: 'mine one X two',
    from: 'mine one two',
    accepted: ['>W X'],
    is: ['mine one X two'],
  },
  'with a bracket that was accepted elsewhere': {
    aside: ['one two', 'one X } two'],
    now: 'mine one X } two',
    from: 'mine one two',
    accepted: ['>}'],
    is: ['mine one two', '>X }'],
  },
  'lines that were taken away where the same ones stand before and behind': {
    aside: ['} two } end', '} end'],
    now: 'mine } end',
    from: 'mine } two } end',
    is: ['mine } two } end', 'two }>'],
  },
  'lines that tell nothing, and are not all of a change': {
    aside: ['one two', 'one } { two'],
    now: 'mine one } two',
    from: 'mine one two',
    is: ['mine one } two'],
  },
  'a line that is there twice, of which one was accepted': {
    aside: PUT,
    now: 'X mine one X two',
    from: 'X mine one two',
    accepted: ['>X W'],
    is: ['X mine one X two'],
  },
  'a change far behind others': {
    aside: ['a b c d e f one two', 'a b c d e f one X two'],
    now: 'a c q e f r s one X two',
    from: 'a b c d e f r s one two',
    is: ['a c q e f r s one two', '>X'],
  },
  'all of a file that is what it was when nothing was decided': {
    aside: TWO,
    now: TWO[1],
    undecided: true,
    is: [TWO[0], '>X', '>Y'],
  },
  'nothing that the person typed, in a file that is what it was by that': {
    aside: TWO,
    now: TWO[1],
    undecided: true,
    left: TWO[1],
    typed: true,
    is: [TWO[1]],
  },
  'nor of what was rejected': {
    aside: TWO,
    now: TWO[1],
    from: 'mine one X two three Y four',
    left: TWO[1],
    typed: true,
    is: [TWO[1]],
  },
  'all of a file that is what it was, where the person typed some of it': {
    aside: TWO,
    now: TWO[1],
    undecided: true,
    left: 'one X two three four',
    typed: true,
    is: [TWO[0], '>X', '>Y'],
  },
  'all of a file that is what it was, but for what was accepted': {
    aside: TWO,
    now: TWO[1],
    undecided: true,
    accepted: ['>X'],
    is: ['one X two three four', '>Y'],
  },
  'all of what was rejected in a file that is that again': {
    aside: TWO,
    now: TWO[1],
    is: [TWO[0], '>X', '>Y'],
  },
  'a new file': { aside: [undefined, 'one X'], now: 'one X', is: ['absent', '>one X'] },
  'a new file with other lines beside its own': {
    aside: [undefined, 'one X'],
    now: 'mine one X',
    is: ['mine', '>one X'],
  },
  'the rest of a new file': {
    aside: [undefined, 'one X two'],
    now: 'one X',
    is: ['absent', '>one X'],
  },
  'the rest of a new file is not where something else is pending': {
    aside: [undefined, 'one X two'],
    now: ['one', 'one X'],
    is: ['one', '>X'],
  },
  'lines are not where all of a new file is pending': {
    aside: PUT,
    now: [undefined, 'mine one X two'],
    from: 'mine one two',
    is: ['absent', '>mine one X two'],
  },
  'a deletion is not where another file is': {
    aside: ['one two', undefined],
    now: 'Q R',
    from: 'one two Q R',
    is: ['Q R'],
  },
  'a new file is not where something else is pending': {
    aside: [undefined, 'one X'],
    now: ['one X', 'one X Z'],
    is: ['one X', '>Z'],
  },
};

describe('what comes back of pending changes that were kept aside', () => {
  for (const [name, one] of Object.entries(CASES))
    it(name, () => assert.deepEqual(after(one), one.is));

  it('a picture that is that very one, and no other', () => {
    const picture = (hash: string): Content => ({ kind: 'binary', hash, bytes: 3 });
    const review = agentEdited(newReview('/a', picture('old')), picture('new'), by);
    const aside = [{ review, accepted: [], undecided: false, left: undefined, typed: false }];
    const back = (content: Content): Content =>
      withReturned(newReview('/a', content), aside, undefined).baseline;
    assert.deepEqual(back(picture('new')), picture('old'));
    assert.deepEqual(back(picture('other')), picture('other'));
  });

  it('goes to the session that knows the file, and with what is kept of it', () => {
    const kept = (hash: string) => ({ hash, bytes: 1, mode: 0o644 });
    const review = { ...edited(...TWO), kept: kept('then') };
    const aside = [{ review, accepted: [], undecided: false, left: undefined, typed: false }];
    const now = newReview('/a', lines('mine one X two three four'));
    const facts = (one: FileReview): readonly unknown[] => {
      const back = withReturned(one, aside, lines('mine one two three four'));
      return [back.knownToSession, back.kept?.hash];
    };
    assert.deepEqual(facts(now), ['s', 'then']);
    assert.deepEqual(facts({ ...now, knownToSession: 't', kept: kept('now') }), ['t', 'now']);
  });

  it('has the authors of what came back alone', () => {
    const other = { ...by, callId: 'other' };
    const now = agentEdited(
      newReview('/a', lines('mine one two three Y four')),
      lines('mine one X two three Y four'),
      other,
    );
    const aside = asideOf({ aside: TWO, now: '', is: [] });
    const back = withReturned(now, [aside], lines('mine one X two three four'));
    assert.deepEqual(
      hunksOf(back).map((hunk) => [hunk.added, hunk.by]),
      [
        [['X'], [other]],
        [['Y'], [by]],
      ],
    );
  });

  it('waits for no file to be saved, whatever did when it was kept aside', () => {
    const aside = asideOf({ aside: PUT, now: '', is: [] });
    const waiting = { ...aside, review: { ...aside.review, unsaved: true as const } };
    const back = withReturned(newReview('/a', lines(PUT[1])), [waiting], undefined);
    assert.deepEqual(
      hunksOf(back).map(({ kind }) => kind),
      ['change'],
    );
    const accepted = [{ old: [], new: ['X'] }];
    assert.equal(isUsedUp({ ...waiting, accepted }), true);
  });

  it('is nothing when all of it was accepted', () => {
    const isOver = (...accepted: string[]): boolean =>
      isUsedUp(asideOf({ aside: TWO, now: '', is: [], accepted }));
    assert.deepEqual([isOver(), isOver('>X'), isOver('>X', '>Y')], [false, false, true]);
  });
});
