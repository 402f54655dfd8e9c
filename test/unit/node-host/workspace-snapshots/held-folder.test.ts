import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { HeldFolder } from '../../../../src/hosts/node/workspace-snapshots/held-folder.ts';
import {
  leafBelow,
  readRegular,
  writeLeaf,
} from '../../../../src/hosts/node/workspace-snapshots/leaf-files.ts';
import { ObjectStore } from '../../../../src/hosts/node/workspace-snapshots/object-store.ts';
import { Owners } from '../../../../src/hosts/node/workspace-snapshots/owners.ts';
import { isRepositoryName } from '../../../../src/hosts/node/workspace-snapshots/repository-name.ts';
import { Restores } from '../../../../src/hosts/node/workspace-snapshots/restore.ts';

const text = (content: string) =>
  ({ kind: 'file', bytes: Buffer.from(content), mode: 0o644 }) as const;

describe('a restore in a place that somebody exchanges', () => {
  let folder: string;
  let root: string;
  let outside: string;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-held-')));
    [root, outside] = [path.join(folder, 'ws'), path.join(folder, 'outside')];
    mkdirSync(path.join(root, 'a/b'), { recursive: true });
    mkdirSync(path.join(outside, 'b'), { recursive: true });
    writeFileSync(path.join(root, 'a/b/f.txt'), 'inside\n');
    writeFileSync(path.join(outside, 'b/f.txt'), 'secret\n');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const exchange = (): void => {
    renameSync(path.join(root, 'a'), path.join(root, 'away'));
    symlinkSync(outside, path.join(root, 'a'));
  };

  it('stays in the folder that was looked at, when a link is put in its place a moment later', function () {
    // Elsewhere a folder cannot be used by its handle: there it is looked at again and refused.
    if (process.platform !== 'linux') this.skip();
    HeldFolder.within(root, 'a/b/f.txt', 'stop', (held) => {
      exchange();
      writeLeaf(held.at('new.txt'), text('new\n'));
      renameSync(held.at('new.txt'), held.at('f.txt'));
    });
    assert.equal(readFileSync(path.join(outside, 'b/f.txt'), 'utf8'), 'secret\n');
    assert.deepEqual(readdirSync(path.join(outside, 'b')), ['f.txt']);
    assert.equal(readFileSync(path.join(root, 'away/b/f.txt'), 'utf8'), 'new\n');
  });

  it('reads and writes nothing behind a link on the way, at any depth', () => {
    exchange();
    assert.throws(() => leafBelow(root, 'a/b/f.txt'), { code: 'permission' });
    const storage = path.join(folder, 'storage');
    const objects = new ObjectStore(storage, 'one');
    const restores = new Restores(objects, storage, new Owners(storage, 'one'));
    const steps = [{ path: 'a/b/f.txt', from: text('secret\n'), to: text('evil\n') }];
    const { folders, left } = restores.restore([{ root, steps }], null);
    assert.deepEqual([folders.length, left.length], [0, 1]);
    assert.equal(readFileSync(path.join(outside, 'b/f.txt'), 'utf8'), 'secret\n');
    assert.deepEqual(
      readdirSync(storage).filter((name) => name.endsWith('.json')),
      [],
    );
    objects.close();
  });

  it('never waits for a pipe that was put in the place of a file, and leaves it there', () => {
    const at = path.join(root, 'a/b/f.txt');
    rmSync(at);
    execFileSync('mkfifo', [at]);
    assert.deepEqual(leafBelow(root, 'a/b/f.txt'), { kind: 'other', what: 'special' });
    assert.equal(readRegular(at, 1000), undefined);
    const storage = path.join(folder, 'storage');
    const objects = new ObjectStore(storage, 'one');
    const restores = new Restores(objects, storage, new Owners(storage, 'one'));
    const steps = [{ path: 'a/b/f.txt', from: text('inside\n'), to: text('before\n') }];
    assert.equal(restores.restore([{ root, steps }], null).left.length, 1);
    assert.ok(lstatSync(at).isFIFO());
    objects.close();
  });

  it('knows the folder of a repository by every name that a file system takes for it', () => {
    for (const name of [
      '.git',
      '.GIT',
      '.git ',
      '.git.',
      'git~1',
      'GIT~2',
      '.g\u200cit',
      '.hg',
      '.svn',
      '.jj',
    ])
      assert.ok(isRepositoryName(name), JSON.stringify(name));
    assert.ok(isRepositoryName('.git::$INDEX_ALLOCATION'));
    for (const name of ['.github', '.gitignore', 'git', '.gitmodules', 'x.git'])
      assert.ok(!isRepositoryName(name), name);
    assert.throws(() => leafBelow(root, 'sub/.Git./config'), { code: 'permission' });
    assert.ok(!existsSync(path.join(root, 'sub')));
  });
});
