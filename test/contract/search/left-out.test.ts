import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NodeSearch } from '../../../src/hosts/node/search/search.ts';
import { leftOutNote } from '../../../src/tools/searching/left-out-note.ts';
import { ripgrepForTests } from './ripgrep-for-tests.ts';

const ripgrep = ripgrepForTests();

const ENGINES: Readonly<Record<string, readonly string[] | undefined>> = {
  ripgrep: ripgrep === undefined ? undefined : [ripgrep],
  'the plain scan': [],
};

for (const [name, programs] of Object.entries(ENGINES))
  describe(`what a search leaves out: ${name}`, () => {
    if (programs === undefined) return;
    const search = new NodeSearch(programs, {});

    it('says with "no match" what it did not look into, and how much of it', async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'belay-left-'));
      try {
        await writeFile(path.join(folder, 'a.ts'), 'beta\n');
        await writeFile(path.join(folder, 'picture'), new Uint8Array([1, 0, 2]));
        await writeFile(path.join(folder, 'wide.txt'), '\ufeffbeta\n', 'utf16le');
        await writeFile(path.join(folder, 'large.log'), '');
        await truncate(path.join(folder, 'large.log'), 1024 ** 3);
        const request = { root: folder, pattern: 'alpha', regex: true, caseSensitive: true };
        const asked = { ...request, context: 0, limit: 9 };
        const { signal } = new AbortController();
        const { leftOut } = await search.text(asked, signal);
        assert.deepEqual(
          { ...leftOut, complete: true },
          {
            tooLarge: 1,
            binary: 1,
            unreadable: 0,
            folders: 0,
            ignored: 0,
            ignoredFolders: 0,
            examples: [path.join(folder, 'large.log')],
            complete: true,
          },
        );
        assert.equal((await search.counts(asked, signal)).leftOut?.tooLarge, 1);
        const alone = await search.text({ ...asked, include: ['a.ts'] }, signal);
        assert.equal(alone.leftOut, undefined);
        const other = await search.text({ ...asked, pattern: 'beta' }, signal);
        assert.equal(other.leftOut, undefined);
      } finally {
        await rm(folder, { recursive: true });
      }
    });

    it('searches what git ignores when it is named, and else counts it', async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'belay-ignored-'));
      try {
        const files = {
          '.gitignore': 'scripts/*\nbuild/\nmixed/*.log\n',
          '.belayignore': 'private.py\n',
          'a.py': 'x\n',
          'scripts/writer.py': 'alpha\n',
          'scripts/private.py': 'alpha\n',
          'build/deep/out.py': 'alpha\n',
          'build/deep/private.py': 'alpha\n',
          '.venv/.gitignore': '*\n',
          '.venv/lib.py': 'alpha\n',
          'mixed/private.py': 'alpha\n',
          'mixed/one.log': 'alpha\n',
          'mixed/b.py': 'x\n',
        };
        for (const [file, text] of Object.entries(files)) {
          await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
          await writeFile(path.join(folder, file), text);
        }
        const { signal } = new AbortController();
        const asked = { pattern: 'alpha', regex: true, caseSensitive: true, context: 0, limit: 9 };
        for (const [below, file] of [
          ['scripts', 'scripts/writer.py'],
          ['build', 'build/deep/out.py'],
          ['build/deep', 'build/deep/out.py'],
          ['.venv', '.venv/lib.py'],
        ] as const) {
          const root = path.join(folder, below);
          const { matches } = await search.text({ ...asked, root }, signal);
          assert.deepEqual(
            matches.map((match) => match.path),
            [path.join(folder, file)],
          );
          const { paths } = await search.files({ root, pattern: '*.py', limit: 9 }, signal);
          assert.deepEqual(paths, [path.join(folder, file)]);
        }
        const mixed = await search.text({ ...asked, root: path.join(folder, 'mixed') }, signal);
        assert.equal(mixed.leftOut?.ignored, 1);
        assert.deepEqual(mixed.leftOut.examples, [path.join(folder, 'mixed/one.log')]);
        const request = { root: folder, pattern: 'writer.py', limit: 9 };
        const named = await search.files({ ...request, countLeftOut: 'if_none_found' }, signal);
        const { ignored, ignoredFolders } = named.leftOut ?? {};
        assert.deepEqual({ ignored, ignoredFolders }, { ignored: 4, ignoredFolders: 1 });
      } finally {
        await rm(folder, { recursive: true });
      }
    });

    it('says that a folder was too deep to be looked into', async function () {
      if (process.platform !== 'linux') this.skip();
      const folder = await mkdtemp(path.join(tmpdir(), 'belay-deep-'));
      const name = 'd'.repeat(200);
      try {
        const code = `for (let at = 0; at < 25; at += 1) { fs.mkdirSync('${name}'); process.chdir('${name}'); }`;
        execFileSync(process.execPath, ['-e', code], { cwd: folder });
        const request = { root: folder, pattern: 'alpha', regex: true, caseSensitive: true };
        const found = await search.text(
          { ...request, context: 0, limit: 9 },
          new AbortController().signal,
        );
        assert.equal(found.leftOut?.folders, 1);
      } finally {
        execFileSync('rm', ['-rf', folder]);
      }
    });
  });

describe('the note of what a search left out', () => {
  it('counts each kind and names examples', () => {
    const counts = { tooLarge: 1, binary: 2, unreadable: 0, folders: 0 };
    const leftOut = { ...counts, ignored: 0, ignoredFolders: 0, complete: false };
    assert.equal(
      leftOutNote({ ...leftOut, examples: ['/w/big.log'] }, ['/w']),
      '\n[not searched: 1 file larger than 20 MB, 2 binary files, for example big.log]\n[there may be more: the files were not all looked at for this note]',
    );
    assert.equal(leftOutNote(undefined, ['/w']), '');
  });
});
