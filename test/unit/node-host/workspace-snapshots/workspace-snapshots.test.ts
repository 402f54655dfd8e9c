import { inEnglish } from '../../../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type {
  RestoredFolders,
  RestoreStep,
} from '../../../../src/core/ports/files/workspace-snapshots.ts';
import { leafBelow } from '../../../../src/hosts/node/workspace-snapshots/leaf-files.ts';
import { ObjectStore } from '../../../../src/hosts/node/workspace-snapshots/object-store.ts';
import { Owners } from '../../../../src/hosts/node/workspace-snapshots/owners.ts';
import { Restores } from '../../../../src/hosts/node/workspace-snapshots/restore.ts';
import { Snapshooter } from '../../../../src/hosts/node/workspace-snapshots/snapshot.ts';
import type {
  FolderSnapshot,
  SnapshotRules,
} from '../../../../src/hosts/node/workspace-snapshots/snapshot.ts';
import { compareTrees, objectsOf } from '../../../../src/hosts/node/workspace-snapshots/tree.ts';
import type { TreeChange } from '../../../../src/hosts/node/workspace-snapshots/tree.ts';

const RULES: SnapshotRules = {
  largestFile: 10_000,
  mostFiles: 1000,
  without: [],
  including: [],
  environment: {},
};

describe('snapshots of a workspace', () => {
  let folder: string;
  let ws: string;
  let objects: ObjectStore;
  let snapshooter: Snapshooter;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-snapshots-')));
    ws = path.join(folder, 'ws');
    mkdirSync(path.join(ws, 'src'), { recursive: true });
    write('a.txt', 'one\n');
    write('src/b.txt', 'two\n');
    objects = new ObjectStore(path.join(folder, 'objects'), 'one');
    snapshooter = new Snapshooter(objects);
  });
  afterEach(() => {
    objects.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const at = (name: string): string => path.join(ws, name);
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  };
  const restore = async (steps: readonly RestoreStep[]): Promise<RestoredFolders> => {
    const storage = path.join(folder, 'objects');
    const restores = new Restores(objects, storage, new Owners(storage, 'one'));
    return Promise.resolve(restores.restore([{ root: ws, steps }], null));
  };
  /** Paths that were left, with the reason. */
  const reasons = ({ left }: RestoredFolders): object =>
    Object.fromEntries(left.map(({ path: name, why }) => [name, inEnglish(why)]));
  const take = (rules: Partial<SnapshotRules> = {}): Promise<FolderSnapshot> =>
    snapshooter.take(ws, { ...RULES, ...rules });
  const changes = (before: FolderSnapshot, after: FolderSnapshot): TreeChange[] =>
    compareTrees(objects, before.tree, after.tree);
  const paths = (found: readonly TreeChange[]): string[] => found.map((change) => change.path);
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.email=a@b', '-c', 'user.name=a', ...args], {
      cwd: ws,
      stdio: 'ignore',
    });

  it('reads a small file into memory of its own: other threads get all that a content is a part of', () => {
    const leaf = leafBelow(ws, 'a.txt', { link: 'look' });
    assert.ok(leaf.kind === 'file');
    assert.equal(leaf.bytes.buffer.byteLength, 'one\n'.length);
  });

  it('is the same as long as nothing changes, and names every path that does', async () => {
    const first = await take();
    assert.equal((await take()).tree, first.tree);
    write('a.txt', 'one and a half\n');
    write('new/deep/c.txt', 'three\n');
    rmSync(at('src/b.txt'));
    assert.deepEqual(paths(changes(first, await take())), ['a.txt', 'new/deep/c.txt', 'src/b.txt']);
  });

  it('sees a change that leaves size and time as they were', async () => {
    const first = await take();
    const { atime, mtime } = statSync(at('a.txt'));
    writeFileSync(at('a.txt'), 'eno\n');
    utimesSync(at('a.txt'), atime, mtime);
    assert.deepEqual(paths(changes(first, await take())), ['a.txt']);
  });

  it('keeps modes, links that lead nowhere, empty files, odd names and the same bytes once', async () => {
    write('run.sh', '#!/bin/sh\n');
    chmodSync(at('run.sh'), 0o755);
    symlinkSync('/nowhere/at all', at('link'));
    symlinkSync('.', at('src/loop'));
    write('empty', '');
    write('it\'s "odd" \n 🧗.txt', 'one\n');
    const first = await take();
    const bytes = objects.bytes;
    write('copy.txt', 'one\n');
    chmodSync(at('run.sh'), 0o644);
    rmSync(at('link'));
    symlinkSync('elsewhere', at('link'));
    const found = changes(first, await take());
    assert.deepEqual(paths(found), ['copy.txt', 'link', 'run.sh']);
    assert.deepEqual(found[1]?.before, { kind: 'link', target: '/nowhere/at all' });
    assert.ok(objects.bytes - bytes < 1000, 'only trees are new');
  });

  it('leaves out what is ignored, except what the agent touched, and names what else is not in it', async () => {
    write('.gitignore', 'node_modules\n*.log\n');
    write('node_modules/x/index.js', 'x');
    write('debug.log', 'noise');
    write('touched.log', 'wanted');
    // What is being written at this moment.
    write('.belay-0123456789abcdef.tmp', 'half');
    write('large.bin', 'x'.repeat(10_001));
    execFileSync('mkfifo', [at('pipe')]);
    const snapshot = await take({ including: [at('touched.log')] });
    assert.deepEqual(paths(compareTrees(objects, undefined, snapshot.tree)), [
      '.gitignore',
      'a.txt',
      'src/b.txt',
      'touched.log',
    ]);
    assert.deepEqual(snapshot.leftOut, [
      { why: 'ignored', count: 2, named: ['debug.log', 'node_modules/'] },
      { why: 'large', count: 1, named: ['large.bin'] },
      { why: 'special', count: 1, named: ['pipe'] },
    ]);
  });

  it('never touches the repository, and nothing that it configures is run', async function () {
    git('init');
    git('add', '.');
    git('commit', '-m', 'first');
    const canary = path.join(folder, 'CANARY');
    git('config', 'filter.x.clean', `touch ${canary}; cat`);
    git('config', 'filter.x.smudge', `touch ${canary}; cat`);
    git('config', 'core.fsmonitor', `touch ${canary}`);
    write('.gitattributes', '* filter=x\n');
    mkdirSync(at('inner/.git'), { recursive: true });
    write('inner/.git/config', `[core]\n\tfsmonitor = touch ${canary}\n`);
    write('inner/file.txt', 'of a repository within\n');
    write('.GIT/other', 'case');
    const dotGit = (): readonly string[] =>
      readdirSync(at('.git'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => path.join(parentPath, name))
        .map((file) => `${file} ${readFileSync(file, 'hex')}`)
        .toSorted();
    const before = dotGit();
    const first = await take();
    write('a.txt', 'changed\n');
    const second = await take();
    await restore([
      {
        path: 'a.txt',
        from: leafBelow(ws, 'a.txt'),
        to: leafOf(changes(first, second), 'a.txt'),
      },
    ]);
    assert.equal(readFileSync(at('a.txt'), 'utf8'), 'one\n');
    assert.deepEqual(dotGit(), before);
    assert.equal(existsSync(canary), false);
    const inside = paths(compareTrees(objects, undefined, first.tree));
    assert.ok(inside.includes('inner/file.txt'));
    assert.ok(!inside.some((one) => /\.git\//iu.test(one)));
  });

  it('another process finds what was stored; what a crash left unfinished is cut off', async () => {
    const first = await take();
    const other = new ObjectStore(path.join(folder, 'objects'), 'two');
    assert.equal(objectsOf(other, first.tree).size, 4);
    write('later.txt', 'later\n');
    const later = await take();
    assert.ok(objectsOf(other, later.tree).size >= 5, 'what was added meanwhile is found too');
    other.close();
    objects.close();
    const [pack] = readdirSync(path.join(folder, 'objects'));
    const file = path.join(folder, 'objects', String(pack));
    truncateSync(file, statSync(file).size - 3);
    objects = new ObjectStore(path.join(folder, 'objects'), 'three');
    assert.equal(objectsOf(objects, first.tree).size, 4);
    snapshooter = new Snapshooter(objects);
    assert.equal((await take()).tree, later.tree, 'what was cut off is stored again');
    assert.ok(objectsOf(objects, later.tree).size >= 5);
  });

  it('a damaged object is noticed, and said', async () => {
    const { tree } = await take();
    objects.close();
    const [pack] = readdirSync(path.join(folder, 'objects'));
    const file = path.join(folder, 'objects', String(pack));
    const bytes = readFileSync(file);
    bytes[44] = (bytes[44] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    objects = new ObjectStore(path.join(folder, 'objects'), 'two');
    const hashes = [...new Set(compareTrees(objects, undefined, tree).map(({ after }) => after))];
    assert.throws(
      () => hashes.map((leaf) => leaf?.kind === 'file' && objects.get(leaf.hash)),
      /damaged.*other snapshots are not touched/u,
    );
  });

  it('a sweep gives space back and keeps what is wanted', async () => {
    write('big.txt', Array.from({ length: 600 }, (_, line) => `${line} ${line ** 3}`).join('\n'));
    const old = await take();
    rmSync(at('big.txt'));
    const now = await take();
    const before = objects.bytes;
    objects.sweep(objectsOf(objects, now.tree));
    assert.ok(objects.bytes < before / 2, `${objects.bytes} of ${before} bytes`);
    assert.equal(objects.get(leafHash(now, 'a.txt')).toString(), 'one\n');
    assert.throws(() => objectsOf(objects, old.tree), { code: 'not_found' });
  });

  const leafHash = (snapshot: FolderSnapshot, name: string): string => {
    const { after } = compareTrees(objects, undefined, snapshot.tree).find(
      (change) => change.path === name,
    )!;
    assert.ok(after?.kind === 'file');
    return after.hash;
  };

  /** The content that a path had before. */
  function leafOf(found: readonly TreeChange[], name: string): RestoreStep['to'] {
    const before = found.find((change) => change.path === name)?.before;
    if (before === undefined) return { kind: 'absent' };
    return before.kind === 'link'
      ? before
      : { kind: 'file', bytes: objects.get(before.hash), mode: before.mode };
  }

  const steps = (found: readonly TreeChange[]): RestoreStep[] =>
    found.map(({ path: name }) => ({
      path: name,
      from: leafBelow(ws, name),
      to: leafOf(found, name),
    }));

  describe('put back', () => {
    it('brings files, links, modes and folders back, and takes what is new away with its folders', async () => {
      write('gone/deep.txt', 'deep\n');
      write('folder-now', 'a file before\n');
      symlinkSync('a.txt', at('link'));
      chmodSync(at('a.txt'), 0o755);
      const first = await take();
      rmSync(at('gone'), { recursive: true });
      rmSync(at('folder-now'));
      write('folder-now/inside.txt', 'x');
      rmSync(at('link'));
      write('a.txt', 'other\n');
      chmodSync(at('a.txt'), 0o600);
      write('made/by/agent.txt', 'new\n');
      renameSync(at('src/b.txt'), at('src/B.txt'));
      await restore(steps(changes(first, await take())));
      assert.equal((await take()).tree, first.tree);
      assert.equal(statSync(at('a.txt')).mode & 0o777, 0o755);
      assert.equal(lstatSync(at('link')).isSymbolicLink(), true);
      assert.equal(existsSync(at('made')), false);
    });

    it('restores all but a file that has changed since the preview, and says why', async () => {
      const first = await take();
      write('a.txt', 'by the agent\n');
      write('src/b.txt', 'by the agent\n');
      const plan = steps(changes(first, await take()));
      appendFileSync(at('src/b.txt'), 'and by the person\n');
      assert.deepEqual(reasons(await restore(plan)), {
        'src/b.txt': 'It has changed since the preview.',
      });
      assert.equal(readFileSync(at('a.txt'), 'utf8'), 'one\n');
      assert.equal(readFileSync(at('src/b.txt'), 'utf8'), 'by the agent\nand by the person\n');
    });

    it('restores all but a file that the disk refuses, and says why', async () => {
      write('z/last.txt', 'z\n');
      const first = await take();
      write('a.txt', 'by the agent\n');
      write('new.txt', 'new\n');
      rmSync(at('z'), { recursive: true });
      const second = await take();
      const plan = steps(changes(first, second));
      // A folder stands where the last file should go.
      mkdirSync(at('z/last.txt/in the way'), { recursive: true });
      const done = await restore(plan);
      assert.deepEqual(reasons(done), { 'z/last.txt': 'A folder is in its place.' });
      assert.deepEqual(
        done.folders.flatMap((one) => one.changes.map(({ path: name }) => name)),
        ['a.txt', 'new.txt'],
      );
      write('z/last.txt/in the way/file', 'x');
      rmSync(at('z'), { recursive: true });
      write('z/last.txt', 'z\n');
      assert.equal((await take()).tree, first.tree);
      assert.deepEqual(
        readdirSync(ws).filter((name) => name.startsWith('.belay-')),
        [],
      );
    });

    it('path-12: follows no link that was put on the way, and no name that leaves the folder', async () => {
      write('dir/f.txt', 'inside\n');
      const first = await take();
      rmSync(at('dir'), { recursive: true });
      const outside = path.join(folder, 'outside');
      mkdirSync(outside);
      writeFileSync(path.join(outside, 'f.txt'), 'mine\n');
      symlinkSync(outside, at('dir'));
      const to = { kind: 'file', bytes: Buffer.from('evil\n'), mode: 0o644 } as const;
      const from = { kind: 'absent' } as const;
      for (const name of ['dir/f.txt', '../outside/f.txt', '.git/config', 'src/../../x', '.GIT/x'])
        assert.match(
          Object.values(reasons(await restore([{ path: name, from, to }]))).join(),
          /another place/u,
        );
      assert.equal(readFileSync(path.join(outside, 'f.txt'), 'utf8'), 'mine\n');
      assert.deepEqual(readdirSync(outside), ['f.txt']);
      assert.ok(first.tree);
    });
  });
});
