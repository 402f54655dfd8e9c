import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NodeSearch } from '../../../src/hosts/node/search/search.ts';
import { ripgrepForTests } from './ripgrep-for-tests.ts';

const ripgrep = ripgrepForTests();

const ENGINES: Readonly<Record<string, readonly string[] | undefined>> = {
  ripgrep: ripgrep === undefined ? undefined : [ripgrep],
  'the plain scan': [],
};

const FILES = [
  'app/[id]/page.tsx',
  'app/[post-id]/page.tsx',
  'app/[...slug]/page.tsx',
  'app/[[...opt]]/page.tsx',
  'app/(group)/@slot/page.tsx',
  'app/{key}/page.tsx',
  'app/i/page.tsx',
  'set/a/page.tsx',
  'set/c/page.tsx',
  'pages/[slug].tsx',
];

for (const [name, programs] of Object.entries(ENGINES))
  describe(`globs with brackets: ${name}`, () => {
    if (programs === undefined) return;
    const search = new NodeSearch(programs, {});

    it('finds folders and files with brackets in their names, and sets of characters', async () => {
      const root = await mkdtemp(path.join(tmpdir(), 'belay-brackets-'));
      const { signal } = new AbortController();
      const find = async (pattern: string): Promise<readonly string[]> => {
        const { paths } = await search.files({ root, pattern, limit: 20 }, signal);
        return paths.map((file) => path.relative(root, file).split(path.sep).join('/'));
      };
      const include = async (...globs: string[]): Promise<readonly string[]> => {
        const request = { pattern: 'word', regex: true, caseSensitive: true, context: 0 };
        const found = await search.text({ ...request, root, limit: 20, include: globs }, signal);
        return found.matches.map((match) =>
          path.relative(root, match.path).split(path.sep).join('/'),
        );
      };
      try {
        for (const file of FILES) {
          await mkdir(path.dirname(path.join(root, file)), { recursive: true });
          await writeFile(path.join(root, file), 'word\n');
        }
        const cases: Readonly<Record<string, readonly string[]>> = {
          'app/[id]/*.tsx': ['app/[id]/page.tsx'],
          'app/[id]/page.[jt]sx': ['app/[id]/page.tsx'],
          'app/[post-id]/**': ['app/[post-id]/page.tsx'],
          '**/[post-id]/**': ['app/[post-id]/page.tsx'],
          'app/[...slug]/**': ['app/[...slug]/page.tsx'],
          'app/[[...opt]]/*': ['app/[[...opt]]/page.tsx'],
          '**/[[...opt]]/**': ['app/[[...opt]]/page.tsx'],
          'app/(group)/@slot/*': ['app/(group)/@slot/page.tsx'],
          'app/{key}/*': ['app/{key}/page.tsx'],
          '**/[...slug]/page.tsx': ['app/[...slug]/page.tsx'],
          'pages/[slug].*': ['pages/[slug].tsx'],
          '[slug].tsx': ['pages/[slug].tsx'],
          'set/[ab]/*.tsx': ['set/a/page.tsx'],
          'set/[!ab]/*.tsx': ['set/c/page.tsx'],
        };
        for (const [glob, files] of Object.entries(cases)) {
          assert.deepEqual(await find(glob), files, glob);
          assert.deepEqual(await include(glob), files, glob);
        }
      } finally {
        await rm(root, { recursive: true });
      }
    });
  });
