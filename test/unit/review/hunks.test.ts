import assert from 'node:assert/strict';
import { withAgentRename } from '../../../src/core/review/model/agent-edits.ts';
import { keep } from '../../../src/core/review/model/decide.ts';
import { newReview, textContent } from '../../../src/core/review/model/file-review.ts';
import type {
  Attribution,
  Content,
  FileReview,
} from '../../../src/core/review/model/file-review.ts';
import { fingerprint, hunksIn, hunksOf, linesIn } from '../../../src/core/review/model/hunks.ts';
import { agentEdited } from '../../support/review/attribution.ts';
import { withOtherHands } from '../../../src/core/review/model/other-hands.ts';

const by = (callId: string, at = 0): Attribution => ({
  by: 'agent',
  sessionId: 's',
  messageId: 'm',
  callId,
  tool: 'edit_file',
  why: '',
  at,
});
const binary: Content = { kind: 'binary', hash: 'h', bytes: 3 };
const from = (before: string, after: string | Content, who = by('1')): FileReview =>
  agentEdited(
    newReview('/w/a', textContent(before)),
    typeof after === 'string' ? textContent(after) : after,
    who,
  );
const ids = (one: FileReview): readonly string[] => hunksOf(one).map(({ id }) => id);
const authors = (one: FileReview): readonly (readonly string[])[] =>
  hunksOf(one).map((hunk) => hunk.by.map(({ callId }) => callId));

const FINGERPRINTS = ['wvjl67o803', '26dg046gkv0', '1t9hnlli7pu'] as const;

describe('ids of pending changes', () => {
  it('are found again by the next version: what is stored of them names them', () => {
    assert.equal(fingerprint(''), FINGERPRINTS[0]);
    assert.equal(fingerprint('b\0B'), FINGERPRINTS[1]);
    assert.equal(fingerprint('a longer text, with ends of lines\n'), FINGERPRINTS[2]);
    assert.deepEqual(ids(from('a\nb\nc\n', 'a\nB\nc\n')), [`${FINGERPRINTS[1]}-1-1`]);
  });

  it('say of equal changes of how many each is which, as long as there are several', () => {
    const one = from('a\nb\nc\nd\n', 'x\na\nx\nb\nx\nc\nd\n');
    const ends = (of: FileReview): readonly string[] =>
      ids(of).map((id) => id.replace(/^\w+-/u, ''));
    assert.deepEqual(ends(one), ['0-1-1of3', '0-1-2of3', '0-1-3of3']);
    const two = keep(one, [ids(one)[1] ?? '']);
    assert.deepEqual(ends(two), ['0-1-1of2', '0-1-2of2']);
    assert.deepEqual(ends(keep(two, [ids(two)[0] ?? ''])), ['0-1']);
  });
});

describe('pending changes that are asked for again', () => {
  it('are the same ones while nothing of them has changed, and others once something has', () => {
    const one = from('a\nb\n', 'a\nB\n');
    const found = hunksOf(one);
    assert.equal(hunksOf({ ...one, looked: ['x'] }), found);
    assert.notEqual(hunksOf({ ...one, marks: [] }), found);
    assert.notEqual(hunksOf({ ...one, baseline: textContent('a\nc\n') }), found);
  });
});

describe('what a pending change tells', () => {
  it('those who made it, the first one first; not who renamed the file', () => {
    const late = from('a\nb\n', 'a\nB\n', by('late', 5));
    const both = agentEdited(late, textContent('a\nBB\n'), by('early', 1));
    assert.deepEqual(authors(both), [['early', 'late']]);
    assert.deepEqual(
      authors(
        withAgentRename(
          both,
          { path: both.path, content: both.document },
          '/w/b',
          by('renames', 9),
        ),
      ),
      [['early', 'late']],
    );
  });

  it('a text that becomes bytes, or bytes that become a text, are no lines', () => {
    assert.deepEqual(
      hunksOf(from('a\n', binary)).map(({ kind }) => kind),
      ['binary'],
    );
    const text = agentEdited(newReview('/w/a', binary), textContent('a\n'), by('1'));
    assert.deepEqual(
      hunksOf(text).map(({ kind }) => kind),
      ['binary'],
    );
  });

  it('what is typed just above or beneath it is not in it', () => {
    const one = from('a\nb\nc\n', 'a\nB\nc\n');
    for (const after of ['a\nmine\nB\nc\n', 'a\nB\nmine\nc\n']) {
      const typed = withOtherHands(one, textContent(after), 'editor');
      assert.deepEqual(
        hunksOf(typed).map(({ editedByUser }) => editedByUser),
        [false],
        after,
      );
    }
  });

  it('it is found by lines beside it, too, as editors cut changes otherwise', () => {
    const one = from('a\nb\nc\nd\ne\n', 'a\nB\nc\nd\ne\n');
    const found = (first: number, end: number): number => hunksIn(one, first, end).length;
    assert.deepEqual(
      [found(0, 0), found(0, 1), found(1, 2), found(2, 3), found(3, 4)],
      [0, 1, 1, 1, 0],
    );
  });

  it('its lines are counted as people do it, with or without the end of the last', () => {
    const counts = (before: string, after: string): readonly number[] => {
      const { added, removed } = linesIn(from(before, after));
      return [added, removed];
    };
    assert.deepEqual(counts('x', 'y\n'), [1, 1]);
    assert.deepEqual(counts('x\n', 'y'), [1, 1]);
    assert.deepEqual(counts('x', 'x\n'), [1, 0]);
  });
});
