import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAbortError } from '../../../src/domain/lifetime/abort.ts';
import type {
  Search,
  TextSearchRequest,
  TextSearchResult,
} from '../../../src/core/ports/files/search.ts';
import { BelayError } from '../../../src/domain/failure.ts';
import { NodeSearch } from '../../../src/hosts/node/search/search.ts';
import { ripgrepForTests } from './ripgrep-for-tests.ts';

const ripgrep = ripgrepForTests();

/** The person's own git configuration is the one of the tests. */
const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'belay home ')));
const environment = { HOME: home };

after(async () => {
  await rm(home, { recursive: true });
});

const subjects: Record<string, (() => Search) | undefined> = {
  ripgrep: ripgrep === undefined ? undefined : () => new NodeSearch([ripgrep], environment),
  'the plain scan': () => new NodeSearch([], environment),
};

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'src/a.ts': 'import x from "x";\nconst Alpha = 1;\n// alpha again\nexport { Alpha };\n',
  'src/b.ts': 'nothing here\r\nalpha with CRLF\r\nend',
  'src/deep/er/c.test.ts': 'ALPHA\n',
  'README.md': '# alpha (beta) [x] $1.00\n',
  'ignored.log': 'alpha ignored\n',
  'build/out.js': 'alpha built\n',
  'src/generated/x.ts': 'alpha generated\n',
  'src/generated/keep.ts': 'alpha kept\n',
  '.github/workflows/ci.yml': 'name: alpha\n',
  '.env': 'SECRET=alpha\n',
  '.env.local': 'SECRET=alpha\n',
  '.env.example': 'SECRET=example-alpha\n',
  '.git/config': 'alpha of git\n',
  '.gitignore': '*.log\n/build/\n',
  'src/.gitignore': 'generated/*\n!generated/keep.ts\n',
  'image.png': new Uint8Array([0x89, 0x50, 0, 0, ...new TextEncoder().encode('alpha')]),
  'wide/min.js': `${'x'.repeat(5000)}alpha${'y'.repeat(5000)}\n`,
  "odd “name” 'n\n💥.txt": 'alpha odd\n',
  'umlaut.txt': 'Größe alpha\n',
};

for (const [name, make] of Object.entries(subjects)) {
  describe(`contract of Search: ${name}`, function () {
    before(function () {
      if (make === undefined) this.skip();
    });

    let root: string;
    let search: Search;

    before(async () => {
      if (make === undefined) return;
      search = make();
      root = realpathSync(await mkdtemp(path.join(tmpdir(), 'belay search ')));
      for (const [file, content] of Object.entries(FILES)) {
        await mkdir(path.dirname(path.join(root, file)), { recursive: true });
        await writeFile(path.join(root, file), content);
      }
      await symlink(root, path.join(root, 'src', 'loop'));
      await symlink(path.join(root, 'README.md'), path.join(root, 'linked.md'));
    });

    after(async () => {
      if (root !== undefined) await rm(root, { recursive: true });
    });

    const signal = (): AbortSignal => new AbortController().signal;

    async function find(
      pattern: string,
      request: Partial<TextSearchRequest> = {},
    ): Promise<TextSearchResult> {
      return search.text(
        { root, pattern, regex: true, caseSensitive: false, context: 0, limit: 100, ...request },
        signal(),
      );
    }

    /** `file:line:text`, below the root. */
    const lines = ({ matches }: TextSearchResult): string[] =>
      matches.map((match) => `${path.relative(root, match.path)}:${match.line}:${match.text}`);

    const filesOf = (result: TextSearchResult): string[] => [
      ...new Set(result.matches.map((match) => path.relative(root, match.path))),
    ];

    it('finds in the order of the paths, without what is ignored, secret, binary or linked', async () => {
      const found = await find('alpha', { exclude: ['wide'] });
      assert.deepEqual(lines(found), [
        '.env.example:1:SECRET=example-alpha',
        '.github/workflows/ci.yml:1:name: alpha',
        'README.md:1:# alpha (beta) [x] $1.00',
        "odd “name” 'n\n💥.txt:1:alpha odd",
        'src/a.ts:2:const Alpha = 1;',
        'src/a.ts:3:// alpha again',
        'src/a.ts:4:export { Alpha };',
        'src/b.ts:2:alpha with CRLF',
        'src/deep/er/c.test.ts:1:ALPHA',
        'src/generated/keep.ts:1:alpha kept',
        'umlaut.txt:1:Größe alpha',
      ]);
      assert.equal(found.complete, true);
    });

    it('minds capitals when asked to', async () => {
      assert.deepEqual(filesOf(await find('Alpha', { caseSensitive: true })), ['src/a.ts']);
    });

    it('takes plain text as it is', async () => {
      assert.deepEqual(lines(await find('(beta) [x] $1.00', { regex: false })), [
        'README.md:1:# alpha (beta) [x] $1.00',
      ]);
    });

    it('understands anchors, classes, repetition and Unicode', async () => {
      assert.deepEqual(lines(await find(String.raw`^\w+ with CR.F$`)), [
        'src/b.ts:2:alpha with CRLF',
      ]);
      assert.deepEqual(lines(await find('gr[öo]ße')), ['umlaut.txt:1:Größe alpha']);
      assert.deepEqual(lines(await find('end$', { include: ['b.ts'] })), ['src/b.ts:3:end']);
    });

    it('gives lines of context', async () => {
      const { matches } = await find('alpha with', { context: 2 });
      assert.deepEqual(matches[0]?.before, ['nothing here']);
      assert.deepEqual(matches[0]?.after, ['end']);
      const close = await find('Alpha', { caseSensitive: true, context: 1, include: ['a.ts'] });
      assert.deepEqual(
        close.matches.map(({ before, line, after }) => [before, line, after]),
        [
          [['import x from "x";'], 2, ['// alpha again']],
          [['// alpha again'], 4, []],
        ],
      );
    });

    it('keeps to globs, by name at any depth or by path from the root', async () => {
      assert.deepEqual(filesOf(await find('alpha', { include: ['*.test.ts'] })), [
        'src/deep/er/c.test.ts',
      ]);
      assert.deepEqual(filesOf(await find('alpha', { include: ['src/*.ts'] })), [
        'src/a.ts',
        'src/b.ts',
      ]);
      assert.deepEqual(filesOf(await find('alpha', { include: ['*.{md,yml}'] })), [
        '.github/workflows/ci.yml',
        'README.md',
      ]);
      assert.deepEqual(
        filesOf(
          await find('alpha', { include: ['*.ts'], exclude: ['*.test.ts', 'src/generated/**'] }),
        ),
        ['src/a.ts', 'src/b.ts'],
      );
      assert.deepEqual(filesOf(await find('alpha', { include: ['.env*'] })), ['.env.example']);
    });

    it('searches one file when the root is a file', async () => {
      const file = path.join(root, 'src', 'a.ts');
      assert.deepEqual(lines(await find('alpha', { root: file })), [
        'src/a.ts:2:const Alpha = 1;',
        'src/a.ts:3:// alpha again',
        'src/a.ts:4:export { Alpha };',
      ]);
    });

    it('honours .gitignore files above the folder that is searched', async () => {
      const found = await find('alpha', { root: path.join(root, 'src', 'generated') });
      assert.deepEqual(filesOf(found), ['src/generated/keep.ts']);
    });

    it('counts the lines of each file instead', async () => {
      const request = { root, regex: true, caseSensitive: false, context: 0 };
      const counted = await search.counts(
        { ...request, pattern: 'alpha', limit: 5, exclude: ['wide', '*.yml'] },
        signal(),
      );
      assert.deepEqual(
        counted.files.map((file) => [path.relative(root, file.path), file.lines]),
        [
          ['.env.example', 1],
          ['README.md', 1],
          ["odd “name” 'n\n💥.txt", 1],
          ['src/a.ts', 3],
          ['src/b.ts', 1],
        ],
      );
      assert.equal(counted.complete, false);
      const none = await search.counts({ ...request, pattern: 'no such', limit: 5 }, signal());
      assert.deepEqual([none.files, none.complete], [[], true]);
      await assert.rejects(search.counts({ ...request, pattern: '(un', limit: 5 }, signal()), {
        code: 'invalid',
      });
    });

    it('honours what git leaves out everywhere, and in this repository only', async () => {
      const excludes = path.join(root, '.git', 'info', 'exclude');
      await mkdir(path.dirname(excludes), { recursive: true });
      await mkdir(path.join(home, '.config', 'git'), { recursive: true });
      await writeFile(excludes, 'umlaut.txt\n');
      await writeFile(path.join(home, '.config', 'git', 'ignore'), '*.md\ndeep/\n');
      try {
        const without = ['README.md', 'umlaut.txt', 'src/deep/er/c.test.ts'];
        const found = filesOf(await find('alpha'));
        assert.deepEqual(
          found.filter((file) => without.includes(file)),
          [],
        );
        await writeFile(path.join(home, '.gitconfig'), '[core]\n  excludesFile = ~/mine\n');
        await writeFile(path.join(home, 'mine'), '/wide\n');
        const mine = filesOf(await find('alpha'));
        assert.ok(mine.includes('README.md') && !mine.includes('wide/min.js'), mine.join());
        assert.deepEqual(await named('**/*.js'), []);
      } finally {
        await rm(excludes);
        await rm(path.join(home, '.config'), { recursive: true });
        await rm(path.join(home, '.gitconfig'), { force: true });
      }
    });

    describe('.belayignore', () => {
      const kept = (names: readonly string[], below = root): Promise<void> =>
        writeFile(path.join(below, '.belayignore'), `${names.join('\n')}\n`);

      afterEach(async () => {
        await rm(path.join(root, '.belayignore'), { force: true, recursive: true });
        await rm(path.join(root, 'src', '.belayignore'), { force: true });
      });

      it('keeps what it names from both searches, and is read anew each time', async () => {
        await kept(['/src/', '*.md', 'odd*', 'wide']);
        const visible = ['.env.example', '.github/workflows/ci.yml', 'umlaut.txt'];
        assert.deepEqual(filesOf(await find('alpha')), visible);
        assert.deepEqual(await named('**/*.{ts,md}'), []);
        assert.deepEqual(await named('readme'), []);
        await kept(['/src/*', '!/src/a.ts', 'README.MD', '.github', 'wide', 'odd*']);
        assert.deepEqual(filesOf(await find('alpha')), ['.env.example', 'src/a.ts', 'umlaut.txt']);
        await rm(path.join(root, '.belayignore'));
        assert.ok(filesOf(await find('alpha')).includes('src/deep/er/c.test.ts'));
      });

      it('counts in every folder, the nearest first, and is not undone by .gitignore or a glob', async () => {
        await kept(['b.ts', 'keep.ts']);
        await kept(['deep', '!b.ts'], path.join(root, 'src'));
        const found = filesOf(await find('alpha', { include: ['*.ts'] }));
        // A glob brings back what .gitignore names, as in ripgrep, but not what the person keeps back.
        assert.deepEqual(found, ['src/a.ts', 'src/b.ts', 'src/generated/x.ts']);
        assert.deepEqual(await named('**/keep.ts'), []);
      });

      it('holds above the folder that is searched, and for a file that is searched alone', async () => {
        await kept(['er', 'a.ts']);
        const inside = await find('alpha', { root: path.join(root, 'src', 'deep', 'er') });
        assert.deepEqual(inside.matches, []);
        const alone = await find('alpha', { root: path.join(root, 'src', 'a.ts') });
        assert.deepEqual(alone.matches, []);
        const files = await search.files(
          { root: path.join(root, 'src', 'deep', 'er'), pattern: '*', limit: 9 },
          signal(),
        );
        assert.deepEqual(files.paths, []);
      });

      it('does not count towards the limit', async () => {
        await kept(['src', '.github', 'README.md', 'wide', 'odd*', 'umlaut.txt']);
        const found = await find('alpha', { limit: 1 });
        assert.deepEqual(filesOf(found), ['.env.example']);
        assert.equal(found.complete, true);
      });
    });

    it('shows the part of a long line around the match', async () => {
      const { matches } = await find('alpha', { include: ['*.js'] });
      assert.equal(matches.length, 1);
      assert.match(matches[0]?.text ?? '', /^…x+alphay+…$/u);
      assert.ok((matches[0]?.text.length ?? 0) <= 402);
    });

    it('stops at the limit and says that there is more', async () => {
      const found = await find('a', { limit: 3 });
      assert.equal(found.matches.length, 3);
      assert.equal(found.complete, false);
      const all = await find('^ALPHA$', { limit: 1, caseSensitive: true });
      assert.equal(all.complete, true);
    });

    it('finds nothing where there is nothing', async () => {
      const { matches, complete } = await find('no such text anywhere');
      assert.deepEqual({ matches, complete }, { matches: [], complete: true });
    });

    it('says what is wrong with a pattern, and what to do', async () => {
      await assert.rejects(
        find('(unclosed'),
        (thrown) =>
          thrown instanceof BelayError &&
          thrown.code === 'invalid' &&
          /not a regular expression.*"regex": false/su.test(thrown.message),
      );
      assert.deepEqual((await find('(unclosed', { regex: false })).matches, []);
      for (const pattern of ['a\\nb', '(?<=a)b', '(?!a)b', String.raw`(a)\1`]) {
        const found = await find(pattern).catch((thrown: unknown) => String(thrown));
        if (typeof found === 'string') assert.match(found, /not supported(?!.*--)/su);
      }
    });

    it('a glob that is none is not taken for a wrong pattern', async () => {
      const found = await find('alpha', { include: ['{a,b'] }).catch((thrown: unknown) => thrown);
      if (found instanceof Error) assert.match(found.message, /glob of "include" or "exclude"/u);
    });

    it('takes patterns and names that look like options', async () => {
      assert.deepEqual((await find('--files')).matches, []);
      assert.deepEqual((await find('-e')).complete, true);
    });

    it('stops when the signal fires', async () => {
      const controller = new AbortController();
      const searching = search.text(
        {
          root: '/usr',
          pattern: 'surely[not]there',
          regex: true,
          caseSensitive: true,
          context: 0,
          limit: 10,
        },
        controller.signal,
      );
      controller.abort('canceled');
      await assert.rejects(searching, isAbortError);
      await assert.rejects(
        search.files({ root: '/usr', pattern: 'x', limit: 10 }, AbortSignal.abort('canceled')),
        isAbortError,
      );
    });

    async function named(pattern: string, limit = 100): Promise<string[]> {
      return (await search.files({ root, pattern, limit }, signal())).paths.map((file) =>
        path.relative(root, file),
      );
    }

    it('finds files by glob, in the order of the paths', async () => {
      assert.deepEqual(await named('**/*.ts'), [
        'src/a.ts',
        'src/b.ts',
        'src/deep/er/c.test.ts',
        'src/generated/keep.ts',
      ]);
      assert.deepEqual(await named('*.{md,yml}'), ['.github/workflows/ci.yml', 'README.md']);
      assert.deepEqual(await named('src/*.ts'), ['src/a.ts', 'src/b.ts']);
      assert.deepEqual(await named('**/.env*'), ['.env.example']);
    });

    it('finds files by part of a name, best first', async () => {
      assert.equal((await named('readme'))[0], 'README.md');
      assert.equal((await named('ctest'))[0], 'src/deep/er/c.test.ts');
      assert.equal((await named('deep c.test'))[0], 'src/deep/er/c.test.ts');
      assert.equal((await named('dpctst'))[0], 'src/deep/er/c.test.ts');
      assert.equal((await named('s/gk'))[0], 'src/generated/keep.ts');
      assert.equal((await named('B.TS'))[0], 'src/b.ts');
      assert.deepEqual(await named('zzzz'), []);
      assert.deepEqual(await named('odd'), ["odd “name” 'n\n💥.txt"]);
    });

    it('gives at most as many files as asked for, and says that there are more', async () => {
      const found = await search.files({ root, pattern: '**/*', limit: 2 }, signal());
      assert.equal(found.paths.length, 2);
      assert.equal(found.complete, false);
    });
  });
}

describe('NodeSearch', () => {
  it('gives up a pattern that would backtrack for ever, and says so', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'belay-slow-'));
    try {
      await writeFile(path.join(folder, 'a'), `${'a'.repeat(60)}!\n`);
      const request = { root: folder, regex: true, caseSensitive: true, context: 0, limit: 1 };
      const searching = new NodeSearch([], {}).text(
        { ...request, pattern: '^(a+)+$' },
        new AbortController().signal,
      );
      await assert.rejects(
        searching,
        (thrown) => thrown instanceof BelayError && /takes too long/u.test(thrown.message),
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('stays awake whatever the patterns are, and stops when it is told to', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'belay-awake-'));
    try {
      await writeFile(path.join(folder, 'a'), 'a'.repeat(1_000_000));
      await writeFile(path.join(folder, 'a'.repeat(250)), 'x');
      const request = { root: folder, regex: true, caseSensitive: true, context: 0, limit: 1 };
      const stop = new AbortController();
      // One repetition alone takes half a trillion steps on this line.
      const searching = new NodeSearch([], {}).text({ ...request, pattern: 'a*b' }, stop.signal);
      setTimeout(() => stop.abort(), 200);
      await assert.rejects(searching, (thrown) => (thrown as Error).name === 'AbortError');
      const pattern = `${'*a'.repeat(100)}b`;
      const { paths } = await new NodeSearch([], {}).files(
        { root: folder, pattern, limit: 9 },
        new AbortController().signal,
      );
      assert.deepEqual(paths, []);
      const found = await new NodeSearch([], {}).text(
        { ...request, pattern: 'x', include: [`${'*a'.repeat(100)}b`, `${'a'.repeat(9)}*`] },
        new AbortController().signal,
      );
      assert.equal(found.matches.length, 1);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('takes no program from a relative entry of the PATH: that would be one of the workspace', async function () {
    const folder = await mkdtemp(path.join(tmpdir(), 'belay-path-'));
    const before = process.cwd();
    try {
      await writeFile(path.join(folder, 'rg'), '#!/bin/sh\ntouch ran\n', { mode: 0o755 });
      process.chdir(folder);
      const search = new NodeSearch([], { PATH: '.:' });
      await search.files({ root: folder, pattern: 'rg', limit: 1 }, new AbortController().signal);
      await assert.rejects(
        import('node:fs/promises').then((fs) => fs.stat(path.join(folder, 'ran'))),
      );
    } finally {
      process.chdir(before);
      await rm(folder, { recursive: true });
    }
  });
});
