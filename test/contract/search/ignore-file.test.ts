import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { BelayIgnoreRules } from '../../../src/hosts/node/search/ignore/belay-ignore.ts';
import { IgnoreRules } from '../../../src/hosts/node/search/ignore/ignore-rules.ts';
import { IgnoreFile } from '../../../src/hosts/node/search/ignore/ignore-file.ts';

const piece = fc.constantFrom(
  'a',
  'b',
  'ab',
  '*',
  '**',
  '?',
  '[ab]',
  '[!a]',
  '[a-b]b',
  'a*',
  '*b',
  '*.b',
  '.a',
  String.raw`\*`,
  String.raw`\ab`,
  'a b',
  '{a,b}',
);
const rule = fc
  .tuple(
    fc.constantFrom('', '', '', '!', '#', String.raw`\#`, String.raw`\!`),
    fc.constantFrom('', '', '/', '**/'),
    fc.array(piece, { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', '', '/', '/**', '/*', ' ', String.raw`\ `),
  )
  .map(([mark, start, names, end]) => `${mark}${start}${names.join('/')}${end}`);
const name = fc.constantFrom(
  'a',
  'b',
  'ab',
  'bb',
  'a.b',
  '.a',
  '*',
  '**',
  'a b',
  'a ',
  '#a',
  '!a',
  '{a,b}',
);
const file = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));

describe('rules of git’s ignore files', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'belay-ignore-'));
    execFileSync('git', ['init', '-q', folder]);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('mean what they mean to git', () => {
    const rules = fc.array(rule, { minLength: 1, maxLength: 5 });
    const files = fc.array(file, { minLength: 10, maxLength: 20 });
    fc.assert(
      fc.property(rules, files, (lines, paths) => {
        writeFileSync(path.join(folder, '.gitignore'), `${lines.join('\n')}\n`);
        const own = new IgnoreFile(lines.join('\n'), false);
        const left = ofGit(folder, paths);
        for (const one of new Set(paths))
          assert.equal(own.test(one).ignored, left.has(one), `${JSON.stringify(lines)}: ${one}`);
      }),
      { numRuns: 60 },
    );
  });

  it('a rule that would be tried in endless ways is as quick as any', () => {
    const lines = [`${'*a'.repeat(300)}b`, `${'a/**/'.repeat(200)}b`, `${'[ab]*'.repeat(200)}c`];
    const own = new IgnoreFile(lines.join('\n'), true);
    assert.equal(own.test('a'.repeat(255)).ignored, false);
    assert.equal(own.test(`${'a/'.repeat(2000)}a`).ignored, false);
  });
});

function ofGit(folder: string, paths: readonly string[]): ReadonlySet<string> {
  const args = [
    '-C',
    folder,
    '-c',
    'core.quotePath=false',
    'check-ignore',
    '--no-index',
    '-z',
    '--stdin',
  ];
  try {
    const input = paths.join('\0');
    const environment = {
      ...process.env,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
    };
    const options = { input, env: environment, encoding: 'utf8', stdio: 'pipe' } as const;
    return new Set(execFileSync('git', args, options).split('\0'));
  } catch {
    // Exit 1: none of them is left out.
    return new Set();
  }
}

describe('rules over the limits', () => {
  it('of a .belayignore keep its whole folder from the agent', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'belay-many-rules-'));
    try {
      const ruleFor = (lines: number, line = 'ab'): string | undefined => {
        writeFileSync(
          path.join(folder, '.belayignore'),
          `# ${'*?'.repeat(999)}\n${`${line}\n`.repeat(lines - 1)}`,
        );
        return new BelayIgnoreRules().ruleFor(path.join(folder, 'x.ts'), false)?.file;
      };
      assert.equal(ruleFor(999), undefined);
      assert.equal(ruleFor(1001), path.join(folder, '.belayignore'));
      assert.equal(ruleFor(999, '*.log'), undefined);
      for (const line of ['**/a*', '[ab]c*', '*a?', '**/a/b', 'x'.repeat(400)])
        assert.equal(ruleFor(300, line), path.join(folder, '.belayignore'), line.slice(0, 10));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('of .gitignore files are left out, also when they are in folders one in another', async () => {
    const top = mkdtempSync(path.join(tmpdir(), 'belay-many-rules-'));
    const inner = path.join(top, 'inner');
    try {
      mkdirSync(path.join(top, '.git'));
      mkdirSync(inner);
      writeFileSync(path.join(top, '.gitignore'), `${'*a*b\n'.repeat(40)}x.t*\n`);
      writeFileSync(path.join(inner, '.gitignore'), `${'*a*b\n'.repeat(20)}x.i*r\nplain\n`);
      const rules = await (await IgnoreRules.atRoot(top, {})).below(inner);
      const names = ['x.top', 'x.inner', 'plain'];
      assert.deepEqual(
        names.filter((name) => rules.ignores(path.join(inner, name), false)),
        ['x.top', 'plain'],
      );
    } finally {
      rmSync(top, { recursive: true });
    }
  });
});
