import assert from 'node:assert/strict';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isUpToDate, onceFor } from './freshness.ts';

describe('what need not be done again', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'belay-freshness-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is a package that is newer than every source', async () => {
    const product = path.join(folder, 'product');
    assert.equal(isUpToDate(product), false, 'there is none yet');
    await writeFile(product, '');
    await utimes(product, new Date(0), new Date(0));
    assert.equal(isUpToDate(product), false, 'older than the sources');
    const future = new Date(Date.now() + 60_000);
    await utimes(product, future, future);
    assert.equal(isUpToDate(product), true);
  });

  it('is the installation of the same bytes, unless it failed', async () => {
    const [file, note] = [path.join(folder, 'file'), path.join(folder, 'note')];
    await writeFile(file, 'one');
    let done = 0;
    const work = async (): Promise<void> => {
      done += 1;
    };
    await assert.rejects(onceFor(file, note, () => Promise.reject(new Error('no'))));
    await onceFor(file, note, work);
    await onceFor(file, note, work);
    assert.equal(done, 1);
    await writeFile(file, 'two');
    await onceFor(file, note, work);
    assert.equal(done, 2);
  });
});
