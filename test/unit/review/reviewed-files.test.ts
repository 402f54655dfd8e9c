import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isChangedMeanwhile } from '../../../src/core/files/changed-meanwhile.ts';
import { bytes, ReviewWorkspace, text } from '../../support/review/workspace.ts';

describe('the files as an agent has them while a person reviews', function () {
  this.timeout(60_000);

  let ws: ReviewWorkspace;
  const open = async (files: Parameters<typeof ReviewWorkspace.open>[0] = {}): Promise<void> => {
    ws = await ReviewWorkspace.open(files);
  };
  const names = async (folder = '.'): Promise<readonly string[]> =>
    (await ws.files.list(path.resolve(ws.root, folder)))
      .map(({ name, type }) => (type === 'directory' ? `${name}/` : name))
      .toSorted();
  const all = (name: string, kind: 'written' | 'proposed' = 'proposed') => ({
    kind,
    path: ws.at(name),
  });

  afterEach(async () => {
    await ws[Symbol.asyncDispose]();
  });

  describe('what is proposed', () => {
    it('reads, stats and lists as if it were written, and nothing of it is on disk', async () => {
      await open({ 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n' });
      await ws.write('propose', 'a.txt', 'one\nTWO and more\nthree\n');
      await ws.write('propose', 'new/deep/er/n.txt', 'new\n');
      await ws.delete('propose', 'b.txt');
      assert.equal(await ws.seen('a.txt'), 'one\nTWO and more\nthree\n');
      assert.equal((await ws.files.stat(ws.at('a.txt')))?.size, 23);
      assert.equal(text(await ws.files.readPart(ws.at('a.txt'), 4, 3)), 'TWO');
      assert.equal(text(await ws.files.readPart(ws.at('a.txt'), 90, 3)), '');
      assert.equal(await ws.seen('new/deep/er/n.txt'), 'new\n');
      assert.equal(await ws.seen('b.txt'), undefined);
      assert.deepEqual(await names(), ['a.txt', 'new/']);
      assert.deepEqual(await names('new'), ['deep/']);
      assert.deepEqual(await names('new/deep/er'), ['n.txt']);
      assert.equal((await ws.files.stat(ws.at('new/deep')))?.type, 'directory');
      assert.equal(await ws.files.realpath(ws.at('new/deep/er/n.txt')), ws.at('new/deep/er/n.txt'));
      await assert.rejects(ws.files.read(ws.at('b.txt')), { code: 'not_found' });
      await assert.rejects(ws.files.read(ws.at('a.txt'), 22), { code: 'invalid' });
      assert.deepEqual(readdirSync(ws.root).toSorted(), ['a.txt', 'b.txt']);
      assert.equal(ws.onDisk('a.txt'), 'one\ntwo\nthree\n');
      assert.deepEqual(ws.pending, [
        'proposed a.txt: -two +TWO and more',
        'proposed b.txt: delete',
        'proposed new/deep/er/n.txt: create',
      ]);
    });

    it('beside files that are there, in a folder that has some', async () => {
      await open({ 'src/a.txt': 'a\n', 'other/x.txt': 'x\n', 'src/x.txt': 'another x\n' });
      await ws.write('propose', 'src/n.txt', 'n\n');
      await ws.rename('propose', 'other/x.txt', 'src/y.txt');
      assert.deepEqual(await names('src'), ['a.txt', 'n.txt', 'x.txt', 'y.txt']);
      assert.deepEqual(await names('other'), []);
      assert.equal(await ws.seen('other/x.txt'), undefined);
      assert.equal(await ws.seen('src/y.txt'), 'x\n');
      assert.equal(ws.onDisk('src/y.txt'), undefined);
    });

    it('is nothing that could never be made: a file below a file', async () => {
      await open({ 'a.txt': 'a\n' });
      const below = { code: 'invalid', message: /a\.txt.* is a file/u };
      await assert.rejects(ws.write('propose', 'a.txt/x.txt', 'x\n'), below);
      await assert.rejects(ws.write('propose', 'a.txt/deep/x.txt', 'x\n'), below);
      await ws.write('propose', 'n', 'n\n');
      await assert.rejects(ws.write('propose', 'n/x.txt', 'x\n'), {
        code: 'invalid',
        message: /n is a file/u,
      });
      await assert.rejects(ws.rename('propose', 'a.txt', 'n/a.txt'), { code: 'invalid' });
      await ws.delete('propose', 'n');
      await ws.write('propose', 'n/x.txt', 'x\n');
      assert.deepEqual(ws.pending, ['proposed n/x.txt: create']);
    });

    it('goes through chains: made, edited, renamed, deleted; renamed and renamed back', async () => {
      await open({ 'a.txt': 'a\n' });
      await ws.write('propose', 'n.txt', 'one\n');
      await ws.write('propose', 'n.txt', 'one\ntwo\n');
      await ws.rename('propose', 'n.txt', 'm/o.txt');
      assert.equal(await ws.seen('n.txt'), undefined);
      assert.equal(await ws.seen('m/o.txt'), 'one\ntwo\n');
      assert.deepEqual(ws.pending, ['proposed m/o.txt: create'], 'it has no older name');
      await ws.delete('propose', 'm/o.txt');
      assert.deepEqual(ws.pending, []);
      assert.deepEqual(await names(), ['a.txt']);

      await ws.rename('propose', 'a.txt', 'b.txt');
      await ws.rename('propose', 'b.txt', 'c.txt');
      assert.deepEqual(ws.pending, ['proposed a.txt → c.txt:']);
      await ws.write('propose', 'c.txt', 'A\n');
      await ws.rename('propose', 'c.txt', 'a.txt');
      assert.deepEqual(ws.pending, ['proposed a.txt: -a +A']);
      assert.equal(await ws.seen('a.txt'), 'A\n');
      await ws.rename('propose', 'a.txt', 'b.txt');
      await ws.delete('propose', 'b.txt');
      assert.deepEqual(await names(), []);
      assert.deepEqual(ws.pending, ['proposed a.txt: delete'], 'by the name that it has on disk');
      await ws.reviews.decisions.accept(all('a.txt'));
      assert.equal(ws.onDisk('a.txt'), undefined);
      assert.deepEqual(ws.pending, []);
    });

    it('of a name that the disk still has: a change of what is there, beside a new file', async () => {
      await open({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
      await ws.rename('propose', 'a.txt', 'c.txt');
      await ws.write('propose', 'a.txt', 'new\n');
      assert.deepEqual(ws.pending, ['proposed a.txt: -a +new', 'proposed c.txt: create']);
      await ws.delete('propose', 'b.txt');
      await ws.rename('propose', 'c.txt', 'b.txt');
      assert.deepEqual(ws.pending, ['proposed a.txt: -a +new', 'proposed b.txt: -b +a']);
      await assert.rejects(ws.rename('propose', 'a.txt', 'b.txt'), {
        code: 'invalid',
        message: /something is there already/u,
      });
      await ws.reviews.decisions.reject(all('b.txt'));
      await ws.reviews.decisions.accept(all('a.txt'));
      assert.deepEqual([ws.onDisk('a.txt'), ws.onDisk('b.txt')], ['new\n', 'b\n']);
    });

    it('of a file that the person has typed in and not saved: their text is what it is about', async () => {
      await open({ 'a.txt': 'one\ntwo\n' });
      ws.disk.unsaved.set(ws.at('a.txt'), 'zero\none\ntwo\n');
      await ws.write('propose', 'a.txt', 'zero\none\nTWO\n');
      assert.deepEqual(ws.pending, ['proposed a.txt: -two +TWO']);
      await ws.reviews.decisions.accept(all('a.txt'));
      assert.equal(ws.disk.unsaved.get(ws.at('a.txt')), 'zero\none\nTWO\n');
      assert.equal(ws.onDisk('a.txt'), 'one\ntwo\n', 'their typing is not saved for them');
    });

    it('is not made of a text that is another one by now', async () => {
      await open({ 'a.txt': 'one\n' });
      const replaces = await ws.files.read(ws.at('a.txt'));
      await ws.outside('a.txt', 'changed\n');
      const options = { replaces, origin: ws.origin('propose') };
      await assert.rejects(
        ws.files.write(ws.at('a.txt'), bytes('ONE\n'), options),
        isChangedMeanwhile,
      );
      assert.deepEqual(ws.pending, []);
    });

    it('takes over what somebody else changes in the file, for the agent at once', async () => {
      await open({ 'a.txt': 'one\ntwo\nthree\nfour\n' });
      await ws.write('propose', 'a.txt', 'one\nTWO\nthree\nfour\n');
      await ws.outside('a.txt', 'one\ntwo\nthree\nfour\nfive\n');
      assert.equal(await ws.seen('a.txt'), 'one\nTWO\nthree\nfour\nfive\n');
      await ws.outside('a.txt', 'zero\none\ntwo\nthree\nfour\nfive\n');
      await ws.reviews.decisions.accept(all('a.txt'));
      assert.equal(ws.onDisk('a.txt'), 'zero\none\nTWO\nthree\nfour\nfive\n');
    });

    it('survives a restart', async () => {
      await open({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
      await ws.write('propose', 'a.txt', 'A\n');
      await ws.rename('propose', 'b.txt', 'c.txt');
      await ws.write('propose', 'd/n.txt', 'n\n');
      const before = ws.pending;
      await ws.restart();
      assert.deepEqual(ws.pending, before);
      assert.equal(await ws.seen('c.txt'), 'b\n');
      assert.deepEqual(await names(), ['a.txt', 'c.txt', 'd/']);
    });
  });

  describe('accepted byte for byte', () => {
    const western = (line: string): Uint8Array => new Uint8Array(Buffer.from(line, 'latin1'));
    const utf16 = (line: string): Uint8Array => {
      const made = Buffer.from(`\ufeff${line}`, 'utf16le');
      return new Uint8Array(made);
    };
    const cases: Readonly<Record<string, readonly [Uint8Array, Uint8Array]>> = {
      'CR LF': [bytes('one\r\ntwo\r\nthree\r\n'), bytes('one\r\nTWO\r\nthree\r\n')],
      'mixed line ends': [bytes('one\r\ntwo\nthree\r\n'), bytes('one\r\nTWO\nthree\r\n')],
      'a byte order mark': [bytes('\ufeffone\ntwo\n'), bytes('\ufeffone\nTWO\n')],
      'UTF-16': [utf16('one\r\ntwo ü\r\n'), utf16('one\r\nTWO ü\r\n')],
      'Windows-1252': [western('gr\u00fc\u00dfe\ntwo\n'), western('gr\u00fc\u00dfe\nTWO\n')],
      'no last line end': [bytes('one\ntwo'), bytes('one\nTWO')],
      'a last line end put in': [bytes('one\ntwo'), bytes('one\ntwo\n')],
      'a last line end taken away': [bytes('one\ntwo\n'), bytes('one\ntwo')],
      emptied: [bytes('one\ntwo\n'), bytes('')],
      filled: [bytes(''), bytes('one\n')],
    };
    for (const [name, [before, after]] of Object.entries(cases))
      it(`${name}: proposed, seen, accepted; written and rejected`, async () => {
        await open({ 'a.txt': before, 'b.txt': before });
        await ws.setMode('a.txt', 0o754);
        await ws.write('propose', 'a.txt', after);
        assert.deepEqual(await ws.files.read(ws.at('a.txt')), after);
        assert.deepEqual(ws.bytesOnDisk('a.txt'), before);
        await ws.restart();
        assert.deepEqual(new Uint8Array(await ws.files.read(ws.at('a.txt'))), after);
        await ws.reviews.decisions.accept(all('a.txt'));
        assert.deepEqual(ws.bytesOnDisk('a.txt'), after);
        assert.equal(await ws.mode('a.txt'), 0o754);

        await ws.write('write', 'b.txt', after);
        assert.deepEqual(ws.bytesOnDisk('b.txt'), after);
        await ws.reviews.decisions.reject(all('b.txt', 'written'));
        assert.deepEqual(ws.bytesOnDisk('b.txt'), before);
        assert.deepEqual(ws.pending, []);
      });
  });

  describe('after a yes', () => {
    it('nothing is pending of it, and what was pending stays so', async () => {
      await open({ 'a.txt': 'one\ntwo\nthree\nfour\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
      await ws.write('accepted', 'n.txt', 'n\n');
      await ws.write('write', 'a.txt', 'ONE\ntwo\nthree\nfour\n');
      await ws.write('accepted', 'a.txt', 'ONE\ntwo\nthree\nFOUR\n');
      assert.deepEqual(ws.pending, ['written a.txt: -one +ONE']);
      await ws.write('propose', 'a.txt', 'ONE\nTWO\nthree\nFOUR\n');
      await ws.rename('accepted', 'a.txt', 'd.txt');
      assert.deepEqual(ws.pending, ['written d.txt: -one +ONE', 'proposed d.txt: -two +TWO']);
      assert.equal(ws.onDisk('d.txt'), 'ONE\ntwo\nthree\nFOUR\n');
      await ws.write('propose', 'b.txt', 'B\n');
      await ws.write('write', 'c.txt', 'C\n');
      await ws.delete('accepted', 'b.txt');
      await ws.delete('accepted', 'c.txt');
      await ws.delete('accepted', 'd.txt');
      assert.deepEqual(ws.pending, []);
      assert.deepEqual(readdirSync(ws.root), ['n.txt']);
      await ws.restart();
      assert.deepEqual([ws.pending, ws.reviews.decisions.offers], [[], []]);
    });

    it('of what is only proposed: renamed as a proposal, forgotten when it is deleted', async () => {
      await open({ 'a.txt': 'a\n' });
      await ws.write('propose', 'n.txt', 'n\n');
      await ws.rename('accepted', 'n.txt', 'm.txt');
      assert.deepEqual(ws.pending, ['proposed m.txt: create']);
      await ws.delete('accepted', 'm.txt');
      await ws.rename('propose', 'a.txt', 'b.txt');
      await ws.delete('accepted', 'b.txt');
      assert.deepEqual(ws.pending, []);
      assert.deepEqual(readdirSync(ws.root), []);
    });
  });

  it('what has no origin is nobody’s to review', async () => {
    await open({ 'a.txt': 'a\n' });
    await ws.files.write(ws.at('a.txt'), bytes('b\n'));
    await ws.files.rename(ws.at('a.txt'), ws.at('b.txt'));
    assert.equal(ws.onDisk('b.txt'), 'b\n');
    await ws.files.delete(ws.at('b.txt'));
    assert.deepEqual(ws.pending, []);
  });

  it('a file that the agent made, that was accepted and that the person deleted, is made anew', async () => {
    await open();
    await ws.write('write', 'n.txt', 'one\n');
    await ws.reviews.decisions.accept(all('n.txt', 'written'));
    rmSync(ws.at('n.txt'));
    await ws.reviews.files.fileChanged(ws.at('n.txt'));
    await ws.write('write', 'n.txt', 'two\n');
    assert.deepEqual(ws.pending, ['written n.txt: create']);
    await ws.reviews.decisions.reject(all('n.txt', 'written'));
    assert.equal(ws.onDisk('n.txt'), undefined);
  });

  it('a folder that the person renames takes all along', async () => {
    await open({ 'src/a.txt': 'a\n', 'src/b.txt': 'b\n', 'src/c.txt': 'c\n' });
    await ws.write('write', 'src/a.txt', 'A\n');
    await ws.write('propose', 'src/b.txt', 'B\n');
    await ws.rename('propose', 'src/c.txt', 'src/d.txt');
    await ws.disk.rename(ws.at('src'), ws.at('lib'));
    ws.reviews.files.fileRenamed(ws.at('src'), ws.at('lib'));
    assert.deepEqual(ws.pending, [
      'written lib/a.txt: -a +A',
      'proposed lib/b.txt: -b +B',
      'proposed lib/c.txt → src/d.txt:',
    ]);
    mkdirSync(ws.at('src'));
    for (const { kind, review } of ws.reviews.pending)
      await ws.reviews.decisions.accept({ kind, path: review.path });
    assert.equal(ws.onDisk('lib/b.txt'), 'B\n');
    assert.equal(ws.onDisk('src/d.txt'), 'c\n');
  });

  it('a decision and an agent at the same file: neither is lost', async () => {
    await open({ 'a.txt': 'one\ntwo\nthree\n' });
    await ws.write('propose', 'a.txt', 'ONE\ntwo\nthree\n');
    const replaces = await ws.files.read(ws.at('a.txt'));
    let writing: Promise<void> | undefined;
    ws.disk.before = () => {
      // The agent writes while the file is being written for the acceptance.
      writing ??= ws.files.write(ws.at('a.txt'), bytes('ONE\ntwo\nTHREE\n'), {
        replaces,
        origin: ws.origin('propose'),
      });
    };
    await ws.reviews.decisions.accept(all('a.txt'));
    await writing;
    assert.equal(ws.onDisk('a.txt'), 'ONE\ntwo\nthree\n');
    assert.deepEqual(ws.pending, ['proposed a.txt: -three +THREE']);
  });
});
