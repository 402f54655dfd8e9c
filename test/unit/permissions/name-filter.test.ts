import assert from 'node:assert/strict';
import { mayPass } from '../../../src/core/permissions/command/name-filter.ts';

/** Patterns, a name, and if a file of that name is looked into by what is meant, and by all but what is left out. */
const NAMES: readonly (readonly [pattern: string, name: string, only: boolean, but: boolean])[] = [
  ['a.ts', 'a.ts', true, false],
  ['a.ts', 'A.TS', true, true],
  ['A.TS', 'a.ts', true, true],
  ['a.ts', 'b.ts', false, true],
  ['a.ts', 'a.tsx', false, true],
  ['a.tsx', 'a.ts', false, true],
  ['*', '.env', true, false],
  ['*', '', true, false],
  ['*.ts', 'a.ts', true, false],
  ['*.ts', 'a.ts.ts', true, false],
  ['*.ts', 'a.js', false, true],
  ['*.ts', 'a.ts.js', false, true],
  ['a*', 'a', true, false],
  ['a*b*c', 'axbxbxc', true, false],
  ['a*b*c', 'axcxb', false, true],
  ['a**', 'a', true, false],
  ['a**b', 'axb', true, false],
  ['*ab', 'aab', true, false],
  ['*abc', 'ababc', true, false],
  ['.e?v', '.env', true, false],
  ['.e?v', '.ev', false, true],
  ['?', '', false, true],
  ['?', 'ab', false, true],
  ['*?', 'ab', true, false],
  ['', 'a', false, true],
  ['', '', true, false],
  // What is not understood is compared by its end, and leaves nothing out.
  ['{a,b}.ts', 'x.TS', true, true],
  ['{a,b}.ts', 'x.js', false, true],
  ['*.{ts,env}', '.env', true, true],
  ['[.]env', '.env', true, true],
  ['[.]env', '.key', false, true],
  ['src/*.ts', 'a.ts', true, true],
  ['!a.ts', 'a.ts', true, true],
];

describe('files that a program looks into by their names', () => {
  it('are those that are meant, in doubt more, but those left out, in doubt fewer', () => {
    for (const [pattern, name, only, but] of NAMES) {
      assert.equal(mayPass(name, { include: [pattern] }), only, `only ${pattern}: ${name}`);
      assert.equal(mayPass(name, { exclude: [pattern] }), but, `all but ${pattern}: ${name}`);
    }
    assert.equal(mayPass('a', {}), true);
    assert.equal(mayPass('a', { include: [] }), false);
    assert.equal(mayPass('a', { include: ['b', 'a'] }), true);
    assert.equal(mayPass('a', { include: ['a'], exclude: ['b', 'a'] }), false);
  });
});
