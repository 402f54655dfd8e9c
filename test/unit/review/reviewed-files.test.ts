import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { bytes, ReviewWorkspace } from '../../support/review/workspace.ts';

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
  const all = (name: string) => ({ path: ws.at(name) });

  afterEach(async () => {
    await ws[Symbol.asyncDispose]();
  });

  describe('are undone byte for byte', () => {
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
      it(name, async () => {
        await open({ 'a.txt': before });
        await ws.files.write(ws.at('a.txt'), after, { origin: ws.origin('write') });
        await ws.reviews.decisions.undo(all('a.txt'));
        assert.deepEqual(ws.bytesOnDisk('a.txt'), before);
      });
  });

  it('what the user approved counts as kept, and is not pending', async () => {
    await open({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    await ws.write('accepted', 'a.txt', 'A\n');
    const origin = ws.origin('accepted');
    await ws.files.delete(ws.at('b.txt'), { origin });
    await ws.files.rename(ws.at('c.txt'), ws.at('d.txt'), { origin });
    assert.deepEqual(ws.pending, []);
    assert.deepEqual(await names(), ['a.txt', 'd.txt']);
    assert.equal(ws.onDisk('a.txt'), 'A\n');
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
    await ws.reviews.decisions.keep(all('n.txt'));
    rmSync(ws.at('n.txt'));
    await ws.reviews.files.fileChanged(ws.at('n.txt'));
    await ws.write('write', 'n.txt', 'two\n');
    assert.deepEqual(ws.pending, ['n.txt: create']);
    await ws.reviews.decisions.undo(all('n.txt'));
    assert.equal(ws.onDisk('n.txt'), undefined);
  });
});
