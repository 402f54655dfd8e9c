import assert from 'node:assert/strict';
import {
  commandAllowed,
  commandCaught,
  patternOf,
} from '../../../src/core/permissions/rules/command-pattern.ts';
import { escaped, pathFits } from '../../../src/core/permissions/rules/path-pattern.ts';

const words = (line: string): string[] => line.split(' ');

describe('command patterns', () => {
  const allowed: readonly (readonly [pattern: string, command: string, fits: boolean])[] = [
    ['npm test', 'npm test', true],
    ['npm test', 'npm test -- --watch', false],
    ['npm test', 'npm testing', false],
    ['npm test', 'npm', false],
    ['npm test *', 'npm test', true],
    ['npm test *', 'npm test a b', true],
    ['npm run test:*', 'npm run test:unit', true],
    ['npm run test:*', 'npm run build', false],
    ['git log', '/tmp/git log', false],
    ['git*', '/tmp/git', false],
    ['git log', 'GIT log', false],
    ['*', 'rm', false],
    ['* *', 'rm -rf', false],
    ['', 'rm', false],
  ];
  for (const [pattern, command, fits] of allowed) {
    it(`allow ${JSON.stringify(pattern)} ${fits ? 'fits' : 'does not fit'} ${command}`, () => {
      assert.equal(commandAllowed(pattern, words(command)), fits);
    });
  }

  const caught: readonly (readonly [pattern: string, command: readonly string[], hit: boolean])[] =
    [
      ['git push', words('git push'), true],
      ['git push', words('git -C sub push origin main'), true],
      ['git push', words('/usr/bin/git push'), true],
      ['git push', words('sudo -u me git push'), true],
      ['git push', words('env A=1 git push'), true],
      ['git push', ['bash', '-c', 'cd x && git push'], true],
      ['git push', ['sh', '-c', '$(git push)'], true],
      ['git push', words('git pull'), false],
      ['git push', words('git log push'), true],
      ['git push --force', words('git push origin -u --force'), true],
      ['git push --force', words('git push --force=yes'), true],
      ['git push --force', words('git push origin'), false],
      ['rm -rf', words('rm -r -f x'), true],
      ['rm -rf', words('rm -fr x'), true],
      ['rm -rf', words('rm -r x'), false],
      ['rm *', words('rm x'), true],
      ['curl', words('CURL.EXE http://x'), true],
      ['curl', words('echo curl'), false],
      ['npm run *', words('npm run build'), true],
    ];
  for (const [pattern, command, hit] of caught) {
    it(`deny ${JSON.stringify(pattern)} ${hit ? 'catches' : 'leaves'} ${command.join(' ')}`, () => {
      assert.equal(commandCaught(pattern, command), hit);
    });
  }

  it('a pattern is made only of what it can say exactly', () => {
    assert.equal(patternOf(['npm', 'test']), 'npm test');
    assert.equal(patternOf(['npm', 'run', 'a b']), 'npm run "a b"');
    for (const word of ['a*', "a'b", 'a"b', 'a\nb', '', 'a\\b'])
      assert.equal(patternOf(['npm', word]), undefined, word);
    assert.ok(commandAllowed(patternOf(['npm', 'run', 'a b']) ?? '', ['npm', 'run', 'a b']));
  });
});

describe('path patterns', () => {
  const place = { roots: ['/ws'], home: '/home/me' };
  const table: readonly (readonly [
    pattern: string,
    path: string,
    exact: boolean,
    wide: boolean,
  ])[] = [
    ['src/**', '/ws/src/a.ts', true, true],
    ['src/**', '/ws/src/.hidden/a', true, true],
    ['src/**', '/ws/SRC/a.ts', false, true],
    ['src/**', '/ws/src', true, true],
    ['src/**', '/other/src/a.ts', false, false],
    ['src', '/ws/src/a.ts', false, true],
    ['src/', '/ws/src/a.ts', false, true],
    ['src/a.ts', '/ws/src/a.ts', true, true],
    ['src/*.ts', '/ws/src/deep/a.ts', false, false],
    ['.env', '/ws/.env', true, true],
    ['.env', '/ws/deep/.env', true, true],
    ['.env', '/elsewhere/.env', false, true],
    ['.env*', '/ws/deep/.env.local', true, true],
    ['*.pem', '/ws/key.PEM', false, true],
    ['~/.ssh/**', '/home/me/.ssh/id_rsa', true, true],
    ['~/.ssh/**', '/home/you/.ssh/id_rsa', false, false],
    ['/etc/**', '/etc/passwd', true, true],
    ['/etc/**', '/ws/etc/passwd', false, false],
    ['./src/a.ts', '/ws/src/a.ts', true, true],
    ['src/[id]/**', '/ws/src/[id]/a.ts', false, true],
    ['src/[id]/**', '/ws/src/i/a.ts', true, true],
  ];
  for (const [pattern, path, exact, wide] of table) {
    it(`${pattern} and ${path}: allow ${String(exact)}, deny ${String(wide)}`, () => {
      assert.equal(pathFits(pattern, path, place, 'exact'), exact, 'allow');
      assert.equal(pathFits(pattern, path, place, 'wide'), wide, 'deny');
    });
  }

  it('where the home folder is not known, a pattern below it allows nothing and denies each home', () => {
    const away = { roots: ['/ws'] };
    const key = '/home/me/.ssh/id_rsa';
    assert.equal(pathFits('~/.ssh/**', key, away, 'exact'), false);
    assert.equal(pathFits('~/.ssh/**', key, away, 'wide'), true);
    assert.equal(pathFits('~/.ssh/**', '/home/me/.aws/x', away, 'wide'), false);
  });

  it('a pattern that is too long allows nothing and denies everything', () => {
    const long = (length: number): string => `${'*a'.repeat(length / 2 - 1)}*b`;
    for (const [pattern, exact, wide] of [
      [long(1024), false, false],
      [long(1026), false, true],
    ] as const) {
      assert.equal(commandAllowed(`rm ${pattern}`, ['rm', 'c']), exact);
      assert.equal(commandCaught(`rm ${pattern}`, ['rm', 'c']), wide);
    }
  });

  it('an escaped path fits itself and nothing else', () => {
    const odd = '/ws/a[1]*{b,c}(d)!.ts';
    assert.ok(pathFits(escaped(odd), odd, place, 'exact'));
    assert.ok(!pathFits(escaped(odd), '/ws/a1xb.ts', place, 'exact'));
  });
});
