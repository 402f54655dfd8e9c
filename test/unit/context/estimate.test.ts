import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Message, Usage } from '../../../src/domain/message.ts';
import { loadCl100k } from '../../../src/core/context/tokens/cl100k.ts';
import {
  roughTokens,
  TokenEstimator,
  type EstimateInput,
} from '../../../src/core/context/tokens/estimate.ts';
import { Story } from './story.ts';

const usage = (inputTokens: number, outputTokens = 0): Usage => ({
  inputTokens,
  outputTokens,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
});

function input(messages: readonly Message[], changes: Partial<EstimateInput> = {}): EstimateInput {
  return { messages, overhead: '', key: 'k', limit: 1_000_000, ...changes };
}

/** A tokenizer that counts its uses; a token for each character. */
function tokenizer(): {
  readonly load: () => Promise<(text: string) => number>;
  readonly seen: string[];
  readonly loads: () => number;
} {
  const seen: string[] = [];
  let loads = 0;
  return {
    seen,
    loads: () => loads,
    load: () => {
      loads += 1;
      return Promise.resolve((text) => {
        seen.push(text);
        return text.length;
      });
    },
  };
}

describe('token estimate', () => {
  for (const { text, tokens } of [
    { text: '', tokens: 4 },
    { text: 'x'.repeat(4), tokens: 5 },
    { text: 'x'.repeat(5), tokens: 6 },
    { text: 'x'.repeat(400), tokens: 104 },
  ]) {
    it(`D5: ${text.length} characters are ${tokens} tokens: one for four, and 16 characters for the message`, async () => {
      const { messages } = new Story().person(text);
      assert.equal(await new TokenEstimator().estimate(input(messages)), tokens);
    });
  }

  it('C12: a long text is counted in small pieces, and of a very long one only a sample', async () => {
    const counter = tokenizer();
    const estimator = new TokenEstimator({
      loadTokenizer: counter.load,
      pause: async () => {
        turns += 1;
      },
    });
    let turns = 0;
    for (const length of [9_999, 123_456, 50_000_000]) {
      counter.seen.length = 0;
      assert.equal(await estimator.countText('x'.repeat(length)), length);
      assert.ok(counter.seen.every((piece) => piece.length <= 10_000));
      assert.ok(counter.seen.length <= 20, `${counter.seen.length} pieces of ${length}`);
    }
    assert.ok(turns >= 33, 'nothing else had a turn');
    // Half of it is of another kind: the sample has both.
    counter.seen.length = 0;
    const whole = `${'x'.repeat(1_000_000)}${'y'.repeat(1_000_000)}`;
    await estimator.countText(whole);
    const seen = counter.seen.join('');
    assert.ok(Math.abs(seen.replaceAll('x', '').length / seen.length - 0.5) < 0.06);
  });

  it('C12: the provider’s count is the base, and only what came after it is estimated', async () => {
    const { messages } = new Story()
      .person('x'.repeat(400))
      .says('ok', 'end_turn', usage(5000, 50))
      .person('y'.repeat(40));
    const estimator = new TokenEstimator();
    estimator.observe({ key: 'k' }, messages[1] as Message);
    assert.equal(await estimator.estimate(input(messages)), 5050 + 14);
  });

  it('C12: cached tokens are part of the base', async () => {
    const { messages } = new Story().person('x').says('ok', 'end_turn', {
      inputTokens: 1,
      outputTokens: 2,
      cacheReadTokens: 300,
      cacheWriteTokens: 40,
    });
    const estimator = new TokenEstimator();
    estimator.observe({ key: 'k' }, messages[1] as Message);
    assert.equal(await estimator.estimate(input(messages)), 343);
  });

  it('C12: a base of another prefix, or one whose message is gone, does not count', async () => {
    const { messages } = new Story().person('x').says('ok', 'end_turn', usage(5000)).person('y');
    const estimator = new TokenEstimator();
    estimator.observe({ key: 'k' }, messages[1] as Message);
    assert.ok((await estimator.estimate(input(messages, { key: 'other' }))) < 100);
    assert.ok((await estimator.estimate(input(messages.slice(2)))) < 100);
  });

  it('C12: usage that a server made up does not hide a full window', async () => {
    const { messages } = new Story()
      .person('x'.repeat(40_000))
      .says('ok', 'end_turn', usage(10, 1));
    const estimator = new TokenEstimator();
    estimator.observe({ key: 'k' }, messages[1] as Message);
    assert.ok((await estimator.estimate(input(messages))) > 10_000);
  });

  it('C12: turn after turn it comes to what a fresh estimator says, made-up usage or not', async () => {
    const story = new Story().person('x'.repeat(4000));
    const estimator = new TokenEstimator();
    for (const tokens of [1200, 10, 2500, 3600, 5, 5000]) {
      story.says('y'.repeat(4000), 'end_turn', usage(tokens)).person('z'.repeat(40));
      const answer = story.messages.at(-2) as Message;
      const fresh = new TokenEstimator();
      estimator.observe({ key: 'k' }, answer);
      fresh.observe({ key: 'k' }, answer);
      const given = input(story.messages);
      const expected = await fresh.estimate(given);
      assert.equal(await estimator.estimate(given), expected);
      assert.equal(await estimator.estimate(given), expected, 'asked twice');
    }
  });

  it('C12: the tokenizer is not loaded while a rough count decides nothing', async () => {
    const { load, loads } = tokenizer();
    const estimator = new TokenEstimator({ loadTokenizer: load });
    await estimator.estimate(input(new Story().person('x'.repeat(1000)).messages, { limit: 1000 }));
    assert.equal(loads(), 0);
  });

  it('C12: near a threshold everything that is not known is counted by the tokenizer, each message once', async () => {
    const { load, loads, seen } = tokenizer();
    const estimator = new TokenEstimator({ loadTokenizer: load });
    const story = new Story().person('x'.repeat(400)).says('y'.repeat(400));
    assert.equal(
      await estimator.estimate(input(story.messages, { limit: 400, overhead: 'abc' })),
      3 + 2 * 404,
    );
    story.person('z'.repeat(400));
    assert.equal(
      await estimator.estimate(input(story.messages, { limit: 400, overhead: 'abc' })),
      3 + 3 * 404,
    );
    assert.equal(loads(), 1);
    assert.equal(seen.filter((text) => text.startsWith('x')).length, 1);
  });

  it('C12: a tokenizer that cannot be loaded is replaced by the fallback', async () => {
    const estimator = new TokenEstimator({
      loadTokenizer: () => Promise.reject(new Error('no chunk')),
    });
    assert.equal(await estimator.countText('x'.repeat(8)), 2);
  });

  it('images count as images, not by their bytes', async () => {
    const { messages } = new Story().person('look');
    const first = messages[0] as Message;
    const withImage: Message = {
      ...first,
      parts: [
        ...first.parts,
        { type: 'binary', mediaType: 'image/png', data: 'A'.repeat(1_000_000) },
      ],
    };
    assert.equal(await new TokenEstimator().estimate(input([withImage])), 1605);
  });
});

describe('cl100k', () => {
  it('C12: counts known texts, and text that looks like a special token', async () => {
    const count = await loadCl100k();
    assert.equal(count(''), 0);
    assert.equal(count('hello world'), 2);
    assert.equal(count('tiktoken is great!'), 6);
    assert.ok(count('a <|endoftext|> b') > 2);
  });

  it('C12: slices cost less than 1 % of error', async () => {
    const { countTokens } = await import('gpt-tokenizer/encoding/cl100k_base');
    const count = await loadCl100k();
    const options = { disallowedSpecial: new Set<string>() };
    const code = await readFile(
      new URL('../../../src/domain/settings/settings.ts', import.meta.url),
      'utf8',
    );
    for (const text of [
      code,
      code.repeat(3),
      '中文的一段话，没有空格。'.repeat(150),
      'AbCdEfGh0123'.repeat(200),
    ]) {
      const whole = countTokens(text, options);
      const error = Math.abs(count(text) - whole) / whole;
      assert.ok(error < 0.01, `${(error * 100).toFixed(2)} % of ${whole}`);
    }
  });

  it('C12: an unbroken run of letters is linear', async () => {
    const count = await loadCl100k();
    // Counted in one piece, this took more than a minute.
    assert.ok(count('中'.repeat(200_000)) > 100_000);
  });

  it('D5: the fallback is within 30 % of cl100k for code and prose', async () => {
    const count = await loadCl100k();
    for (const file of [
      '../../../src/domain/settings/settings.ts',
      '../../../src/core/policies/loop-detection.ts',
      '../../../LICENSE',
    ]) {
      const text = await readFile(new URL(file, import.meta.url), 'utf8');
      const ratio = roughTokens(text) / count(text);
      assert.ok(ratio > 0.7 && ratio < 1.3, `${file}: ${ratio.toFixed(2)}`);
    }
  });
});
