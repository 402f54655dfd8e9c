import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../rig/processes.ts';
import { assertNone } from './assert-none.ts';
import { sourceFiles } from './source-graph.ts';

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

describe('the documents', () => {
  for (const name of ['ARCHITECTURE.md', 'CONTRIBUTING.md'])
    it(`${name} names files that are there`, () => {
      const named = read(name).match(/`(?:src|webview|test|docs)\/[\w./{},*-]+`/gu) ?? [];
      assert.ok(named.length > 10, `only ${named.length} are named`);
      const missing = named
        .map((one) => one.slice(1, -1))
        .filter(
          (one) => !existsSync(path.join(root, one)) && globSync(one, { cwd: root }).length === 0,
        );
      assertNone(missing);
    });

  it('link only to files and headings that exist', () => {
    const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: root })];
    assert.ok(pages.length > 15, `only ${pages.length} pages`);
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([\w-]+))?\)/gu)].flatMap(
        ([link, file = '', heading]) => {
          const target = file === '' ? page : path.join(path.dirname(page), file);
          if (!existsSync(path.join(root, target))) return [`${page}: ${link}`];
          if (heading === undefined) return [];
          return listAnchors(read(target)).includes(heading) ? [] : [`${page}: ${link}`];
        },
      ),
    );
    assert.deepEqual(broken, []);
  });

  it('keep the README short enough to be read: at most 150 lines', () => {
    assert.ok(read('README.md').split('\n').length <= 150);
  });

  it('have every row that a comment points to by its id', () => {
    const rows = (file: string): Set<string> =>
      new Set([...read(file).matchAll(/^\| (\w+) \|/gmu)].map(([, id]) => id ?? ''));
    const requirements = rows('docs/requirements.md');
    const faults = rows('docs/model-faults.md');
    const missing: string[] = [];
    for (const file of sourceFiles()) {
      const comments = read(file).match(/\/\*\*[\s\S]*?\*\/|\/\/.*$/gmu) ?? [];
      for (const [, list = ''] of comments.join('\n').matchAll(/\(([A-E]\d{1,2}|[thsc]\d{2})\)/gu))
        if (!requirements.has(list) && !faults.has(list)) missing.push(`${file}: ${list}`);
    }
    assertNone(missing);
  });
});

/** The anchors that GitHub makes of the headings of a page. */
const listAnchors = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/^#+ (.+)$/gmu)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/gu, '')
      .replaceAll(' ', '-'),
  );
