import assert from 'node:assert/strict';
import { readCompactArgument } from '../../../src/core/context/compaction/compact-argument.ts';

const WINDOW = 200_000;

describe('what stands behind /compact (D2)', () => {
  it('D2: without a number the target is half of where compaction happens by itself', () => {
    assert.deepEqual(readCompactArgument('', WINDOW), { targetTokens: 70_000, isNamed: false });
    assert.deepEqual(readCompactArgument(' keep the API ', WINDOW), {
      targetTokens: 70_000,
      isNamed: false,
      instruction: 'keep the API',
    });
  });

  for (const [text, targetTokens, instruction] of [
    ['20000', 20_000, undefined],
    ['20,000', 20_000, undefined],
    ['20k keep the file names', 20_000, 'keep the file names'],
    ['1.5k', 1500, undefined],
    ['25%', 50_000, undefined],
    ['25 % of it', 50_000, 'of it'],
    ['800 tokens', 800, undefined],
    ['to 6k', 6000, undefined],
    ['To 6K tokens', 6000, undefined],
    ['to 6,000', 6000, undefined],
    ['to 6000 tokens', 6000, undefined],
    ['6k, keep the API names', 6000, 'keep the API names'],
    ['to 25%: the names', 50_000, 'the names'],
  ] as const) {
    it(`D2: ${text}`, () => {
      assert.deepEqual(readCompactArgument(text, WINDOW), {
        targetTokens,
        isNamed: true,
        ...(instruction === undefined ? {} : { instruction }),
      });
    });
  }

  for (const text of [
    '3 files matter',
    '2026-11-22 is the release',
    '20kittens',
    '404 is what the server says',
    'to 3 files',
    'to keep 6k rows',
  ]) {
    it(`a number that is no target stays with what to keep: ${text}`, () => {
      assert.deepEqual(readCompactArgument(text, WINDOW), {
        targetTokens: 70_000,
        isNamed: false,
        instruction: text,
      });
    });
  }

  for (const text of ['0k', '300k', '120%', '0 tokens']) {
    it(`refuses ${text}, and says the window`, () => {
      assert.throws(
        () => readCompactArgument(text, WINDOW),
        /between 1 and 200,000 tokens.*Nothing was changed/u,
      );
    });
  }
});
