import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { UnfinishedWrites } from '../../src/hosts/node/files/unfinished-writes.ts';
import { HeadlessPlace } from '../support/headless/place.ts';
import { say } from '../support/model-server/turn.ts';

const FILE_SYSTEM = fileURLToPath(
  new URL('../../src/hosts/node/files/file-system.ts', import.meta.url),
);
const NOTES = fileURLToPath(
  new URL('../../src/hosts/node/files/unfinished-writes.ts', import.meta.url),
);

/** Writes a big file again and again until it is killed. */
const WRITER = `
  const [folder, notes] = process.argv.slice(1);
  const { NodeFileSystem } = await import(${JSON.stringify(FILE_SYSTEM)});
  const { UnfinishedWrites } = await import(${JSON.stringify(NOTES)});
  const files = new NodeFileSystem(new UnfinishedWrites(notes));
  for (let round = 0; ; round += 1)
    await files.write(folder + '/big.txt', Buffer.alloc(20_000_000, round));
`;

const left = (folder: string): string[] =>
  fs.readdirSync(folder).filter((name) => name.endsWith('.tmp'));

describe('a kill in the middle of writing a file', function () {
  this.timeout(60_000);

  it('what stays beside the file is removed at the next start, and nothing else', async () => {
    await using place = await HeadlessPlace.make(() => say('Hello.'));
    const notes = path.join(place.data, 'unfinished');
    for (let round = 0; left(place.workspace).length === 0; round += 1) {
      assert.ok(round < 50, 'no kill came in the middle of a write');
      const args = ['--input-type=module', '-e', WRITER, place.workspace, notes];
      const child = spawn(process.execPath, args, { stdio: 'ignore' });
      while (left(place.workspace).length === 0 && child.exitCode === null)
        await new Promise((resolve) => setTimeout(resolve, 1));
      child.kill('SIGKILL');
      await once(child, 'close');
    }
    await place.write('.belay-mine.tmp', 'the person’s own');
    await place.write('.belay-0123456789abcdef.tmp', 'of nobody who noted it');
    assert.equal((await place.run('--prompt hi')).code, 0);
    assert.deepEqual(left(place.workspace).toSorted(), [
      '.belay-0123456789abcdef.tmp',
      '.belay-mine.tmp',
    ]);
    assert.deepEqual(fs.readdirSync(notes), []);
  });

  it('a note that is damaged, or that somebody made, removes nothing', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'belay-notes-'));
    try {
      const notes = path.join(folder, 'notes');
      fs.mkdirSync(notes);
      const kept = path.join(folder, 'kept.txt');
      fs.writeFileSync(kept, 'text');
      const inside = path.join(folder, '.belay-0123456789abcdef.tmp');
      fs.mkdirSync(inside);
      fs.writeFileSync(path.join(notes, '999999999-a'), kept);
      fs.writeFileSync(path.join(notes, '999999999-b'), inside);
      fs.writeFileSync(path.join(notes, '999999999-c'), Buffer.alloc(100, 0xa5));
      fs.mkdirSync(path.join(notes, '999999999-d'));
      fs.symlinkSync('/nowhere', path.join(notes, 'e'));
      assert.deepEqual(await new UnfinishedWrites(notes).clean(), []);
      assert.ok(fs.existsSync(kept) && fs.existsSync(inside));
      assert.deepEqual(fs.readdirSync(notes), [], 'what says nothing is gone');
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
});
