import assert from 'node:assert/strict';
import { glob, globProblem, LONGEST_PATTERN, wildcard } from '../../../src/domain/glob/glob.ts';

const FITS: readonly (readonly [pattern: string, fits: string, not: string])[] = [
  ['*.ts', 'a.ts .ts', 'a.tsx a/b.ts'],
  ['*', 'a .a', 'a/b'],
  ['**', 'a a/b a/b/c', ''],
  ['**/*.ts', 'a.ts x/a.ts x/y/a.ts', 'a.js'],
  ['src/**', 'src src/a src/a/b', 'srcs lib/src'],
  ['src/**/x.ts', 'src/x.ts src/a/b/x.ts', 'src/ax.ts'],
  ['**/a/**', 'a a/b x/a/y/z', 'b ab/c'],
  ['a**b', 'ab axxb', 'a/b'],
  ['{a,b/**}', 'a b/c b', 'c'],
  ['src/{**,x}.ts', 'src/x.ts', 'src/x.js'],
  ['{src,lib}/**/*.{ts,tsx}', 'src/a.ts lib/b/c.tsx', 'bin/a.ts'],
  ['a{1..12}', 'a1 a9 a12', 'a13 a0'],
  ['{a,{b,c}d}e', 'ae bde cde', 'be'],
  ['{a}', '{a}', 'a'],
  ['[a-c]x[!0-9]', 'axy cx-', 'dxy ax1'],
  ['[[:digit:]].log', '1.log', 'a.log'],
  ['[]a]', '] a', 'b'],
  ['a[', 'a[', 'a'],
  [String.raw`\*.ts`, '*.ts', 'a.ts'],
  ['?', 'a ü 😀', 'ab /'],
  ['app/(auth)/[id]/page.tsx', 'app/(auth)/i/page.tsx', 'app/auth/i/page.tsx'],
  [String.raw`app/(auth)/\[id]/page.tsx`, 'app/(auth)/[id]/page.tsx', 'app/auth/i/page.tsx'],
];

describe('patterns for paths', () => {
  for (const [pattern, fits, not] of FITS)
    it(`${pattern} fits what it should`, () => {
      const { matches } = glob(pattern);
      for (const path of fits.split(' ')) assert.ok(matches(path), `${pattern} fits ${path}`);
      for (const path of not.split(' '))
        assert.ok(!matches(path) || path === '', `${pattern} does not fit ${path}`);
    });

  it('may be without regard to case', () => {
    const { matches } = glob('SRC/[A-C]*.Ts', { anyCase: true });
    assert.ok(matches('src/bÄ.tS') && matches('Src/Ax.ts'));
    assert.ok(!matches('src/dx.ts'));
    assert.ok(!glob('SRC').matches('src'));
    assert.ok(glob('ärger', { anyCase: true }).matches('ÄRGER'));
  });

  it('a name with stars fits line ends and slashes', () => {
    assert.ok(wildcard('git * push').matches('git -C /a/b\nx push'));
    assert.ok(!wildcard('git').matches('git push'));
  });

  // Each of these takes longer than the universe is old when the ways through it are tried one by one.
  const names = 'a'.repeat(4000);
  const hostile: readonly (readonly [pattern: string, path: string])[] = [
    [`${'*a'.repeat(500)}b`, names],
    [`${'**/'.repeat(300)}b`, 'a/'.repeat(2000)],
    [`${'**/a/'.repeat(200)}b`, 'a/'.repeat(2000)],
    [`${'{a,aa}'.repeat(150)}b`, names],
    [`${'{a*,*a}'.repeat(120)}b`, names],
    [`${'{'.repeat(500)}${'a,b}'.repeat(120)}`, names],
    [`${'?*'.repeat(500)}b`, `${'ab'.repeat(2000)}c`],
    [`${'[!b]*'.repeat(200)}b`, names],
    [
      `${'*ab*ba'.repeat(160)}c`,
      Array.from({ length: 4000 }, (_, at) => 'ab'[(at * at * 7919) & 1]).join(''),
    ],
  ];
  for (const [pattern, path] of hostile)
    it(`${pattern.slice(0, 20)}… is bounded`, () => {
      assert.equal(glob(pattern).matches(path), false);
      assert.equal(glob(pattern, { anyCase: true, ofGit: true }).matches(path), false);
      assert.equal(wildcard(pattern).matches(`${path}é`), false);
    });

  it('what is too long fits nothing, and is named', () => {
    const pattern = `${'a'.repeat(LONGEST_PATTERN)}*`;
    assert.equal(glob(pattern).matches('a'.repeat(LONGEST_PATTERN)), false);
    assert.match(globProblem(pattern) ?? '', /longer than 1024/u);
  });

  it('what does not mean what it seems to is named', () => {
    for (const pattern of ['a.[t', '!(a)', '+(a|b).ts', '!src/**'])
      assert.equal(typeof globProblem(pattern), 'string', pattern);
    for (const pattern of ['a.[t]', String.raw`\!(a)`, 'app/(auth)/**', 'a!', String.raw`a\[b`])
      assert.equal(globProblem(pattern), undefined, pattern);
  });
});
