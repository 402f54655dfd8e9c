import { inEnglish } from '../../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { formOf } from '../../../src/core/review/model/proposed-bytes.ts';
import { bytes, ReviewWorkspace, text } from '../../support/review/workspace.ts';

const PICTURE = new Uint8Array([0x89, 0, 1, 2]);

describe('what an agent proposes to do to whole files', function () {
  this.timeout(60_000);

  let ws: ReviewWorkspace;
  const open = async (files: Parameters<typeof ReviewWorkspace.open>[0]): Promise<void> => {
    ws = await ReviewWorkspace.open(files);
  };
  const options = () => ({ origin: ws.origin('propose') });
  const rename = (from: string, to: string): Promise<void> =>
    ws.operations.rename(ws.at(from), ws.at(to), options());
  const copy = (from: string, to: string): Promise<void> =>
    ws.operations.copy(ws.at(from), ws.at(to), new AbortController().signal, options());
  const remove = async (name: string): Promise<string> =>
    (await ws.operations.remove(ws.at(name), options())).to;
  const one = (name: string) => ({ kind: 'proposed' as const, path: ws.at(name) });
  const all = () => ws.reviews.pending.map(({ kind, review }) => ({ kind, path: review.path }));
  const decideAll = async (decision: 'accept' | 'reject'): Promise<void> => {
    assert.deepEqual((await ws.reviews.decisions.decide(decision, all())).failed, []);
    assert.deepEqual(ws.pending, []);
  };
  const names = async (folder = '.'): Promise<readonly string[]> =>
    (await ws.files.list(ws.at(folder)))
      .map(({ name, type }) => (type === 'directory' ? `${name}/` : name))
      .toSorted();
  const type = async (name: string): Promise<string | undefined> =>
    (await ws.operations.lookUp(ws.at(name)))?.type;
  /** All files on disk with their texts. */
  const disk = (): Record<string, string | undefined> =>
    Object.fromEntries(
      readdirSync(ws.root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => `${entry.parentPath}/${entry.name}`.slice(ws.root.length + 1))
        .toSorted()
        .map((name) => [name, ws.onDisk(name)]),
    );

  afterEach(async () => {
    await ws[Symbol.asyncDispose]();
  });

  const FILES = { 'src/a.ts': 'a\n', 'src/deep/b.ts': 'b\n', 'src/i.png': PICTURE, 'c.ts': 'c\n' };

  it('a folder moves with all its files: the agent finds it there, the disk has it here', async () => {
    await open(FILES);
    const before = disk();
    await rename('src', 'lib');
    assert.deepEqual(ws.pending, [
      'proposed src/a.ts → lib/a.ts:',
      'proposed src/deep/b.ts → lib/deep/b.ts:',
      'proposed src/i.png → lib/i.png:',
    ]);
    assert.deepEqual(await names(), ['c.ts', 'lib/']);
    assert.deepEqual(await names('lib'), ['a.ts', 'deep/', 'i.png']);
    assert.deepEqual([await type('src'), await type('src/deep')], [undefined, undefined]);
    assert.equal(await ws.files.stat(ws.at('src')), undefined);
    await assert.rejects(ws.files.list(ws.at('src')), { code: 'not_found' });
    assert.equal(await type('lib/deep'), 'directory');
    assert.equal(await ws.seen('lib/deep/b.ts'), 'b\n');
    assert.equal(await ws.seen('src/deep/b.ts'), undefined);
    await ws.write('propose', 'lib/a.ts', 'A\n');
    assert.deepEqual(disk(), before);
    await ws.restart();
    assert.deepEqual(await names(), ['c.ts', 'lib/']);
    await decideAll('accept');
    assert.deepEqual(Object.keys(disk()), ['c.ts', 'lib/a.ts', 'lib/deep/b.ts', 'lib/i.png']);
    assert.equal(ws.onDisk('lib/a.ts'), 'A\n');
    assert.deepEqual(ws.bytesOnDisk('lib/i.png'), PICTURE);
    assert.equal(existsSync(ws.at('src')), false, 'the folder goes with its last file');
  });

  it('a folder that keeps a file, or gets one, stays', async () => {
    await open(FILES);
    await remove('src');
    assert.equal(await type('src'), undefined);
    await ws.reviews.decisions.reject(one('src/deep/b.ts'));
    assert.deepEqual(await names('src'), ['deep/']);
    await ws.outside('src/mine.ts', 'mine\n');
    await decideAll('accept');
    assert.deepEqual(Object.keys(disk()), ['c.ts', 'src/deep/b.ts', 'src/mine.ts']);
  });

  it('a folder that something else took away in that moment is no problem', async () => {
    await open({ 'src/a.ts': 'a\n' });
    await rename('src', 'lib');
    ws.disk.after = () => rmSync(ws.at('src'), { recursive: true });
    await ws.reviews.decisions.accept(one('lib/a.ts'));
    assert.deepEqual([disk(), ws.pending], [{ 'lib/a.ts': 'a\n' }, []]);
  });

  it('is decided file by file in any order, and what was rejected is as it was', async () => {
    await open(FILES);
    await rename('src', 'lib');
    await ws.write('propose', 'lib/deep/b.ts', 'B\n');
    await ws.reviews.decisions.accept(one('lib/a.ts'));
    await ws.reviews.decisions.reject(one('lib/deep/b.ts'));
    await ws.reviews.decisions.accept(one('lib/i.png'));
    assert.deepEqual(Object.keys(disk()), ['c.ts', 'lib/a.ts', 'lib/i.png', 'src/deep/b.ts']);
    assert.equal(ws.onDisk('src/deep/b.ts'), 'b\n');
    assert.equal(await ws.seen('src/deep/b.ts'), 'b\n');
  });

  it('chains are one new name, and back again is nothing', async () => {
    await open(FILES);
    await rename('c.ts', 'd.ts');
    await rename('d.ts', 'e.ts');
    assert.deepEqual(ws.pending, ['proposed c.ts → e.ts:']);
    await rename('e.ts', 'c.ts');
    assert.deepEqual(ws.pending, []);
    await rename('src', 'one');
    await rename('one', 'two');
    assert.deepEqual(await names(), ['c.ts', 'two/']);
    await rename('two', 'src');
    assert.deepEqual([ws.pending, await names()], [[], ['c.ts', 'src/']]);
  });

  for (const accepted of [['a.txt', 'b.txt'], ['b.txt', 'a.txt'], ['a.txt'], ['b.txt'], []])
    it(`two files that change their names: accepted ${accepted.join(', then ') || 'none'}`, async () => {
      await open({ 'a.txt': 'of a\n', 'b.txt': 'of b\n' });
      await rename('a.txt', 'tmp');
      await rename('b.txt', 'a.txt');
      await rename('tmp', 'b.txt');
      assert.deepEqual(ws.pending, ['proposed a.txt: -of a +of b', 'proposed b.txt: -of b +of a']);
      assert.deepEqual([await ws.seen('a.txt'), await ws.seen('b.txt')], ['of b\n', 'of a\n']);
      assert.deepEqual(await names(), ['a.txt', 'b.txt']);
      for (const name of accepted) await ws.reviews.decisions.accept(one(name));
      await decideAll('reject');
      assert.deepEqual(disk(), {
        'a.txt': accepted.includes('a.txt') ? 'of b\n' : 'of a\n',
        'b.txt': accepted.includes('b.txt') ? 'of a\n' : 'of b\n',
      });
    });

  it('a row of files that move up: each is decided by itself', async () => {
    await open({ 'log.1': 'one\n', 'log.2': 'two\n', 'i.1': PICTURE });
    await rename('log.2', 'log.3');
    await rename('log.1', 'log.2');
    await rename('i.1', 'i.2');
    await copy('i.2', 'i.1');
    assert.deepEqual(
      ws.pending,
      [
        'proposed i.2: binary',
        'proposed log.1: delete',
        'proposed log.2: -two +one',
        'proposed log.3: create',
      ].toSorted(),
    );
    await ws.restart();
    await ws.reviews.decisions.accept(one('log.1'));
    await decideAll('accept');
    assert.deepEqual(disk(), {
      'i.1': disk()['i.1'],
      'i.2': disk()['i.2'],
      'log.2': 'one\n',
      'log.3': 'two\n',
    });
    assert.deepEqual(ws.bytesOnDisk('i.2'), PICTURE);
  });

  it('over what is to be deleted: made anew, and moved there; a deleted new file is nothing', async () => {
    await open(FILES);
    assert.equal(await remove('c.ts'), 'nowhere');
    await ws.write('propose', 'c.ts', 'C\n');
    assert.deepEqual(ws.pending, ['proposed c.ts: -c +C']);
    await remove('c.ts');
    await rename('src/a.ts', 'c.ts');
    assert.deepEqual(ws.pending, ['proposed c.ts: -c +a', 'proposed src/a.ts: delete']);
    await ws.write('propose', 'n.ts', 'n\n');
    await rename('n.ts', 'm.ts');
    await remove('m.ts');
    assert.equal(ws.pending.length, 2);
    await decideAll('reject');
  });

  it('copies have the bytes and the mode of the original, edited or not', async () => {
    await open({ 'run.sh': '#!/bin/sh\r\n', 'i.png': PICTURE });
    await ws.setMode('run.sh', 0o755);
    await ws.write('propose', 'run.sh', '#!/bin/bash\r\n');
    await copy('run.sh', 'bin/run.sh');
    await copy('i.png', 'j.png');
    assert.deepEqual(ws.pending, [
      'proposed bin/run.sh: create',
      'proposed j.png: binary',
      'proposed run.sh: -#!/bin/sh +#!/bin/bash',
    ]);
    await ws.restart();
    assert.equal(await ws.seen('bin/run.sh'), '#!/bin/bash\r\n');
    await decideAll('accept');
    assert.equal(ws.onDisk('bin/run.sh'), '#!/bin/bash\r\n');
    assert.equal(await ws.mode('bin/run.sh'), 0o755);
    assert.deepEqual(ws.bytesOnDisk('j.png'), PICTURE);
  });

  it('a file that changes its case alone has one name for the agent, and gets it', async () => {
    await open({ 'readme.md': 'r\n' });
    await rename('readme.md', 'README.md');
    assert.deepEqual(await names(), ['README.md']);
    await decideAll('accept');
    assert.deepEqual(disk(), { 'README.md': 'r\n' });
  });

  it('what is at the new name by then stays, and so does the proposal', async () => {
    await open(FILES);
    await rename('c.ts', 'd.ts');
    await copy('c.ts', 'x.ts').catch(() => undefined);
    await ws.outside('d.ts', 'mine\n');
    await assert.rejects(ws.reviews.decisions.accept(one('d.ts')), { code: 'invalid' });
    assert.equal(ws.onDisk('d.ts'), 'mine\n');
    assert.equal(ws.onDisk('c.ts'), 'c\n');
    assert.deepEqual(ws.pending, ['proposed c.ts → d.ts:']);
    rmSync(ws.at('d.ts'));
    await ws.outside('c.ts', 'c\nand more\n');
    await ws.reviews.decisions.accept(one('d.ts'));
    assert.equal(ws.onDisk('d.ts'), 'c\nand more\n', 'what was written meanwhile went along');
    assert.equal(ws.onDisk('c.ts'), undefined);
  });

  it('a file that was changed meanwhile is not deleted unseen', async () => {
    await open(FILES);
    await remove('c.ts');
    await ws.outside('c.ts', 'c\nand mine\n');
    await assert.rejects(ws.reviews.decisions.accept(one('c.ts')), {
      message: /since this was shown/u,
    });
    assert.equal(ws.onDisk('c.ts'), 'c\nand mine\n');
    const review = ws.reviews.find('proposed', ws.at('c.ts')) ?? assert.fail();
    assert.equal(hunksOf(review)[0]?.conflict, 'outside');
    await ws.reviews.decisions.accept(one('c.ts'));
    assert.equal(ws.onDisk('c.ts'), undefined, 'seen, it is their decision');
  });

  it('says why something cannot be proposed', async () => {
    const many = Array.from({ length: 201 }, (_, index) => [`many/${index}`, `${index}\n`]);
    await open({ ...FILES, ...(Object.fromEntries(many) as Record<string, string>) });
    symlinkSync(ws.at('c.ts'), ws.at('src/link'));
    mkdirSync(ws.at('empty'));
    const why = async (name: string): Promise<string | undefined> => {
      const told = await ws.operations.unproposable('rename', ws.at(name));
      return told === undefined ? undefined : inEnglish(told);
    };
    assert.equal(await why('src/deep'), undefined);
    assert.equal(await why('c.ts'), undefined);
    assert.match((await why('src')) ?? '', /src holds .*link, which is a link/u);
    assert.match((await why('src/link')) ?? '', /is a link/u);
    assert.match((await why('many')) ?? '', /more than 200 files/u);
    await ws.operations.rename(ws.at('many/0'), ws.at('one'));
    assert.equal(await why('many'), undefined);
    await ws.operations.rename(ws.at('one'), ws.at('many/0'));
    assert.match((await why('empty')) ?? '', /without a file/u);
    await assert.rejects(remove('many'), { code: 'invalid', message: /more than 200 files/u });
    await assert.rejects(rename('src/deep', 'src/deep/er'), { code: 'invalid' });
    await assert.rejects(rename('src/deep', 'empty'), { code: 'invalid' });
    assert.deepEqual(ws.pending, []);
  });

  it('of a file that became another one unnoticed the proposal is on what it is now', async () => {
    await open({ 'a.txt': 'one\ntwo\n', 'b.txt': 'one\ntwo\n' });
    await ws.write('propose', 'a.txt', 'one\nTWO\n');
    await ws.write('propose', 'b.txt', 'one\r\nTWO\r\n');
    for (const name of ['a.txt', 'b.txt']) await ws.outside(name, 'zero\none\ntwo\n');
    assert.equal(text(await ws.files.read(ws.at('a.txt'))), 'zero\none\nTWO\n');
    assert.equal(text(await ws.files.read(ws.at('b.txt'))), 'zero\r\none\r\nTWO\r\n');
  });

  describe('without a change of lines', () => {
    const utf16 = (line: string): Uint8Array =>
      new Uint8Array(Buffer.from(`\ufeff${line}`, 'utf16le'));
    const cases: Readonly<Record<string, readonly [Uint8Array, Uint8Array, string]>> = {
      'line ends': [bytes('one\ntwo\n'), bytes('one\r\ntwo\r\n'), 'line ends: LF → CR LF'],
      'some line ends': [bytes('one\r\ntwo\n'), bytes('one\ntwo\r\n'), 'line ends of some lines'],
      'a byte order mark': [
        bytes('one\n'),
        bytes('\ufeffone\n'),
        'encoding: UTF-8 → UTF-8 with byte order mark',
      ],
      encoding: [bytes('ü\n'), utf16('ü\n'), 'encoding: UTF-8 → UTF-16 LE'],
      'binary data': [PICTURE, new Uint8Array([0x89, 0, 9]), 'binary, 4 B → 3 B'],
      'text that becomes binary': [bytes('one\n'), PICTURE, 'text → binary, 4 B'],
    };
    for (const [name, [before, after, says]] of Object.entries(cases))
      it(`${name}: proposed with words, seen, accepted and rejected`, async () => {
        await open({ 'a.txt': before, 'b.txt': before });
        await ws.write('propose', 'a.txt', after);
        await ws.write('propose', 'b.txt', after);
        const review = ws.reviews.find('proposed', ws.at('a.txt')) ?? assert.fail();
        assert.equal(formOf(review, hunksOf(review)), says);
        assert.equal(hunksOf(review)[0]?.by[0]?.sessionId, 's');
        await ws.restart();
        assert.deepEqual(new Uint8Array(await ws.files.read(ws.at('a.txt'))), after);
        assert.deepEqual(ws.bytesOnDisk('a.txt'), before);
        await ws.reviews.decisions.accept({
          ...one('a.txt'),
          choice: ws.hunks('proposed', 'a.txt'),
        });
        await ws.reviews.decisions.reject({
          ...one('b.txt'),
          choice: ws.hunks('proposed', 'b.txt'),
        });
        assert.deepEqual(ws.bytesOnDisk('a.txt'), after);
        assert.deepEqual(ws.bytesOnDisk('b.txt'), before);
        assert.deepEqual(ws.pending, []);
      });

    it('line ends and lines are decided each by itself', async () => {
      for (const order of [0, 1]) {
        await open({ 'a.txt': 'one\ntwo\nthree\n' });
        await ws.write('propose', 'a.txt', 'one\r\nTWO\r\nthree\r\n');
        assert.deepEqual(ws.pending, ['proposed a.txt: form -two +TWO']);
        const first = ws.hunks('proposed', 'a.txt')[order] ?? assert.fail();
        await ws.reviews.decisions.accept({ ...one('a.txt'), choice: [first] });
        assert.equal(
          ws.onDisk('a.txt'),
          order === 0 ? 'one\r\ntwo\r\nthree\r\n' : 'one\nTWO\nthree\n',
        );
        await ws.reviews.decisions.accept(one('a.txt'));
        assert.equal(ws.onDisk('a.txt'), 'one\r\nTWO\r\nthree\r\n');
        if (order === 0) await ws[Symbol.asyncDispose]();
      }
    });

    it('are kept when the agent edits on, and gone when it puts them back', async () => {
      await open({ 'a.txt': 'one\ntwo\n' });
      await ws.write('propose', 'a.txt', 'one\r\ntwo\r\n');
      await ws.write('propose', 'a.txt', 'one\r\nTWO\r\n');
      assert.equal(await ws.seen('a.txt'), 'one\r\nTWO\r\n');
      await ws.outside('a.txt', 'zero\none\ntwo\n');
      assert.equal(await ws.seen('a.txt'), 'zero\r\none\r\nTWO\r\n');
      await ws.write('propose', 'a.txt', 'zero\none\ntwo\n');
      assert.deepEqual(ws.pending, []);
    });

    it('a new file has the line ends that were written', async () => {
      await open({});
      await ws.write('propose', 'n.txt', 'one\r\ntwo\r\n');
      assert.equal(await ws.seen('n.txt'), 'one\r\ntwo\r\n');
      await decideAll('accept');
      assert.equal(ws.onDisk('n.txt'), 'one\r\ntwo\r\n');
    });
  });
});
