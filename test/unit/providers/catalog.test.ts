import assert from 'node:assert/strict';
import { inEnglish } from '../../../src/domain/text/told.ts';
import { costOf } from '../../../src/core/model-call/cost.ts';
import type { ModelInfo } from '../../../src/domain/models/model.ts';
import { createCatalog } from '../../../src/providers/catalog/catalog.ts';
import { effortFor } from '../../../src/providers/catalog/effort.ts';
import { readUpdates } from '../../../src/providers/catalog/updates.ts';

const catalog = createCatalog({ offered: ['anthropic'] });

/** Provider, id as somebody writes it, window, what it is found as, dollars for a million tokens of input. */
type Row = readonly [string, string, number, string, number | 'no price', 'guess'?];

describe('model catalog (D6, B12)', () => {
  const ROWS: readonly Row[] = [
    // exact
    ['anthropic', 'claude-haiku-4-5', 200_000, 'Claude Haiku 4.5', 1],
    ['openrouter', 'anthropic/claude-sonnet-5.5', 1_000_000, 'Claude Sonnet 5.5', 2],
    // dated snapshots and aliases
    ['anthropic', 'claude-sonnet-4-5-20250929', 200_000, 'Claude Sonnet 4.5', 3],
    ['anthropic', 'claude-opus-5-5-20260901', 1_000_000, 'Claude Opus 5.5', 4],
    ['anthropic', 'claude-sonnet-4-5-latest', 200_000, 'Claude Sonnet 4.5', 3],
    ['openai', 'gpt-5.2-2026-01-01', 400_000, 'GPT-5.2', 1.75],
    ['openai', 'GPT-5.2', 400_000, 'GPT-5.2', 1.75],
    ['azure-claude', 'claude-sonnet-4-5@20250929', 200_000, 'Claude Sonnet 4.5', 3],
    // paths, regions, makers
    ['gemini', 'models/gemini-2.5-flash', 1_048_576, 'Gemini 2.5 Flash', 0.3],
    ['anthropic', 'anthropic/Claude-Sonnet-4.5:beta', 200_000, 'Claude Sonnet 4.5', 3],
    ['anthropic', 'us.anthropic.claude-sonnet-5-5-v1:0', 1_000_000, 'Claude Sonnet 5.5', 2],
    ['bedrock', 'claude-sonnet-5-5', 1_000_000, 'Claude Sonnet 5.5', 2.2],
    ['bedrock', 'us.anthropic.claude-sonnet-5-5', 1_000_000, 'Claude Sonnet 5.5', 2.2],
    ['bedrock', 'global.anthropic.claude-sonnet-5-5', 1_000_000, 'Claude Sonnet 5.5 (Global)', 2],
    ['openrouter', 'anthropic/claude-4.5-sonnet-20250929', 8192, '…', 'no price', 'guess'],
    // a way to serve it that has prices of its own
    ['openrouter', 'anthropic/claude-sonnet-5.5:nitro', 1_000_000, 'Claude Sonnet 5.5', 'no price'],
    // one id, many providers
    ['groq', 'openai/gpt-oss-120b', 131_072, 'GPT OSS 120B', 0.15],
    ['cerebras', 'gpt-oss-120b', 131_072, 'GPT OSS 120B', 0.35],
    // guesses: another version, a part, another provider's, nobody's
    ['anthropic', 'claude-opus-5-6', 1_000_000, 'Claude Opus 5', 'no price', 'guess'],
    ['anthropic', 'my-claude-sonnet-4-5-eu', 200_000, 'Claude Sonnet 4.5', 'no price', 'guess'],
    ['groq', 'moonshotai/kimi-k3', 1_000_000, 'Kimi K3', 'no price', 'guess'],
    ['anthropic', 'llama-9', 8192, 'llama-9', 'no price', 'guess'],
    ['anthropic', '', 8192, '', 'no price', 'guess'],
    ['ollama', 'gpt-oss:120b', 8192, 'gpt-oss:120b', 'no price', 'guess'],
    ['other-chat', 'kimi-k3', 8192, 'kimi-k3', 'no price', 'guess'],
    ['nobody', 'claude-sonnet-5-5', 8192, 'claude-sonnet-5-5', 'no price', 'guess'],
  ];
  for (const [provider, id, window, name, price, guess] of ROWS) {
    it(`D6: ${provider} ${id || '(empty)'}`, () => {
      const found = catalog.lookup(id, provider);
      assert.deepEqual(
        {
          id: found.id,
          provider: found.provider,
          window: found.contextWindow,
          name: name === '…' ? '…' : found.name,
          price: found.prices?.input ?? 'no price',
          guess: found.guessed === true,
        },
        { id, provider, window, name, price, guess: guess === 'guess' },
      );
      assert.equal(catalog.knows(id, provider), guess === undefined);
    });
  }

  it('D6: without a provider, a model is one of those that are offered', () => {
    assert.equal(catalog.lookup('claude-opus-5').prices?.input, 5);
    const { provider, contextWindow, guessed } = catalog.lookup('gpt-5.2');
    assert.deepEqual([provider, contextWindow, guessed], ['anthropic', 8192, true]);
    assert.deepEqual(
      new Set(catalog.models.map((model) => model.provider)),
      new Set(['anthropic']),
    );
    assert.equal(catalog.models[0]?.id, 'claude-sonnet-5-5');
  });

  it('flags and efforts are of the provider; models without flags have those of its preset', () => {
    assert.equal(catalog.lookup('claude-sonnet-5-5').flags?.thinkingStyle, 'between_tools');
    assert.deepEqual(catalog.lookup('anthropic/claude-sonnet-5.5', 'openrouter').flags, {
      temperature: false,
      effort: 'reasoning',
      cache: 'marks',
    });
    assert.equal(catalog.lookup('kimi-k3', 'moonshot').flags?.reasoning, 'always');
    assert.equal(catalog.lookup('unheard-of', 'fireworks').flags?.emptySignature, true);
    assert.equal(catalog.lookup('gpt-6.1-terra', 'openai').flags?.cacheBreakpoints, true);
    assert.equal(catalog.lookup('claude-sonnet-5-5').toolChoice, false);
  });

  it('D6: what the person says wins over what the provider lists, and that over the bundle', () => {
    const layered = createCatalog({
      offered: ['anthropic'],
      updates: [
        { id: 'claude-haiku-4-5', contextWindow: 300_000 },
        { id: 'openrouter/z-ai/glm-5.3', prices: priced(9) },
        { id: 'kimi-k3', provider: 'mine', vision: true },
        { id: 'anthropic/claude-opus-5', contextWindow: 400_000 },
        { id: 'openai/gpt-9', contextWindow: 500_000 },
      ],
    });
    layered.learn('anthropic', [
      { id: 'claude-haiku-4-5', contextWindow: 250_000, maxOutputTokens: 50_000 },
      { id: 'claude-new-9', contextWindow: 5_000_000 },
      { id: 'claude-opus-5-6', maxOutputTokens: 7 },
    ]);
    const haiku = layered.lookup('claude-haiku-4-5');
    assert.deepEqual(
      [haiku.contextWindow, haiku.maxOutputTokens, haiku.prices?.input],
      [300_000, 50_000, 1],
    );
    assert.deepEqual(
      layered.models.map(({ id, contextWindow, guessed }) => [id, contextWindow, guessed]),
      [
        ['claude-haiku-4-5', 300_000, undefined],
        ['claude-new-9', 5_000_000, undefined],
        ['claude-opus-5-6', 1_000_000, true],
        ['claude-opus-5', 400_000, undefined],
      ],
    );
    assert.equal(layered.lookup('claude-opus-4-8').prices?.input, 5, 'not listed, but known');
    assert.equal(layered.lookup('claude-opus-5').contextWindow, 400_000);
    assert.equal(layered.lookup('gpt-9', 'openai').contextWindow, 500_000);
    assert.equal(layered.lookup('openai/gpt-9').contextWindow, 500_000, 'of a gateway');
    assert.equal(layered.lookup('z-ai/glm-5.3', 'openrouter').prices?.input, 9);
    assert.equal(layered.knows('kimi-k3', 'mine'), true);
    assert.equal(layered.lookup('kimi-k3', 'moonshot').prices?.input, 3);
    layered.learn('anthropic', []);
    assert.equal(layered.models.length, catalog.models.length);
  });

  it('two instances of one preset have its list, and each what its own server lists', () => {
    const two = createCatalog({
      offered: ['work', 'home'],
      presetOf: (instance) => (instance === 'work' ? 'openrouter' : 'ollama'),
    });
    two.learn('home', [{ id: 'qwen3:8b', contextWindow: 40_960 }]);
    assert.equal(two.lookup('z-ai/glm-5.2', 'work').provider, 'work');
    assert.equal(two.lookup('qwen3:8b').provider, 'home');
    assert.equal(two.lookup('qwen3:8b', 'home').contextWindow, 40_960);
    assert.equal(two.defaultModel('work'), 'anthropic/claude-sonnet-5.5');
    assert.equal(two.defaultModel('home'), 'qwen3:8b');
  });

  it('B10: the default model and a cheap one of the same provider', () => {
    const SMALL: readonly (readonly [string, string, string])[] = [
      ['anthropic', 'claude-opus-5-5', 'claude-haiku-5-5'],
      ['anthropic', 'claude-opus-5-6', 'claude-haiku-5-5'],
      ['anthropic', 'llama-9', 'llama-9'],
      ['openai', 'gpt-5-nano', 'gpt-5-nano'],
      ['openai', 'gpt-6.1-sol', 'gpt-6-luna'],
      ['openrouter', 'moonshotai/kimi-k3.1-pro', 'anthropic/claude-haiku-5.5'],
      ['together', 'moonshotai/Kimi-K3', 'moonshotai/Kimi-K3'],
    ];
    for (const [provider, id, small] of SMALL)
      assert.equal(catalog.smallModel(id, provider), small, `${provider} ${id}`);
    assert.equal(catalog.defaultModel('anthropic'), 'claude-sonnet-5-5');
    assert.equal(catalog.defaultModel('nobody'), undefined);
    const mine = { id: 'mine', provider: 'anthropic', prices: priced(0) };
    const personal = createCatalog({ offered: ['anthropic'], updates: [mine] });
    assert.equal(personal.smallModel('claude-opus-5'), 'mine');
  });

  it('the list is not opened by what needs none of it', () => {
    let opened = 0;
    const demo: ModelInfo = {
      ...catalog.lookup('unknown'),
      id: 'demo',
      provider: 'demo',
      prices: priced(0),
    };
    const lazy = createCatalog({
      offered: ['anthropic', 'demo'],
      own: [demo],
      bundle: () => {
        opened += 1;
        return { date: '', providers: [], models: () => [], preset: () => undefined };
      },
    });
    assert.equal(lazy.defaultModel('anthropic'), 'claude-sonnet-5-5');
    assert.equal(lazy.lookup('demo').provider, 'demo');
    assert.equal(opened, 0);
    lazy.lookup('claude-sonnet-5-5');
    assert.ok(opened > 0);
  });

  it('D7: effort is one scale; a step that the model has not is the next one below, else above', () => {
    const asked = (provider: string, id: string) => {
      const info = catalog.lookup(id, provider);
      return (['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const).map((step) => {
        const effort = effortFor(info, step);
        return effort.value ?? `(${effort.step})`;
      });
    };
    const FULL = ['low', 'low', 'medium', 'high', 'xhigh', 'max'];
    assert.deepEqual(asked('anthropic', 'claude-sonnet-5-5'), ['(off)', ...FULL]);
    assert.deepEqual(asked('anthropic', 'claude-opus-5-5'), ['low', ...FULL]);
    assert.deepEqual(asked('openai', 'gpt-5.1'), 'none low low medium high high high'.split(' '));
    assert.deepEqual(asked('moonshot', 'kimi-k3'), 'low low low low high high max'.split(' '));
    assert.deepEqual(asked('gemini', 'gemma-4-31b-it').at(-1), 'HIGH');
    assert.deepEqual(
      asked('openai', 'gpt-4.1'),
      Array.from({ length: 7 }, () => '(off)'),
    );
    assert.deepEqual(asked('openrouter', 'z-ai/glm-5').slice(0, 3), ['(off)', 'low', 'low']);
  });

  it('B12: a long prompt has other prices, for the whole call; there may be several lengths', () => {
    const usage = (inputTokens: number, cacheReadTokens = 0) => ({
      inputTokens,
      cacheReadTokens,
      cacheWriteTokens: 0,
      outputTokens: 1000,
    });
    const near = (actual: number, expected: number): void =>
      assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);
    const haiku = catalog.lookup('claude-haiku-5-5').prices;
    assert.ok(haiku);
    near(costOf(usage(60_000, 40_000), haiku), (60_000 * 0.1 + 40_000 * 0.01 + 1000 * 0.5) / 1e6);
    near(costOf(usage(60_000, 40_001), haiku), (60_000 * 0.5 + 40_001 * 0.05 + 1000 * 2.5) / 1e6);
    near(
      costOf({ ...usage(60_000, 40_000), cacheWriteTokens: 1000 }, haiku, '1h'),
      (60_000 * 0.5 + 40_000 * 0.05 + 1000 * 1 + 1000 * 2.5) / 1e6,
    );
    const qwen = catalog.lookup('qwen/qwen3-coder-flash', 'openrouter').prices;
    assert.ok(qwen);
    near(costOf(usage(32_000), qwen), (32_000 * 0.195 + 1000 * 0.975) / 1e6);
    near(costOf(usage(32_001), qwen), (32_001 * 0.325 + 1000 * 1.625) / 1e6);
    near(costOf(usage(200_000), qwen), (200_000 * 0.52 + 1000 * 2.6) / 1e6);
    const none = catalog.lookup('gpt-4', 'openai').prices;
    assert.deepEqual([none?.cacheRead, none?.cacheWrite], [30, 30], 'no discount is known');
  });

  it('D6: updates are read from the setting; what is wrong is named and passed over', () => {
    const longPrompt = { aboveTokens: 0, prices: {} };
    const { updates, problems } = readUpdates({
      good: { contextWindow: 5 },
      text: 'none',
      a: { contextWindow: '5' },
      b: { vision: 'yes' },
      c: { prices: { input: 1 } },
      d: { prices: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1, longPrompt } },
      e: { name: 5 },
    });
    assert.deepEqual(updates, [{ id: 'good', contextWindow: 5 }]);
    assert.deepEqual(
      problems.map((problem) => inEnglish(problem).replace(/^.* is passed over: /, '')),
      [
        'it has no id.',
        'contextWindow is not a positive whole number.',
        'vision is neither true nor false.',
        'its prices are not numbers.',
        'its prices are not numbers.',
        'name is not text.',
      ],
    );
    assert.match(inEnglish(problems[0] ?? assert.fail()), /belay\.model\.catalog: the entry text/);
  });
});

const priced = (input: number) => ({ input, output: input, cacheRead: input, cacheWrite: input });
