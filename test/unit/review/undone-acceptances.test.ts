import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { textContent } from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { MemoryWorkspace } from '../../support/review/memory-workspace.ts';

const [BEFORE, FIRST, AFTER] = ['a\nb\nc\nd\n', 'A\nb\nc\nd\n', 'A\nb\nc\nD\n'];
const [A, D, BOTH] = [
  'proposed /a: -a +A',
  'proposed /a: -d +D',
  'proposed /a: -a +A; -d +D',
] as const;

describe('an accepted proposal that the person undoes in the editor of the file', () => {
  let ws: MemoryWorkspace;
  beforeEach(async () => {
    ws = new MemoryWorkspace({ '/a': BEFORE });
    await ws.reviews.records.outcomes.load('s');
    await ws.write('propose', '/a', AFTER);
  });

  /** Undo or Redo in an editor that saves. */
  const turn = async (path: string, text: string): Promise<void> => {
    assert.equal(ws.reviews.files.concerns(path), true);
    ws.files.put(path, text);
    ws.reviews.files.documentChanged(path, textContent(text), { kind: 'undone' });
    await ws.reviews.files.fileChanged(path);
  };
  const first = (): readonly string[] =>
    hunksOf(ws.reviews.find('proposed', '/a') ?? assert.fail())
      .slice(0, 1)
      .map(({ id }) => id);
  const accept = (choice: 'all' | readonly string[] = 'all') =>
    ws.reviews.decisions.accept({ kind: 'proposed', path: '/a', choice });
  const authors = () =>
    ws.reviews.pending.flatMap(({ review }) =>
      hunksOf(review).map(({ by }) => by.map(({ callId }) => callId)),
    );

  it('is pending again, as the agent’s, also after a restart; Redo accepts it', async () => {
    await accept();
    assert.deepEqual(ws.pending, []);
    for (let round = 0; round < 2; round += 1) {
      await turn('/a', BEFORE);
      assert.deepEqual([ws.pending, authors()], [[BOTH], [['c'], ['c']]]);
      await turn('/a', AFTER);
      assert.deepEqual(ws.pending, []);
    }
    await turn('/a', BEFORE);
    await ws.crash();
    assert.deepEqual(ws.pending, [BOTH]);
    await accept();
    assert.equal(ws.files.text('/a'), AFTER);
  });

  it('hunk by hunk, each step brings back what it took out', async () => {
    await accept(first());
    await turn('/a', BEFORE);
    assert.deepEqual([ws.pending, authors()], [[BOTH], [['c'], ['c']]]);
    await turn('/a', FIRST);
    assert.deepEqual(ws.pending, [D]);
    await accept();
    for (const [text, pending] of [
      [FIRST, [D]],
      [BEFORE, [BOTH]],
      [FIRST, [D]],
      [AFTER, []],
    ] as const) {
      await turn('/a', text);
      assert.deepEqual(ws.pending, pending, text);
    }
  });

  it('rejected then, it does not come back by a further Undo', async () => {
    await accept();
    await turn('/a', BEFORE);
    await ws.reviews.decisions.reject({ kind: 'proposed', path: '/a' });
    await ws.types('/a', 0, 'mine');
    for (const text of [BEFORE, AFTER, BEFORE]) {
      await turn('/a', text);
      assert.deepEqual(ws.pending, []);
    }
  });

  it('in part, it is stored at once that more is pending', async () => {
    await accept(first());
    ws.files.put('/a', BEFORE);
    ws.reviews.files.documentChanged('/a', textContent(BEFORE), { kind: 'undone' });
    for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
    await ws.crash();
    assert.deepEqual([ws.pending, authors()], [[BOTH], [['c'], ['c']]]);
  });

  it('of a file that was renamed with it, or by the person since, its lines are proposed at the new name', async () => {
    await ws.rename('propose', '/a', '/b');
    await ws.reviews.decisions.accept({ kind: 'proposed', path: '/b' });
    await turn('/b', BEFORE);
    assert.deepEqual(ws.pending, [BOTH.replace('/a', '/b')]);
    await turn('/b', AFTER);
    ws.files.put('/c', AFTER);
    ws.files.put('/b', undefined);
    ws.reviews.files.fileRenamed('/b', '/c');
    await turn('/c', BEFORE);
    assert.deepEqual(ws.pending, [BOTH.replace('/a', '/c')]);
  });

  it('what the agent proposed to take out of it since stays, after Undo and Redo', async () => {
    await accept();
    await ws.write('propose', '/a', AFTER.replace('A\n', ''));
    await turn('/a', BEFORE);
    assert.deepEqual(ws.pending, ['proposed /a: -a; -d +D']);
    await turn('/a', AFTER);
    assert.deepEqual(ws.pending, ['proposed /a: -A']);
  });

  it('what the agent proposed since stays; a change that only looks like an Undo brings nothing back', async () => {
    await accept();
    await ws.write('propose', '/a', AFTER.replace('b', 'B'));
    await turn('/a', BEFORE);
    assert.deepEqual(ws.pending, ['proposed /a: -a -b +A +B; -d +D']);
    await ws.reviews.decisions.reject({ kind: 'proposed', path: '/a' });
    await ws.write('propose', '/a', FIRST);
    assert.deepEqual(ws.pending, [A]);
    await accept();
    await ws.outside({ '/a': BEFORE });
    assert.deepEqual(ws.pending, []);
  });

  it('an acceptance of line ends alone is not undone by what is typed and undone', async () => {
    ws = new MemoryWorkspace({ '/a': 'a\r\nb\r\n' });
    await ws.write('propose', '/a', 'A\nb\n');
    const [ends] = hunksOf(ws.reviews.find('proposed', '/a') ?? assert.fail()).filter(
      ({ kind }) => kind !== 'change',
    );
    await accept([ends?.id ?? assert.fail()]);
    assert.deepEqual(ws.pending, [A]);
    await ws.types('/a', 0, 'mine');
    await turn('/a', 'a\nb\n');
    await turn('/a', 'mine\na\nb\n');
    assert.equal(ws.pending.join().match(/\+mine/gu), null);
  });

  it('goes with its folder, and another step back than its own brings nothing back', async () => {
    ws = new MemoryWorkspace({ '/x/a': BEFORE });
    await ws.write('propose', '/x/a', AFTER);
    await ws.reviews.decisions.accept({ kind: 'proposed', path: '/x/a' });
    ws.files.put('/x/a', undefined);
    ws.files.put('/y/a', AFTER);
    ws.reviews.files.fileRenamed('/x', '/y');
    await ws.types('/y/a', 0, 'mine');
    await ws.types('/y/a', 0, 'more');
    await turn('/y/a', `mine\n${AFTER}`);
    assert.deepEqual(ws.pending, []);
    await turn('/y/a', BEFORE);
    assert.deepEqual(ws.pending, [BOTH.replace('/a', '/y/a')]);
  });

  it('is stored when all is, however long that takes', async () => {
    await accept();
    const swap = ws.values.swap.bind(ws.values);
    ws.values.swap = async (...given) => {
      await nextTurn();
      return swap(...given);
    };
    ws.files.put('/a', BEFORE);
    ws.reviews.files.documentChanged('/a', textContent(BEFORE), { kind: 'undone' });
    await ws.restart();
    assert.deepEqual(ws.pending, [BOTH]);
  });
});

describe('an accepted renaming to where the agent had deleted a file', () => {
  it('leaves that deletion to be decided, also where both files share lines', async () => {
    const shared = 'a line of words that is in both of the files';
    const ws = new MemoryWorkspace({ '/a': `one\n${shared}\ntwo`, '/b': `other\n${shared}` });
    await ws.delete('write', '/a');
    await ws.rename('propose', '/b', '/a');
    await ws.reviews.decisions.accept({ kind: 'proposed', path: '/a' });
    await ws.reviews.files.fileChanged('/a');
    assert.match(ws.pending.join(), /^written \/a: .*-one.*-two/u);
    await ws.reviews.decisions.reject({ kind: 'written', path: '/a' });
    for (const line of ['one', 'two', 'other'])
      assert.ok(ws.files.text('/a')?.split('\n').includes(line), ws.files.text('/a'));
  });
});
