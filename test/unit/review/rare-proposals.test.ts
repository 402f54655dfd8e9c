import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import type { ChangeOrigin } from '../../../src/core/ports/files/change-origin.ts';
import { textContent } from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
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
  const options = (how: ChangeOrigin['how'] = 'propose') => ({ origin: ws.origin(how) });
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
    writeFileSync(ws.at('src/b.bin'), new Uint8Array([0x89, 0]));
    await assert.rejects(copy('src', 'src/deep'), { code: 'invalid' });
    await copy('src', 'copied');
    assert.deepEqual(ws.pending, [
      'proposed copied/a.txt: create',
      'proposed copied/b.bin: binary',
    ]);
    for (const name of ['copied/a.txt', 'copied/b.bin'])
      await ws.reviews.decisions.reject({ kind: 'proposed', path: ws.at(name) });
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

  it('what the agent proposed to delete is not there to be moved, whatever the person says yes to', async () => {
    await open({ 'a.txt': 'a\n' });
    await ws.delete('propose', 'a.txt');
    await assert.rejects(ws.rename('accepted', 'a.txt', 'b.txt'), { code: 'not_found' });
    assert.equal(ws.onDisk('a.txt'), 'a\n');
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

  for (const how of ['write', 'propose'] as const)
    it(`over what is another file by now: it says if it was changed or is gone: ${how}`, async () => {
      await open({ 'a.txt': 'one\n' });
      const replaces = await ws.files.read(ws.at('a.txt'));
      const write = (): Promise<void> =>
        ws.files.write(ws.at('a.txt'), bytes('ONE\n'), { replaces, ...options(how) });
      await ws.outside('a.txt', 'other\n');
      await assert.rejects(write(), /a\.txt was changed by/u);
      rmSync(ws.at('a.txt'));
      await assert.rejects(write(), /a\.txt was deleted or moved by/u);
      assert.deepEqual(ws.pending, []);
    });

  it('what is not there is neither moved, copied nor deleted', async () => {
    await open();
    const gone = { code: 'not_found' };
    await assert.rejects(rename('a.txt', 'b.txt'), gone);
    await assert.rejects(copy('a.txt', 'b.txt'), gone);
    await assert.rejects(ws.operations.remove(ws.at('a.txt'), options()), gone);
    assert.equal(await ws.operations.unproposable('copy', ws.at('a.txt')), undefined);
  });

  it('read as far as is asked for, with what is known of a file that is made', async () => {
    await open({ 'a.txt': 'a\n' });
    await ws.write('propose', 'n/n.txt', 'new\n');
    for (const most of [4, 5])
      assert.equal((await ws.files.read(ws.at('n/n.txt'), most)).length, 4);
    await assert.rejects(ws.files.read(ws.at('n/n.txt'), 3), { code: 'invalid' });
    const modifiedAt = ws.clock.now();
    const made = { modifiedAt, readOnly: false };
    assert.deepEqual(await ws.files.stat(ws.at('n/n.txt')), { ...made, type: 'file', size: 4 });
    assert.deepEqual(await ws.files.stat(ws.at('n')), { ...made, type: 'directory', size: 0 });
  });

  it('a name is what it is for the agent: a folder where a file was, a file where a folder is', async () => {
    await open({ n: 'n\n', 'a.txt': 'a\n', 'src/b.txt': 'b\n' });
    const looked = async (name: string): Promise<readonly [string | undefined, boolean]> => {
      const entry = await ws.operations.lookUp(ws.at(name));
      return [entry?.type, entry?.id.startsWith('proposed:') === true];
    };
    await ws.delete('propose', 'n');
    await ws.write('propose', 'n/x.txt', 'x\n');
    await ws.write('propose', 'a.txt', 'A\n');
    await ws.write('propose', 'src/n.txt', 'n\n');
    assert.equal((await ws.files.stat(ws.at('src')))?.type, 'directory');
    await ws.write('propose', 'm', 'm\n');
    mkdirSync(ws.at('m'));
    assert.deepEqual(await Promise.all(['n', 'a.txt', 'src', 'm', 'none'].map(looked)), [
      ['directory', true],
      ['file', false],
      ['directory', false],
      ['file', true],
      [undefined, false],
    ]);
  });

  it('programs stay programs: copied, or made a new file because another one gets their name', async () => {
    await open({ 'a.sh': '#!/bin/sh\n', 'b.sh': '#!/bin/sh\n' });
    await ws.setMode('a.sh', 0o755);
    await ws.setMode('b.sh', 0o645);
    await copy('a.sh', 'c.sh');
    await copy('b.sh', 'd.sh');
    await rename('a.sh', 'e.sh');
    await ws.write('propose', 'a.sh', 'new\n');
    for (const { review } of ws.reviews.pending)
      await ws.reviews.decisions.accept({ kind: 'proposed', path: review.path });
    assert.deepEqual(
      await Promise.all(['c.sh', 'd.sh', 'e.sh'].map((name) => ws.mode(name))),
      [0o755, 0o645, 0o755],
    );
  });

  it('a folder that is moved goes with its last file, whatever became of the others', async () => {
    await open({ 'src/a.txt': 'a\n', 'src/b.txt': 'b\n', 'c.txt': 'c\n' });
    const folder = (name: string): string | undefined =>
      ws.reviews.find('proposed', ws.at(name))?.folder?.slice(ws.root.length + 1);
    await rename('c.txt', 'd.txt');
    assert.equal(folder('d.txt'), undefined);
    await rename('src', 'one');
    await ws.write('propose', 'one/a.txt', 'A\n');
    await rename('one', 'src');
    assert.deepEqual([ws.pending.length, folder('src/a.txt')], [2, undefined]);
    await rename('src', 'one');
    await rename('one', 'two');
    assert.equal(folder('two/b.txt'), 'src');
    await ws.write('propose', 'src/a.txt', 'new\n');
    await ws.operations.rename(ws.at('src/a.txt'), ws.at('e.txt'), options());
    for (const name of ['two/b.txt', 'e.txt'])
      await ws.reviews.decisions.accept({ kind: 'proposed', path: ws.at(name) });
    assert.deepEqual([ws.onDisk('e.txt'), existsSync(ws.at('src'))], ['new\n', false]);
  });

  it('line ends are of the call that changed them, whatever lines the next one changes; bytes say nothing of them', async () => {
    await open({ 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n' });
    await ws.write('propose', 'a.txt', 'one\r\ntwo\r\n');
    await ws.write('propose', 'a.txt', 'one\r\nTWO\r\n');
    const review = ws.reviews.find('proposed', ws.at('a.txt')) ?? assert.fail();
    const [form, line] = hunksOf(review);
    assert.deepEqual([form?.kind, line?.kind], ['form', 'change']);
    assert.ok(Number(form?.by[0]?.callId.slice(5)) < Number(line?.by[0]?.callId.slice(5)));
    await ws.write('propose', 'b.txt', new Uint8Array([0x89, 0]));
    assert.equal(ws.reviews.find('proposed', ws.at('b.txt'))?.proposedBytes?.says, undefined);
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

  it('takes a proposal along as its last author’s; what the file is already is not written', async () => {
    await open({ 'a.txt': 'one\ntwo\nthree\nfour\nfive\n', 'b.txt': 'b\n' });
    await ws.write('propose', 'a.txt', 'ONE\ntwo\nthree\nfour\nfive\n');
    await ws.clock.advance(10);
    await ws.write('propose', 'a.txt', 'ONE\ntwo\nTHREE\nfour\nfive\n');
    const proposed = ws.reviews.find('proposed', ws.at('a.txt')) ?? assert.fail();
    const [, last] = hunksOf(proposed).map(({ by }) => by[0]?.callId);
    ws.reviews.files.proposalEdited(
      ws.at('a.txt'),
      textContent('ONE\ntwo\nTHREE\nfour\nmine\nfive\n'),
    );
    await ws.clock.advance(10);
    const written: string[] = [];
    ws.disk.after = (file) => void written.push(file);
    const write = ws.disk.write.bind(ws.disk);
    ws.disk.write = (file, content, given) => {
      assert.equal(given?.exact, true, 'never through a link that came since');
      return write(file, content, given);
    };
    await ws.write('write', 'a.txt', 'ONE\ntwo\nTHREE\nfour\nmine\nFIVE\n');
    const review = ws.reviews.find('written', ws.at('a.txt')) ?? assert.fail();
    const authors = hunksOf(review).map(({ by }) => by[0]?.callId);
    assert.deepEqual([authors[0], authors[1]], [last, last]);
    assert.equal(review.kept, undefined, 'lines are enough');
    assert.equal(written.length, 2);
    await ws.write('propose', 'b.txt', 'b\r\n');
    await ws.outside('b.txt', 'b\r\n');
    written.length = 0;
    await ws.write('write', 'b.txt', 'b\r\nmore\r\n');
    assert.equal(written.length, 1);
  });

  it('what the person typed into a proposal is theirs, where a file became another one unnoticed, too', async () => {
    const lines = Array.from({ length: 9 }, (_, index) => `${index}\n`).join('');
    await open({ 'a.txt': lines });
    await ws.write('propose', 'a.txt', lines.replace('2\n', 'two\n'));
    const typed = lines.replace('2\n', 'two\nmine\n');
    ws.reviews.files.proposalEdited(ws.at('a.txt'), textContent(typed));
    await ws.outside('a.txt', `top\ntop\ntop\n${lines}`);
    const made = bytes(`top\ntop\ntop\n${typed.replace('8', 'eight')}`);
    const replaces = bytes(`top\ntop\ntop\n${typed}`);
    await ws.files.write(ws.at('a.txt'), made, { replaces, ...options('write') });
    const review = ws.reviews.find('written', ws.at('a.txt')) ?? assert.fail();
    assert.deepEqual(
      hunksOf(review).map(({ added, editedByUser }) => [added, editedByUser]),
      [
        [['two', 'mine'], true],
        [['eight'], false],
      ],
    );
  });

  it('a file that is proposed to be changed and moved is taken along as the last author’s', async () => {
    await open({ 'a.txt': 'one\ntwo\nthree\n' });
    await ws.write('propose', 'a.txt', 'ONE\ntwo\nthree\n');
    await ws.clock.advance(10);
    await rename('a.txt', 'b.txt');
    const last = ws.reviews.find('proposed', ws.at('b.txt'))?.wholeFileBy.at(-1)?.callId;
    await ws.write('write', 'b.txt', 'ONE\ntwo\nTHREE\n');
    const review = ws.reviews.find('written', ws.at('b.txt')) ?? assert.fail();
    assert.deepEqual(hunksOf(review)[0]?.by.at(-1)?.callId, last);
  });

  it('what is pending stays so, and is stored, when a yes moves its file, or a formatter goes over it', async () => {
    await open({ 'a.txt': 'one\ntwo\nthree\n' });
    await ws.write('write', 'a.txt', 'ONE\ntwo\nthree\n');
    await ws.operations.rename(ws.at('a.txt'), ws.at('b.txt'), options('accepted'));
    await ws.restart();
    assert.deepEqual(ws.pending, ['written b.txt: -one +ONE']);
    ws.disk.after = (file) => writeFileSync(file, 'ONE;\ntwo;\nTHREE;\n');
    await ws.write('accepted', 'b.txt', 'ONE\ntwo\nTHREE\n');
    assert.deepEqual(ws.pending, ['written b.txt: -one +ONE;']);
  });

  it('bytes that became a text come back as they were', async () => {
    await open();
    writeFileSync(ws.at('i'), new Uint8Array([0x89, 0]));
    await ws.write('write', 'i', 'text\n');
    await ws.reviews.decisions.reject({ kind: 'written', path: ws.at('i') });
    assert.deepEqual(ws.bytesOnDisk('i'), new Uint8Array([0x89, 0]));
  });
});

describe('what an agent proposes while something is decided', () => {
  it('at the old name of a file waits for what is decided about its new one', async () => {
    const ws = new MemoryWorkspace({ '/a': 'a\n' });
    await ws.rename('propose', '/a', '/b');
    const deciding = Promise.withResolvers<void>();
    const decided = ws.reviews.files.inTurn('/b', () => deciding.promise);
    let isDone = false;
    const writing = ws.write('propose', '/a', 'new\n').then(() => (isDone = true));
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isDone, false);
    deciding.resolve();
    await Promise.all([decided, writing]);
    assert.deepEqual(ws.pending, ['proposed /a: -a +new', 'proposed /b: +a +']);
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
