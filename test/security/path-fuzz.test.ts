import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import {
  link,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { PathGuard } from '../../src/core/permissions/path-guard.ts';
import { GuardedFiles } from '../../src/core/permissions/guarded-files.ts';
import { failureOf } from '../../src/domain/failure.ts';
import { NodeFileSystem } from '../../src/hosts/node/files/file-system.ts';
import { NodeIgnoredPaths } from '../../src/hosts/node/search/ignore/belay-ignore.ts';
import { absolutePath } from '../../src/tools/workspace-path.ts';
import { runs } from '../support/seed.ts';

const RUNS = runs(80);

const NAMES = [
  'a',
  'b',
  'src',
  '.vscode',
  '.VSCode',
  '.git',
  'e\u0301',
  '\u00e9',
  'x y',
  '-n',
  'ws-evil',
  '.env',
];
const component = fc.constantFrom(...NAMES, '..', '.', '');
const asked = fc.array(component, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/'));

interface Step {
  readonly kind: 'folder' | 'file' | 'link' | 'hard';
  readonly at: string;
  readonly to: string;
}

const name = fc.constantFrom(...NAMES);
const place = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const target = fc.oneof(
  place,
  place.map((one) => `../${one}`),
  fc.constantFrom(
    '/outside',
    '/outside/secret',
    '/ws',
    '/ws-evil',
    '/own/record',
    '../outside',
    '../../outside',
    '.',
    '..',
  ),
);
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('folder', 'file', 'link', 'hard'),
  at: place,
  to: target,
});

describe('the path guard in random trees (security, rule 4)', function paths() {
  this.timeout(Math.max(30_000, RUNS * 100));
  let base: string;
  const disk = new NodeFileSystem();
  const files = new GuardedFiles(disk);

  before(async () => {
    base = realpathSync(await mkdtemp(path.join(tmpdir(), 'belay-paths-')));
  });
  after(() => rm(base, { recursive: true, force: true }));

  let trees = 0;

  /** `ws` as the steps make it, beside `outside`, `ws-evil` and `own`. */
  async function grow(steps: readonly Step[]): Promise<string> {
    const top = path.join(base, String((trees += 1)));
    for (const folder of ['ws', 'outside', 'ws-evil', 'own'])
      await mkdir(path.join(top, folder), { recursive: true });
    await writeFile(path.join(top, 'outside/secret'), 'SECRET');
    await writeFile(path.join(top, 'ws-evil/secret'), 'SECRET');
    await writeFile(path.join(top, 'own/record'), 'SECRET');
    for (const { kind, at, to } of steps) {
      const file = path.join(top, 'ws', at);
      const leads = to.startsWith('/') ? path.join(top, to) : to;
      await mkdir(path.dirname(file), { recursive: true }).catch(() => undefined);
      await made(kind, file, leads).catch(() => undefined);
    }
    return top;
  }

  function made(kind: Step['kind'], file: string, leads: string): Promise<unknown> {
    switch (kind) {
      case 'folder':
        return mkdir(file, { recursive: true });
      case 'file':
        return writeFile(file, 'of the workspace', { flag: 'wx' });
      case 'link':
        return symlink(leads, file);
      case 'hard':
        return link(path.isAbsolute(leads) ? leads : path.resolve(path.dirname(file), leads), file);
      default:
        return kind satisfies never;
    }
  }

  const guardOf = (top: string): PathGuard =>
    new PathGuard({
      files: disk,
      ownFolders: [path.join(top, 'own')],
      ignored: new NodeIgnoredPaths(),
    });

  /** Everything outside the workspace, as it is. */
  async function outside(top: string): Promise<string> {
    const seen: string[] = [];
    for (const folder of ['outside', 'ws-evil', 'own']) {
      const entries = await readdir(path.join(top, folder), {
        recursive: true,
        withFileTypes: true,
      });
      for (const entry of entries) {
        const file = path.join(entry.parentPath, entry.name);
        seen.push(entry.isFile() ? `${file}: ${await readFile(file, 'utf8')}` : file);
      }
    }
    return seen.toSorted().join('\n');
  }

  it('what is judged to be inside is inside, to be read and to be written', async () => {
    let insides = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 8 }),
        fc.array(asked, { minLength: 1, maxLength: 4 }),
        async (steps, wanted) => {
          const top = await grow(steps);
          const ws = path.join(top, 'ws');
          const guard = guardOf(top);
          const before = await outside(top);
          for (const one of wanted) {
            const file = absolutePath(one, [ws]);
            const read = await guard
              .judge({ path: file, access: 'read' }, [ws])
              .catch(() => undefined);
            if (read?.place === 'inside') {
              insides += 1;
              const text = await files.read(read.real).then(
                (bytes) => Buffer.from(bytes).toString(),
                () => '',
              );
              assert.ok(!text.includes('SECRET'), `${one} read a file outside`);
            }
            const write = await guard
              .judge({ path: file, access: 'write' }, [ws])
              .catch(() => undefined);
            if (write?.place !== 'inside') continue;
            assert.ok(
              !/(?:^|\/)\.(?:git|vscode)(?:\/|$)/iu.test(path.relative(ws, write.real)),
              one,
            );
            await files.write(write.real, Buffer.from('written')).catch(() => undefined);
            assert.equal(await outside(top), before, `${one} wrote outside`);
          }
          await rm(top, { recursive: true, force: true });
        },
      ),
      { numRuns: RUNS },
    );
    assert.ok(insides > RUNS / 10, `only ${insides} paths were inside`);
  });

  it('is the same for every way to write one path', async () => {
    const top = await grow([{ kind: 'folder', at: '.vscode', to: '' }]);
    const ws = path.join(top, 'ws');
    const guard = guardOf(top);
    const spellings = [
      '.vscode/settings.json',
      './/.vscode//./settings.json',
      'src/../.vscode/settings.json',
      '.VSCODE/Settings.JSON',
      '.vscode./settings.json',
      '.vscode /settings.json',
      '.vscode/settings.json::$DATA',
      '.vscode/settings.json.',
      '.vs\u200bcode/settings.json',
      '\uff0evscode/settings.json',
      '.v\u017fcode/settings.json',
    ];
    for (const one of spellings) {
      const judged = await guard.judge({ path: absolutePath(one, [ws]), access: 'write' }, [ws]);
      assert.equal(judged.place, 'config', one);
    }
    for (const one of [
      '.git/config',
      '.GIT/config',
      '.git./config',
      'GIT~1/config',
      '.git::$INDEX_ALLOCATION/config',
      '.g\u200cit/config',
    ]) {
      const judged = await guard.judge({ path: absolutePath(one, [ws]), access: 'write' }, [ws]);
      assert.equal(judged.place, 'forbidden', one);
    }
  });

  it('other machines and devices are not even looked at', async () => {
    const looked: string[] = [];
    const guard = new PathGuard({
      files: {
        realpath: async (file) => {
          looked.push(file);
          return file;
        },
        stat: async () => undefined,
      },
      ownFolders: [],
      ignored: { ruleFor: async () => undefined, ruleForAny: async () => undefined },
    });
    for (const one of [
      '\\\\evil\\share\\x',
      '//evil/share/x',
      '\\\\?\\C:\\x',
      '\\\\.\\pipe\\x',
      '/proc/self/environ',
      '/proc/1/task/1/environ',
      '/dev/sda',
      '/dev/fd/3',
    ])
      assert.equal(
        (await guard.judge({ path: one, access: 'read' }, ['/ws'])).place,
        'forbidden',
        one,
      );
    assert.deepEqual(looked, []);
    const own = await guard.judge({ path: '\\\\wsl$\\home\\a', access: 'read' }, [
      '\\\\wsl$\\home',
    ]);
    assert.equal(own.place, 'inside');
  });

  it('a file with another name is asked about, but not in packages', async () => {
    const top = await grow([
      { kind: 'hard', at: 'a', to: '/outside/secret' },
      { kind: 'hard', at: 'node_modules/a', to: '/outside/secret' },
    ]);
    const ws = path.join(top, 'ws');
    const guard = guardOf(top);
    assert.equal((await lstat(path.join(ws, 'a'))).nlink > 1, true);
    const place = async (file: string, access: 'read' | 'write') =>
      (await guard.judge({ path: path.join(ws, file), access }, [ws])).place;
    assert.deepEqual(
      [await place('a', 'read'), await place('a', 'write'), await place('node_modules/a', 'read')],
      ['secret', 'config', 'inside'],
    );
  });

  for (const act of ['read', 'readPart', 'write'] as const) {
    it(`a folder that is exchanged for a link meanwhile leads nowhere: ${act}`, async () => {
      const top = await grow([{ kind: 'file', at: 'a/f', to: '' }]);
      const folder = path.join(top, 'ws/a');
      const real = path.join(folder, 'f');
      await writeFile(path.join(top, 'outside/f'), 'SECRET');
      const done = new AbortController();
      const swapping = swap(folder, path.join(top, 'outside'), done.signal);
      for (let tries = 0; tries < 150; tries += 1) {
        try {
          if (act === 'write') await files.write(real, Buffer.from('written'));
          else {
            const bytes =
              act === 'read' ? await files.read(real) : await files.readPart(real, 0, 100);
            assert.ok(!Buffer.from(bytes).toString().includes('SECRET'));
          }
        } catch (thrown) {
          if (thrown instanceof assert.AssertionError) throw thrown;
        }
      }
      done.abort();
      await swapping;
      assert.equal(await readFile(path.join(top, 'outside/f'), 'utf8'), 'SECRET');
      // With the link in place for certain it is refused.
      await rm(`${folder}.away`, { recursive: true, force: true });
      await rename(folder, `${folder}.away`);
      await symlink(path.join(top, 'outside'), folder);
      const use = act === 'write' ? files.write(real, Buffer.from('x')) : files.read(real);
      await assert.rejects(use, (thrown) => failureOf(thrown).code === 'permission');
    });
  }
});

async function swap(folder: string, to: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await rename(folder, `${folder}.away`).catch(() => undefined);
    await symlink(to, folder).catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    await rm(folder).catch(() => undefined);
    await rename(`${folder}.away`, folder).catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
