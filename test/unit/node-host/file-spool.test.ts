import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FileSpool } from '../../../src/hosts/node/files/file-spool.ts';

describe('outputs on disk', () => {
  let folder: string;
  let spool: FileSpool;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'belay-spool-'));
    spool = new FileSpool(folder);
  });

  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('E3: any part is found by its characters, whatever they are', async () => {
    const text = spool.open('s', 'r');
    let whole = '';
    const pieces = ['plain é ', 'Ωmega ', 'emoji 😀 ', 'plain again '];
    for (let index = 0; index < 400; index += 1) {
      const piece = (pieces[index % pieces.length] ?? '').repeat(500);
      whole += piece;
      await text.write(piece);
    }
    assert.equal(await text.close(), whole.length);
    for (const [offset, length] of [
      [0, 10],
      [0, whole.length],
      [3999, 3],
      [whole.length - 5, 100],
      [whole.length, 10],
      [1_000_001, 4321],
    ] as const)
      assert.deepEqual(await spool.read('s', 'r', offset, length), {
        text: whole.slice(offset, offset + length),
        total: whole.length,
      });
  });

  it('what is beyond the limit is missing, the rest is there, and it is told', async () => {
    const small = new FileSpool(folder, 1_000_000);
    const text = small.open('s', 'r');
    for (let index = 0; index < 20; index += 1) await text.write('x'.repeat(100_000));
    const kept = await text.close();
    assert.ok(kept > 500_000 && kept <= 1_000_000, `${kept}`);
    assert.equal((await small.read('s', 'r', kept - 3, 10))?.text, 'xxx');
  });

  it('a disk that refuses is no failure of the command: nothing can be read, and that is told', async () => {
    await writeFile(path.join(folder, 'file'), '');
    const refused = new FileSpool(path.join(folder, 'file'));
    const text = refused.open('s', 'r');
    await text.write('x'.repeat(1_000_000));
    assert.equal(await text.close(), 0);
    assert.equal(await refused.read('s', 'r', 0, 10), undefined);
  });

  it('knows nothing of others, and leaves no file behind where nobody reads it', async () => {
    assert.equal(await spool.read('s', '../../etc/passwd', 0, 10), undefined);
    const text = spool.open('s', 'r');
    await text.write('x'.repeat(600_000));
    await text.discard();
    assert.deepEqual(await readdir(path.join(folder, 's')), []);
  });

  it('keeps only the outputs of sessions that are there', async () => {
    for (const session of ['a', 'b/../c']) {
      const text = spool.open(session, 'r');
      await text.write('x');
      await text.close();
    }
    await spool.keepOnly(['b/../c']);
    assert.equal(await spool.read('a', 'r', 0, 1), undefined);
    assert.equal((await spool.read('b/../c', 'r', 0, 1))?.text, 'x');
  });
});
