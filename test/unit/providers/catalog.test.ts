import assert from 'node:assert/strict';
import { costOf } from '../../../src/core/model-call/cost.ts';
import { ANTHROPIC_MODELS } from '../../../src/providers/anthropic/models.ts';
import { createCatalog, readUpdates } from '../../../src/providers/catalog.ts';

const catalog = createCatalog(ANTHROPIC_MODELS);

describe('model catalog (D6, B12)', () => {
  const LOOKUPS: readonly {
    what: string;
    id: string;
    window: number;
    name: string;
    priced: boolean;
  }[] = [
    {
      what: 'exact',
      id: 'claude-haiku-4-5',
      window: 200_000,
      name: 'Claude Haiku 4.5',
      priced: true,
    },
    {
      what: 'prefix: a dated snapshot',
      id: 'claude-haiku-4-5-20251001',
      window: 200_000,
      name: 'Claude Haiku 4.5',
      priced: true,
    },
    {
      what: 'prefix: the longest wins',
      id: 'claude-opus-5-5-20260901',
      window: 1_000_000,
      name: 'Claude Opus 5.5',
      priced: true,
    },
    {
      what: 'prefix: another version has no price',
      id: 'claude-opus-5-6',
      window: 1_000_000,
      name: 'Claude Opus 5',
      priced: false,
    },
    {
      what: "substring: a gateway's name",
      id: 'anthropic/Claude-Sonnet-4.5:beta',
      window: 200_000,
      name: 'Claude Sonnet 4.5',
      priced: true,
    },
    {
      what: 'substring: the longest wins',
      id: 'us.anthropic.claude-sonnet-5-5-v1:0',
      window: 1_000_000,
      name: 'Claude Sonnet 5.5',
      priced: true,
    },
    {
      what: 'prefix before substring',
      id: 'claude-opus-5-by-claude-haiku-4-5',
      window: 1_000_000,
      name: 'Claude Opus 5',
      priced: true,
    },
    { what: 'unknown', id: 'llama-9', window: 8192, name: 'llama-9', priced: false },
    { what: 'empty', id: '', window: 8192, name: '', priced: false },
  ];
  for (const { what, id, window, name, priced } of LOOKUPS) {
    it(`D6: ${what}`, () => {
      const found = catalog.lookup(id);
      assert.deepEqual(
        [found.id, found.contextWindow, found.name, found.prices !== undefined],
        [id, window, name, priced],
      );
      assert.equal(catalog.knows(id), window !== 8192);
    });
  }

  it('D6: an update changes what is known and adds models', () => {
    const updated = createCatalog(ANTHROPIC_MODELS, [
      { id: 'claude-haiku-4-5', contextWindow: 300_000 },
      {
        id: 'new-model',
        provider: 'anthropic',
        contextWindow: 5,
        prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      },
    ]);
    assert.deepEqual(
      [
        updated.lookup('claude-haiku-4-5').contextWindow,
        updated.lookup('claude-haiku-4-5').maxOutputTokens,
      ],
      [300_000, 64_000],
    );
    assert.equal(updated.lookup('new-model-2').contextWindow, 5);
    assert.equal(updated.smallModel('claude-opus-5'), 'new-model');
  });

  it('B10: the default model and the cheapest one of the same provider', () => {
    assert.equal(catalog.defaultModel('anthropic'), 'claude-sonnet-5-5');
    assert.equal(catalog.defaultModel('nobody'), undefined);
    assert.equal(catalog.smallModel('claude-opus-5-5'), 'claude-haiku-5-5');
    assert.equal(catalog.smallModel('llama-9'), 'llama-9');
  });

  it('every id of the catalog is one that the SDK knows, once, with sound numbers', () => {
    const ids = ANTHROPIC_MODELS.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    for (const model of ANTHROPIC_MODELS) {
      assert.ok(model.maxOutputTokens <= model.contextWindow, model.id);
      if (model.prices !== undefined)
        assert.ok(
          model.prices.cacheRead < model.prices.input &&
            model.prices.input < model.prices.cacheWrite,
          model.id,
        );
    }
  });

  it('B12: a long prompt has other prices, for the whole call', () => {
    const { prices } = catalog.lookup('claude-haiku-5-5');
    assert.ok(prices);
    const usage = {
      inputTokens: 60_000,
      cacheReadTokens: 40_000,
      cacheWriteTokens: 0,
      outputTokens: 1000,
    };
    const near = (actual: number, expected: number): void =>
      assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);
    near(costOf(usage, prices), (60_000 * 0.1 + 40_000 * 0.01 + 1000 * 0.5) / 1e6);
    near(
      costOf({ ...usage, cacheReadTokens: 40_001 }, prices),
      (60_000 * 0.5 + 40_001 * 0.05 + 1000 * 2.5) / 1e6,
    );
    near(
      costOf({ ...usage, cacheWriteTokens: 1000 }, prices, '1h'),
      (60_000 * 0.5 + 40_000 * 0.05 + 1000 * 1 + 1000 * 2.5) / 1e6,
    );
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
      problems.map((problem) => problem.replace(/^.* is passed over: /, '')),
      [
        'it has no id.',
        'contextWindow is not a positive whole number.',
        'vision is neither true nor false.',
        'its prices are not numbers.',
        'its prices are not numbers.',
        'name is not text.',
      ],
    );
    assert.match(problems[0] ?? '', /belay\.model\.catalog: the entry text/);
  });
});
