import assert from 'node:assert/strict';
import path from 'node:path';
import { isChangedMeanwhile } from '../../../src/core/files/changed-meanwhile.ts';
import { BelayError } from '../../../src/domain/failure.ts';
import { ReviewWorkspace, text } from '../../support/review/workspace.ts';

const diskFails = new BelayError({ code: 'tool', message: 'The disk is full.' });

describe('what an agent writes at once while a person reviews', function () {
  this.timeout(60_000);

  let ws: ReviewWorkspace;
  const open = async (files: Parameters<typeof ReviewWorkspace.open>[0] = {}): Promise<void> => {
    ws = await ReviewWorkspace.open(files);
  };
  const all = (name: string, kind: 'written' | 'proposed' = 'proposed') => ({
    kind,
    path: ws.at(name),
  });

  afterEach(async () => {
    await ws[Symbol.asyncDispose]();
  });

  describe('what is written at once', () => {
    it('is pending, and comes back exactly when it is rejected', async () => {
      await open({
        'd.sh': '#!/bin/sh\r\necho\r\n',
        'i.png': new Uint8Array([0x89, 0, 1, 2]),
        't.txt': '\ufefftext\r\n',
        'r.txt': 'r\n',
      });
      await ws.setMode('d.sh', 0o755);
      await ws.setMode('i.png', 0o640);
      const before = ['d.sh', 'i.png', 't.txt', 'r.txt'].map((name) => ws.bytesOnDisk(name));
      await ws.delete('write', 'd.sh');
      await ws.write('write', 'i.png', new Uint8Array([0x89, 0, 9, 9, 9]));
      await ws.write('write', 't.txt', new Uint8Array([0x89, 0, 9, 9, 9]));
      await ws.rename('write', 'r.txt', 'sub/../q.txt');
      await ws.write('write', 'made/n.txt', 'n\n');
      assert.deepEqual(ws.pending, [
        'd.sh: delete',
        'i.png: binary',
        'made/n.txt: create',
        'r.txt → q.txt:',
        't.txt: binary',
      ]);
      await ws.restart();
      const { done, failed } = await ws.reviews.decisions.decide(
        'undo',
        ws.reviews.pending.map((review) => ({ path: review.path })),
      );
      assert.deepEqual([done, failed], [5, []]);
      assert.deepEqual(
        ['d.sh', 'i.png', 't.txt', 'r.txt'].map((name) => ws.bytesOnDisk(name)),
        before,
      );
      assert.equal(await ws.mode('d.sh'), 0o755);
      assert.equal(await ws.mode('i.png'), 0o640);
      assert.equal(ws.onDisk('made/n.txt'), undefined);
      assert.deepEqual(ws.pending, []);
    });

    it('edited, then deleted: rejecting brings back what was there before both', async () => {
      await open({ 'a.txt': 'one\r\ntwo\r\n' });
      await ws.setMode('a.txt', 0o700);
      await ws.write('write', 'a.txt', 'one\r\nTWO\r\n');
      await ws.delete('write', 'a.txt');
      await ws.reviews.decisions.undo(all('a.txt', 'written'));
      assert.equal(ws.onDisk('a.txt'), 'one\r\ntwo\r\n');
      assert.equal(await ws.mode('a.txt'), 0o700);
    });

    it('renamed to what the agent had deleted: both come back', async () => {
      await open({ 'a.txt': 'a\r\n', 'b.txt': 'b\n' });
      await ws.delete('write', 'b.txt');
      await ws.rename('write', 'a.txt', 'b.txt');
      assert.equal(ws.onDisk('b.txt'), 'a\r\n');
      assert.equal(ws.onDisk('a.txt'), undefined);
      assert.deepEqual(ws.pending, ['a.txt: delete', 'b.txt: -b +a']);
      await ws.reviews.decisions.undo(all('a.txt', 'written'));
      await ws.reviews.decisions.undo(all('b.txt', 'written'));
      assert.equal(ws.onDisk('a.txt'), 'a\r\n');
      assert.equal(text(ws.bytesOnDisk('b.txt')).trim(), 'b');
    });

    it('a large text is pending after a restart, too, and comes back', async () => {
      const large = 'a line of a large file\n'.repeat(100_000);
      await open({ 'a.txt': `first\n${large}` });
      await ws.write('write', 'a.txt', `FIRST\n${large}`);
      await ws.restart();
      assert.deepEqual(ws.pending, ['a.txt: -first +FIRST']);
      await ws.reviews.decisions.undo({ path: ws.at('a.txt') });
      assert.equal(ws.onDisk('a.txt'), `first\n${large}`);
    });

    it('a text only in its line ends: nothing of it is pending, and it is written', async () => {
      await open({ 'a.txt': 'one\r\ntwo\r\n' });
      await ws.write('write', 'a.txt', 'one\ntwo\n');
      assert.equal(ws.onDisk('a.txt'), 'one\ntwo\n');
      assert.deepEqual(ws.pending, []);
    });
  });

  describe('when the disk fails in the middle', () => {
    beforeEach(async () => {
      await open({ 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n' });
      await ws.write('write', 'b.txt', 'B\n');
    });

    const untouched = (): void => {
      assert.deepEqual(ws.pending, ['b.txt: -b +B']);
      assert.equal(ws.onDisk('a.txt'), 'one\ntwo\n');
      assert.equal(ws.onDisk('b.txt'), 'B\n');
    };

    it('nothing is pending that is not in the file: writing, making, deleting, renaming', async () => {
      ws.disk.before = () => {
        throw diskFails;
      };
      await assert.rejects(ws.write('write', 'a.txt', 'ONE\n'), diskFails);
      untouched();
      await assert.rejects(ws.write('write', 'b.txt', 'B\nmore\n'), diskFails);
      untouched();
      await assert.rejects(ws.write('write', 'n.txt', 'n\n'), diskFails);
      untouched();
      await assert.rejects(ws.delete('write', 'a.txt'), diskFails);
      untouched();
      await assert.rejects(ws.rename('write', 'a.txt', 'c.txt'), diskFails);
      untouched();
      await assert.rejects(ws.delete('write', 'b.txt'), diskFails);
      untouched();
      await ws.restart();
      untouched();
    });

    it('a renaming to what the agent had deleted fails: only the deletion is pending', async () => {
      await ws.delete('write', 'b.txt');
      ws.disk.before = () => {
        throw diskFails;
      };
      await assert.rejects(ws.rename('write', 'a.txt', 'b.txt'), diskFails);
      assert.deepEqual(ws.pending, ['b.txt: delete']);
      assert.equal(ws.onDisk('a.txt'), 'one\ntwo\n');
    });

    it('what somebody else wrote in that moment is theirs, and not pending', async () => {
      ws.disk.before = async (file) => {
        ws.disk.before = () => undefined;
        await ws.outside(path.relative(ws.root, file), 'one\ntwo\nthree\n');
      };
      await assert.rejects(ws.write('write', 'a.txt', 'ONE\ntwo\n'), isChangedMeanwhile);
      assert.deepEqual(ws.pending, ['b.txt: -b +B']);
      assert.equal(ws.onDisk('a.txt'), 'one\ntwo\nthree\n');
    });
  });

  describe('after a crash', () => {
    it('a renaming that was stored and not done: the file has its old name', async () => {
      await open({ 'a.txt': 'one\ntwo\n' });
      await ws.write('write', 'a.txt', 'ONE\ntwo\n');
      await ws.rename('write', 'a.txt', 'b.txt');
      await ws.disk.rename(ws.at('b.txt'), ws.at('a.txt'));
      await ws.restart();
      assert.deepEqual(ws.pending, ['a.txt: -one +ONE']);
      await ws.restart();
      await ws.reviews.decisions.undo(all('a.txt', 'written'));
      assert.equal(ws.onDisk('a.txt'), 'one\ntwo\n');
    });
  });
});
