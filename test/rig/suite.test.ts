import assert from 'node:assert/strict';
import { judge } from './suite.ts';

describe('the judgement of a suite', () => {
  const good = { passed: 3, failed: 0, pending: 0 };

  it('takes the numbers of a suite that ended well', () => {
    assert.deepEqual(judge(good, 0), good);
    assert.deepEqual(judge({ passed: 2, failed: 1, pending: 0 }, 1).failed, 1);
  });

  for (const [why, result, code] of [
    ['ran no test', { passed: 0, failed: 0, pending: 2 }, 0],
    ['broke off before it reported', undefined, 1],
    ['ended with an error outside of tests', good, 7],
    ['left something running', good, 'leak'],
    ['did not end', good, 'limit'],
  ] as const) {
    it(`counts one failure when the suite ${why}`, () => {
      const said: string[] = [];
      assert.equal(judge(result, code, (line) => said.push(line)).failed, 1);
      assert.equal(said.length, 1);
    });
  }
});
