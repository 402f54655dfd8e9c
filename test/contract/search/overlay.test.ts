import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type {
  Search,
  TextSearchRequest,
  TextSearchResult,
} from '../../../src/core/ports/files/search.ts';
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

const FILES: Readonly<Record<string, string>> = {
  'src/a.ts': 'import x from "x";\nconst Alpha = 1;\n// alpha again\nexport { Alpha };\n',
  'src/b.ts': 'nothing here\r\nalpha with CRLF\r\nend',
  'src/deep/er/c.test.ts': 'ALPHA\n',
  'README.md': '# alpha (beta) [x] $1.00\n',
  'src/generated/x.ts': 'alpha generated\n',
  'src/generated/keep.ts': 'alpha kept\n',
  '.github/workflows/ci.yml': 'name: alpha\n',
  '.env.example': 'SECRET=example-alpha\n',
  '.gitignore': '*.log\n/build/\n',
  'src/.gitignore': 'generated/*\n!generated/keep.ts\n',
};

for (const [name, make] of Object.entries(subjects)) {
  describe(`contract of Search over texts that stand in for files: ${name}`, function () {
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

    const at = (name: string): string => path.join(root, name);
    const overlay = () =>
      new Map<string, string | undefined>([
        [at('src/a.ts'), 'no more of it\r\nbut one ALPHA\r\nand an end\r\n'],
        [at('README.md'), undefined],
        [at('new/deep/n.ts'), 'alpha made\n'],
        [at('src/b.ts'), 'nothing at all'],
        // Rules hold for these, too.
        [at('build/made.js'), 'alpha ignored\n'],
        [at('new/x.log'), 'alpha ignored\n'],
        [at('src/generated/made.ts'), 'alpha ignored\n'],
        [at('new/.env'), 'alpha of a secret\n'],
        [at('.git/made'), 'alpha of git\n'],
        ['/elsewhere/e.ts', 'alpha elsewhere\n'],
      ]);

    it('finds in them, by the same rules, and not in what they stand for', async () => {
      const found = await find('alpha', { exclude: ['wide', '*.txt'], overlay: overlay() });
      assert.deepEqual(lines(found), [
        '.env.example:1:SECRET=example-alpha',
        '.github/workflows/ci.yml:1:name: alpha',
        'new/deep/n.ts:1:alpha made',
        'src/a.ts:2:but one ALPHA',
        'src/deep/er/c.test.ts:1:ALPHA',
        'src/generated/keep.ts:1:alpha kept',
      ]);
      assert.equal(found.complete, true);
      const counts = await search.counts(
        {
          root,
          pattern: 'alpha',
          regex: true,
          caseSensitive: false,
          context: 0,
          include: ['*.ts'],
          limit: 10,
          overlay: overlay(),
        },
        signal(),
      );
      // What is included by name is searched although it is ignored.
      assert.deepEqual(
        counts.files.map((file) => `${path.relative(root, file.path)}:${file.lines}`),
        [
          'new/deep/n.ts:1',
          'src/a.ts:1',
          'src/deep/er/c.test.ts:1',
          'src/generated/keep.ts:1',
          'src/generated/made.ts:1',
          'src/generated/x.ts:1',
        ],
      );
    });

    it('with context, capitals, limits, globs and places as for files', async () => {
      const { matches } = await find('ALPHA', {
        caseSensitive: true,
        context: 1,
        exclude: ['*.test.ts'],
        overlay: overlay(),
      });
      assert.deepEqual(
        matches.map(({ before, text, after }) => [before, text, after]),
        [[['no more of it'], 'but one ALPHA', ['and an end']]],
      );
      const limited = await find('alpha', { limit: 2, include: ['*.ts'], overlay: overlay() });
      assert.deepEqual([limited.matches.length, limited.complete], [2, false]);
      const single = { root: at('src/a.ts'), overlay: overlay() };
      assert.deepEqual(lines(await find('alpha', single)), ['src/a.ts:2:but one ALPHA']);
      const ignored = { include: ['made.js'], overlay: overlay() };
      assert.deepEqual(lines(await find('alpha', ignored)), [], 'its folder is ignored');
      const made = { root: at('new'), overlay: overlay() };
      assert.deepEqual(lines(await find('alpha', made)), ['new/deep/n.ts:1:alpha made']);
    });

    it('finds their names', async () => {
      const named = async (pattern: string, from = root): Promise<readonly string[]> =>
        (
          await search.files({ root: from, pattern, limit: 100, overlay: overlay() }, signal())
        ).paths.map((file) => path.relative(root, file));
      assert.deepEqual(await named('*.ts'), [
        'new/deep/n.ts',
        'src/a.ts',
        'src/b.ts',
        'src/deep/er/c.test.ts',
        'src/generated/keep.ts',
      ]);
      assert.deepEqual(await named('*.md'), []);
      assert.deepEqual(await named('**/*', at('new')), ['new/deep/n.ts']);
    });
  });
}
