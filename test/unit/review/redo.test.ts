import assert from 'node:assert/strict';
import type { TakenBack } from '../../../src/core/review/service/redo.ts';
import { bytes, ReviewWorkspace } from '../../support/review/workspace.ts';

const BEFORE = 'a\nb\nc\nd\n';
const AFTER = 'A\nb\nc\nD\n';

describe('a decision that is taken back', function () {
  this.timeout(20_000);
  let ws: ReviewWorkspace;

  afterEach(() => ws[Symbol.asyncDispose]());

  const pendingPaths = () => ws.reviews.pending.map(({ path }) => ({ path }));
  const takeBack = async (index = -1): Promise<TakenBack> => {
    const decision = ws.reviews.records.decided.all.at(index);
    return ws.reviews.redo.takeBack(decision?.id ?? assert.fail('no decision is on record'));
  };

  it('brings back everything that was undone, byte for byte, also over a restart', async () => {
    ws = await ReviewWorkspace.open({
      a: BEFORE.replaceAll('\n', '\r\n'),
      gone: 'old\n',
      b: BEFORE,
      'i.png': bytes('\0old'),
    });
    await ws.write('write', 'a', AFTER.replaceAll('\n', '\r\n'));
    await ws.write('write', 'made', 'new\n');
    await ws.delete('write', 'gone');
    await ws.write('write', 'b', AFTER);
    await ws.rename('write', 'b', 'c');
    await ws.write('write', 'i.png', bytes('\0new'));
    const names = ['a', 'b', 'c', 'gone', 'i.png', 'made'];
    const before = [names.map((name) => ws.onDisk(name)), ws.pending];
    const { done, failed } = await ws.reviews.decisions.decide('undo', pendingPaths());
    assert.deepEqual([done, failed, ws.pending], [7, [], []]);
    assert.deepEqual([ws.onDisk('gone'), ws.onDisk('made')], ['old\n', undefined]);
    await ws.restart();
    assert.deepEqual(await takeBack(), { done: 5, failed: [] });
    assert.deepEqual([names.map((name) => ws.onDisk(name)), ws.pending], before);
    assert.deepEqual(ws.reviews.records.decided.all, []);
  });

  it('goes beside what changed since; in a file with the same lines changed it is refused', async () => {
    ws = await ReviewWorkspace.open({ a: BEFORE, b: BEFORE });
    await ws.write('write', 'a', AFTER);
    await ws.write('write', 'b', AFTER);
    await ws.reviews.decisions.decide('undo', pendingPaths());
    await ws.outside('a', 'a\nb\nmine\nc\nd\n');
    await ws.outside('b', 'a\nb\nc\nother\n');
    const { done, failed } = await takeBack();
    assert.equal(done, 1);
    assert.match(failed[0]?.reason ?? '', /b was changed at the same lines since/u);
    assert.equal(ws.onDisk('a'), 'A\nb\nmine\nc\nD\n');
    assert.equal(ws.hunks('a').length, 2);
    assert.equal(ws.onDisk('b'), 'a\nb\nc\nother\n');
    await ws.reviews.decisions.undo({ path: ws.at('a') });
    assert.equal(ws.onDisk('a'), 'a\nb\nmine\nc\nd\n');
  });

  it('of one hunk leaves what was kept since', async () => {
    ws = await ReviewWorkspace.open({ a: BEFORE });
    await ws.write('write', 'a', AFTER);
    const [first = '', second = ''] = ws.hunks('a');
    await ws.reviews.decisions.undo({ path: ws.at('a'), choice: [first] });
    await ws.reviews.decisions.keep({ path: ws.at('a'), choice: [second] });
    await takeBack(0);
    assert.equal(ws.onDisk('a'), AFTER);
    assert.deepEqual(ws.pending, ['a: -a +A']);
  });

  it('makes pending again what was kept; the file stays as it is', async () => {
    ws = await ReviewWorkspace.open({ a: BEFORE });
    await ws.write('write', 'a', AFTER);
    await ws.reviews.decisions.decide('keep', pendingPaths());
    await ws.outside('a', `${AFTER}mine\n`);
    assert.deepEqual(await takeBack(), { done: 1, failed: [] });
    assert.equal(ws.onDisk('a'), `${AFTER}mine\n`);
    await ws.reviews.decisions.undo({ path: ws.at('a') });
    assert.equal(ws.onDisk('a'), `${BEFORE}mine\n`);
  });
});
