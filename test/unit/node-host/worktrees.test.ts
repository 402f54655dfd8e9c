import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Worktree } from '../../../src/core/ports/commands/worktrees.ts';
import { inEnglish } from '../../../src/domain/text/told.ts';
import { NodeGit } from '../../../src/hosts/node/git/git.ts';
import { NodeWorktrees } from '../../../src/hosts/node/git/worktrees.ts';

const { signal } = new AbortController();

function git(folder: string, ...args: readonly string[]): void {
  const settings = ['user.name=t', 'user.email=t@t', 'protocol.file.allow=always'];
  const given = [...settings.flatMap((one) => ['-c', one]), ...args];
  execFileSync('git', given, { cwd: folder, stdio: 'ignore' });
}

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
}

async function repository(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await write(folder, files);
  git(folder, 'init', '--quiet');
  git(folder, 'add', '--all', '--force');
  git(folder, 'commit', '--quiet', '-m', 'first');
}

const textOf = (bytes?: Uint8Array): string | undefined => bytes && Buffer.from(bytes).toString();

describe('working copies for sub-agents', function () {
  this.timeout(120_000);

  const worktrees = new NodeWorktrees(new NodeGit());
  let folder: string;
  let workspace: string;
  let copy: Worktree;

  /** A repository `app` with the submodule `pkg/lib`, in which `deep` is another one. */
  beforeEach(async () => {
    folder = realpathSync(await mkdtemp(path.join(os.tmpdir(), 'belay-worktrees-')));
    workspace = path.join(folder, 'app');
    await repository(path.join(folder, 'deep'), { 'd.txt': 'deep\n' });
    await repository(path.join(folder, 'lib'), {
      'a.txt': 'one\n',
      'b.txt': 'one\n',
      '.gitignore': 'dist/\n',
      'dist/built.js': 'built\n',
    });
    git(path.join(folder, 'lib'), 'submodule', 'add', path.join(folder, 'deep'), 'deep');
    git(path.join(folder, 'lib'), 'commit', '--quiet', '-m', 'deep');
    await repository(workspace, { 'main.txt': 'main\n', '.gitignore': 'out/\n' });
    git(workspace, 'submodule', 'add', path.join(folder, 'lib'), 'pkg/lib');
    git(workspace, 'commit', '--quiet', '-m', 'lib');
  });

  afterEach(async () => {
    await worktrees.remove(copy);
    await rm(folder, { recursive: true });
  });

  const create = async (at = workspace): Promise<string> => {
    copy = (await worktrees.create(at, 'test', signal)) ?? assert.fail('no repository');
    return copy.folder;
  };
  const changed = async (): Promise<readonly unknown[]> =>
    (await worktrees.changes(copy, signal)).changes.map(({ path: name, before, after }) => [
      name,
      textOf(before),
      textOf(after),
    ]);
  const skipped = async (): Promise<readonly string[]> =>
    (await worktrees.changes(copy, signal)).left
      .map((one) => `${one.path}: ${inEnglish(one.why)}`)
      .toSorted();

  it('have the files of submodules and nested repositories as they are on disk, and their changes are found', async () => {
    git(workspace, 'submodule', 'update', '--init', '--recursive');
    await write(workspace, { 'pkg/lib/b.txt': 'not committed\n' });
    await repository(path.join(workspace, 'nested'), { 'n.txt': 'nested\n' });
    await write(workspace, { 'empty/e.txt': 'without a commit\n' });
    git(path.join(workspace, 'empty'), 'init', '--quiet');
    const at = await create();
    const read = (name: string): string => readFileSync(path.join(at, name), 'utf8');
    assert.equal(read('pkg/lib/b.txt'), 'not committed\n');
    assert.equal(read('pkg/lib/deep/d.txt'), 'deep\n');
    assert.equal(read('pkg/lib/dist/built.js'), 'built\n');
    assert.equal(read('nested/n.txt'), 'nested\n');
    assert.equal(read('empty/e.txt'), 'without a commit\n');
    assert.equal(copy.missing, undefined);
    assert.deepEqual(await changed(), []);
    await write(at, {
      'pkg/lib/b.txt': 'B\n',
      'pkg/lib/deep/d.txt': 'D\n',
      'nested/new.txt': 'N\n',
    });
    await rm(path.join(at, 'pkg/lib/a.txt'));
    assert.deepEqual(await changed(), [
      ['nested/new.txt', undefined, 'N\n'],
      ['pkg/lib/a.txt', 'one\n', undefined],
      ['pkg/lib/b.txt', 'not committed\n', 'B\n'],
      ['pkg/lib/deep/d.txt', 'deep\n', 'D\n'],
    ]);
    assert.deepEqual(await skipped(), []);
  });

  it('say which submodules are not checked out; what is written there is found', async () => {
    await rm(path.join(workspace, 'pkg/lib/deep'), { recursive: true });
    await mkdir(path.join(workspace, 'pkg/lib/deep'));
    await create(path.join(workspace, 'pkg'));
    assert.deepEqual(copy.missing, ['lib/deep']);
    await worktrees.remove(copy);
    git(workspace, 'submodule', 'deinit', '--force', 'pkg/lib');
    const at = await create();
    assert.deepEqual(copy.missing, ['pkg/lib']);
    await write(at, { 'pkg/lib/new.txt': 'new\n' });
    assert.deepEqual(await changed(), [['pkg/lib/new.txt', undefined, 'new\n']]);
  });

  it('name what is not taken over with the reason', async () => {
    const at = await create();
    await write(at, { 'out/notes.md': 'n\n', 'run.sh': 'echo\n', 'made/m.txt': 'm\n', large: '' });
    await truncate(path.join(at, 'large'), 65 * 2 ** 20);
    await chmod(path.join(at, 'run.sh'), 0o755);
    await chmod(path.join(at, 'main.txt'), 0o755);
    await symlink('main.txt', path.join(at, 'link'));
    git(path.join(at, 'made'), 'init', '--quiet');
    assert.deepEqual(await changed(), [
      ['made/m.txt', undefined, 'm\n'],
      ['run.sh', undefined, 'echo\n'],
    ]);
    assert.deepEqual(await skipped(), [
      'large: it has 68,157,440 bytes, more than the 67,108,864 that are taken over',
      'link: it is a symbolic link',
      'made/.git: the files of the repository are taken over, its history is not',
      'main.txt: sub-agents do not change whether a file is executable',
      'out/notes.md: git ignores it',
      'run.sh: sub-agents do not change whether a file is executable',
    ]);
  });

  it('name the first of many ignored files, and how many more there are', async () => {
    const at = await create();
    for (let number = 10; number < 25; number += 1) await write(at, { [`out/${number}`]: 'x' });
    const names = Array.from({ length: 10 }, (_, index) => `out/${index + 10}`).join(', ');
    assert.deepEqual(await skipped(), [`${names} and 5 more in out/: git ignores it`]);
  });

  it('run no program that a submodule names', async () => {
    const trap = path.join(folder, 'sprung');
    const lib = path.join(workspace, 'pkg/lib');
    const command = `sh -c 'echo >> ${trap}; cat'`;
    for (const key of ['filter.trap.clean', 'filter.trap.smudge', 'core.fsmonitor'])
      git(lib, 'config', key, command);
    await write(lib, { '.gitattributes': '* filter=trap\n', 'b.txt': 'B\n' });
    await rm(trap, { force: true });
    const at = await create();
    assert.equal(readFileSync(path.join(at, 'pkg/lib/b.txt'), 'utf8'), 'B\n');
    await write(at, { 'pkg/lib/b.txt': 'C\n' });
    assert.deepEqual(await changed(), [['pkg/lib/b.txt', 'B\n', 'C\n']]);
    assert.equal(existsSync(trap), false);
  });
});
