import assert from 'node:assert/strict';
import { link, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createReadOnlySandbox } from '../../../src/hosts/node/sandbox/read-only-sandbox.ts';
import { findHiddenPaths } from '../../../src/hosts/node/sandbox/hidden-paths.ts';
import { NodeIgnoredPaths } from '../../../src/hosts/node/search/ignore/belay-ignore.ts';

describe('paths that are hidden in the read-only sandbox', () => {
  if (process.platform === 'win32') return;
  let base: string;
  let ws: string;

  beforeEach(async () => {
    base = await realpath(await mkdtemp(path.join(tmpdir(), 'belay-hidden-')));
    ws = path.join(base, 'ws');
  });

  afterEach(() => rm(base, { recursive: true }));

  async function write(name: string, text = 'x'): Promise<void> {
    const file = path.join(base, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  const listHidden = async (): Promise<readonly string[] | undefined> =>
    (await findHiddenPaths([ws], new NodeIgnoredPaths()))
      ?.map((file) => path.relative(base, file))
      .toSorted();

  it('are secrets, repositories, hard links and whatever .belayignore keeps back', async () => {
    for (const name of ['a.ts', 'a/.env', 'a/.ssh/id', 'a/.env.example', 'node_modules/k/tls.key'])
      await write(`ws/${name}`);
    for (const name of ['.git/config', 'vendor/kit/.git/HEAD', 'data/one', 'data/two', 'b/one.csv'])
      await write(`ws/${name}`);
    await write('ws/.belayignore', 'data/\n');
    await write('ws/b/.belayignore', '*.csv\n');
    await write('elsewhere');
    await link(path.join(base, 'elsewhere'), path.join(ws, 'same'));
    await link(path.join(base, 'elsewhere'), path.join(ws, 'node_modules/k/same'));
    await symlink(path.join(ws, 'a.ts'), path.join(ws, 'secrets.json'));
    assert.deepEqual(await listHidden(), [
      'ws/.git',
      'ws/a/.env',
      'ws/a/.ssh',
      'ws/b/one.csv',
      'ws/data',
      'ws/node_modules/k/tls.key',
      'ws/same',
      'ws/secrets.json',
      'ws/vendor/kit/.git',
    ]);
  });

  it('are also the repository elsewhere that a worktree belongs to', async () => {
    await write('main/.git/worktrees/ws/HEAD');
    await write('ws/.git', `gitdir: ${base}/main/.git/worktrees/ws\n`);
    assert.deepEqual(await listHidden(), ['main/.git', 'ws/.git']);
  });

  it('are not known if there are too many, or a folder cannot be read', async () => {
    for (let at = 0; at < 501; at += 1) await write(`ws/${at}/.env`);
    assert.equal(await listHidden(), undefined);
    assert.equal(
      await findHiddenPaths([path.join(base, 'gone')], new NodeIgnoredPaths()),
      undefined,
    );
  });

  it('are not known if the sandbox would read one as a pattern', async () => {
    await write('ws/app/[id]/.env');
    const parts = { enabled: () => true, searchPath: () => '', home: '/home/me', temp: '/tmp' };
    const sandbox = createReadOnlySandbox(parts);
    assert.equal(await sandbox.listHidden([ws], new NodeIgnoredPaths()), undefined);
  });
});

describe('why the read-only sandbox cannot be used', () => {
  const parts = { enabled: () => true, searchPath: () => '', home: '/home/me', temp: '/tmp' };

  it('is the setting, a workspace folder that holds the home or temp folder, or the system', async () => {
    const sandbox = createReadOnlySandbox(parts);
    const off = createReadOnlySandbox({ ...parts, enabled: () => false });
    assert.equal(await off.findLack(['/ws']), 'off');
    for (const root of ['/', '/home', '/home/me', '/tmp', '/srv/[a]'])
      assert.equal(await sandbox.findLack([root]), 'folder', root);
    assert.equal(await sandbox.findLack([]), 'folder');
    assert.equal(await sandbox.findLack(['/home/me/app']), 'system');
  });
});
