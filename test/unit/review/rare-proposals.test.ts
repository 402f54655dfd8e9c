import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { textContent } from '../../../src/core/review/model/file-review.ts';
import { LARGEST_MADE } from '../../../src/core/review/model/proposed-bytes.ts';
import { BelayError } from '../../../src/domain/failure.ts';
import { inEnglish } from '../../../src/domain/text/told.ts';
import { MemoryWorkspace } from '../../support/review/memory-workspace.ts';
import { bytes, ReviewWorkspace } from '../../support/review/workspace.ts';

const diskFails = new BelayError({ code: 'tool', message: 'The disk is full.' });

describe('files that an agent proposes or writes in rare moments', function () {
  this.timeout(60_000);

  let ws: ReviewWorkspace;
  const open = async (files: Parameters<typeof ReviewWorkspace.open>[0] = {}): Promise<void> => {
    ws = await ReviewWorkspace.open(files);
  };
  const options = (how: 'propose' | 'write' = 'propose') => ({ origin: ws.origin(how) });
  const rename = (from: string, to: string): Promise<void> =>
    ws.operations.rename(ws.at(from), ws.at(to), options());
  const copy = (from: string, to: string, signal = new AbortController().signal): Promise<void> =>
    ws.operations.copy(ws.at(from), ws.at(to), signal, options());
  /** A file of so many bytes that takes no room. */
  const sparse = (name: string, size: number): void => {
    writeFileSync(ws.at(name), '');
    truncateSync(ws.at(name), size);
  };
  afterEach(async () => {
    await ws[Symbol.asyncDispose]();
  });

  it('what the person types into a proposal while it is being made anew is not written over', async () => {
    await open({ 'a.txt': 'one\ntwo\n' });
    await ws.write('propose', 'a.txt', 'ONE\ntwo\n');
    const replaces = await ws.files.read(ws.at('a.txt'));
    const types = (text: string): void => {
      const stat = ws.disk.stat.bind(ws.disk);
      ws.disk.stat = (file) => {
        ws.disk.stat = stat;
        ws.reviews.files.proposalEdited(ws.at('a.txt'), textContent(text));
        return stat(file);
      };
    };
    types('ONE\nmine\ntwo\n');
    await assert.rejects(
      ws.files.write(ws.at('a.txt'), bytes('1\ntwo\n'), { replaces, ...options() }),
      /a\.txt was changed by something else/u,
    );
    assert.equal(await ws.seen('a.txt'), 'ONE\nmine\ntwo\n');
    types('ONE\nyours\ntwo\n');
    await assert.rejects(ws.delete('propose', 'a.txt'), /was changed by something else/u);
    assert.equal(await ws.seen('a.txt'), 'ONE\nyours\ntwo\n');
  });

  it('below a proposed file that is a folder on disk by now things can be; a disk that fails is told', async () => {
    await open();
    await ws.write('propose', 'n', 'n\n');
    mkdirSync(ws.at('n'));
    await ws.write('propose', 'n/x.txt', 'x\n');
    assert.ok(ws.pending.includes('proposed n/x.txt: create'));
    const folder = ws.at('deep');
    const stat = ws.disk.stat.bind(ws.disk);
    ws.disk.stat = (file) => (file === folder ? Promise.reject(diskFails) : stat(file));
    await assert.rejects(ws.write('propose', 'deep/x.txt', 'x\n'), diskFails);
  });

  it('a file of which only the size is known is moved by its name, and not copied', async () => {
    await open({ 'b.txt': 'b\n' });
    sparse('large', 101 * 1024 * 1024);
    const tooLarge = { code: 'invalid', message: /large has 105,906,176 bytes/u };
    await assert.rejects(copy('large', 'copied'), tooLarge);
    await ws.delete('propose', 'b.txt');
    await assert.rejects(rename('large', 'b.txt'), tooLarge);
    await rename('large', 'moved');
    assert.deepEqual(ws.pending, ['proposed b.txt: delete', 'proposed large → moved:']);
  });

  it('of copies that are too large it is said before; all of a folder is proposed, or nothing', async () => {
    await open({ 'src/a.txt': 'a\n', 'lib/b.bin': '', 'c.txt': 'c\n' });
    const why = async (what: 'copy' | 'rename', name: string): Promise<string> => {
      const told = await ws.operations.unproposable(what, ws.at(name));
      return told === undefined ? '' : inEnglish(told);
    };
    sparse('src/b.bin', LARGEST_MADE);
    assert.equal(await why('copy', 'src'), '');
    sparse('src/b.bin', LARGEST_MADE + 1);
    assert.match(await why('copy', 'src'), /b\.bin is too large/u);
    assert.equal(await why('rename', 'src'), '');
    await assert.rejects(copy('src', 'copied'), { code: 'invalid', message: /b\.bin has/u });
    assert.deepEqual(ws.pending, []);
    const stop = new AbortController();
    stop.abort();
    await assert.rejects(copy('c.txt', 'd.txt', stop.signal), { name: 'AbortError' });
    assert.deepEqual(ws.pending, []);
    // Its second file cannot have the name: what has it on disk is too large to be made anew elsewhere.
    sparse('lib/b.bin', LARGEST_MADE + 1);
    await rename('lib', 'away');
    await assert.rejects(rename('src', 'lib'), {
      code: 'invalid',
      message: /lib\/b\.bin has a file/u,
    });
    assert.deepEqual(ws.pending, ['proposed lib/b.bin → away/b.bin:']);
  });

  it('a folder is made when it is written, and proposed with its first file', async () => {
    await open({ 'a.txt': 'a\n' });
    assert.deepEqual(await ws.operations.createFolder(ws.at('n'), options()), []);
    assert.equal(existsSync(ws.at('n')), false);
    await assert.rejects(ws.operations.createFolder(ws.at('a.txt'), options()), {
      code: 'invalid',
    });
    await ws.operations.createFolder(ws.at('n'), options('write'));
    assert.equal(existsSync(ws.at('n')), true);
  });

  it('a name that differs by its case alone is of one file: nothing new gets the old one', async () => {
    await open({ 'readme.md': 'r\n' });
    await rename('readme.md', 'README.md');
    await assert.rejects(ws.write('propose', 'readme.md', 'new\n'), /has a file on disk until/u);
    assert.deepEqual(ws.pending, ['proposed readme.md → README.md:']);
  });

  it('written over what is another file by now: it says if it was changed or is gone', async () => {
    await open({ 'a.txt': 'one\n' });
    const replaces = await ws.files.read(ws.at('a.txt'));
    const write = (): Promise<void> =>
      ws.files.write(ws.at('a.txt'), bytes('ONE\n'), { replaces, ...options('write') });
    await ws.outside('a.txt', 'other\n');
    await assert.rejects(write(), /a\.txt was changed by/u);
    rmSync(ws.at('a.txt'));
    await assert.rejects(write(), /a\.txt was deleted or moved by/u);
    assert.deepEqual(ws.pending, []);
  });

  it('a move to where something is pending that fails leaves both as they were', async () => {
    await open({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    await ws.delete('write', 'b.txt');
    await ws.write('write', 'a.txt', 'A\n');
    const before = ws.pending;
    Object.assign(ws.operationsOnDisk, { rename: () => Promise.reject(diskFails) });
    await assert.rejects(
      ws.operations.rename(ws.at('a.txt'), ws.at('b.txt'), options('write')),
      diskFails,
    );
    assert.deepEqual(ws.pending, before);
    await ws.restart();
    assert.deepEqual(ws.pending, before);
  });

  it('takes a proposal along whose lines are those of the file, for what else it is made of', async () => {
    await open({ 'a.txt': 'one\ntwo\n' });
    await ws.write('propose', 'a.txt', 'one\r\ntwo\r\n');
    await ws.write('write', 'a.txt', 'one\r\nTWO\r\n');
    assert.equal(ws.onDisk('a.txt'), 'one\r\nTWO\r\n');
    assert.deepEqual(ws.pending, ['written a.txt: -two +TWO']);
  });
});

describe('files on a disk that minds no case', () => {
  const open = (files: Readonly<Record<string, string>>): MemoryWorkspace => {
    const ws = new MemoryWorkspace(files);
    const stat = ws.files.stat.bind(ws.files);
    const onDisk = (path: string): string =>
      [...ws.files.contents.keys()].find((one) => one.toLowerCase() === path.toLowerCase()) ?? path;
    Object.assign(ws.files, {
      stat: (path: string) => stat(onDisk(path)),
      realpath: async (path: string) => (path === '/link' ? '/target' : onDisk(path)),
    });
    return ws;
  };

  it('a file gets its own name in another case, also after another one; a name of another file is taken', async () => {
    const ws = open({ '/readme': 'r\n', '/a': 'a\n' });
    await ws.rename('propose', '/readme', '/README');
    assert.deepEqual(ws.pending, ['proposed /readme → /README: ']);
    await ws.rename('propose', '/README', '/x');
    await ws.rename('propose', '/x', '/ReadMe');
    assert.deepEqual(ws.pending, ['proposed /readme → /ReadMe: ']);
    const other = open({ '/readme': 'r\n', '/a': 'a\n' });
    await assert.rejects(other.rename('propose', '/a', '/README'), /something is there already/u);
    await other.rename('propose', '/a', '/b');
    await assert.rejects(other.rename('propose', '/b', '/README'), /something is there already/u);
  });

  it('a proposed name in another case is where it is; what else is another place is that', async () => {
    const ws = open({ '/readme': 'r\n', '/other': 'o\n', '/target': 't\n' });
    await ws.rename('propose', '/readme', '/README');
    assert.deepEqual(
      await Promise.all(['/README', '/OTHER', '/link'].map((path) => ws.agent.realpath(path))),
      ['/README', '/other', '/target'],
    );
    await ws.write('propose', '/link', 'l\n');
    assert.equal(await ws.agent.realpath('/link'), '/target', 'a link is followed');
  });
});
