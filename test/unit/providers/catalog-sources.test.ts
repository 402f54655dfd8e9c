import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import type { ModelInfo, ModelPrices } from '../../../src/domain/models/model.ts';
import { bundledModels } from '../../../src/providers/catalog/bundle.ts';
import type { BundleFile } from '../../../src/providers/catalog/bundle.ts';
import type { Extract } from '../../rig/catalog/second-source.ts';
import { differences } from '../../support/catalog/compare.ts';

const fixture = (name: string): string =>
  readFileSync(new URL(`../../fixtures/catalog/${name}`, import.meta.url), 'utf8');
const second = JSON.parse(fixture('genai-prices.json')) as Extract;
/** By reason, then by provider and id: the kinds of facts in which the sources differ. */
const known = JSON.parse(fixture('known-differences.json')) as Record<
  string,
  Record<string, string>
>;

const bundle = bundledModels();
const all = bundle.providers.flatMap((provider) => bundle.models(provider));
const nameOf = (model: ModelInfo): string => `${model.provider}/${model.id}`;

describe('the bundled list of models (D6, B12)', () => {
  it('is one dated file of at most 15 kB, with its source and its licence', () => {
    const packed = readFileSync(
      new URL('../../../src/providers/catalog/models.json.br', import.meta.url),
    );
    assert.ok(packed.length <= 15_000, `${packed.length} bytes`);
    const file = JSON.parse(brotliDecompressSync(packed).toString()) as BundleFile;
    assert.match(file.date, /^20\d\d-[01]\d-[0-3]\d$/);
    assert.match(file.source, /^npm package @earendil-works\/pi-ai \d+\.\d+\.\d+$/);
    assert.match(
      file.notice,
      /^Copyright \(c\) .+\n\nPermission is hereby granted, free of charge/,
    );
  });

  it('has hundreds of models, of every provider that people have keys of', () => {
    assert.ok(all.length > 800, `${all.length} models`);
    const MUST =
      'anthropic openai gemini openrouter groq deepseek mistral xai moonshot zai together fireworks cerebras minimax bedrock azure vercel';
    for (const provider of MUST.split(' ')) assert.ok(bundle.models(provider).length > 0, provider);
  });

  it('says of each model what is possible, and of each id once', () => {
    assert.equal(new Set(all.map(nameOf)).size, all.length);
    for (const model of all) {
      const { contextWindow, maxOutputTokens } = model;
      assert.ok(Number.isInteger(contextWindow) && contextWindow >= 4000, nameOf(model));
      assert.ok(maxOutputTokens > 0 && maxOutputTokens <= contextWindow, nameOf(model));
      assert.ok(model.name !== '' && (model.thinking || model.efforts === undefined));
      if (model.prices !== undefined) assert.ok(arePossible(model.prices), nameOf(model));
    }
  });

  it('prices of the Claude models: cache writes cost 1.25 and 2 times the input', () => {
    for (const { id, prices } of bundle.models('anthropic')) {
      if (prices === undefined) continue;
      const { input, cacheRead, cacheWrite, cacheWriteHour } = prices;
      assert.ok(cacheRead <= input / 10, id);
      assert.deepEqual([cacheWrite, cacheWriteHour], [input * 1.25, input * 2], id);
    }
  });

  it('agrees with a second source, but for what is named with its reason', () => {
    const both = all.filter((model) => second.models[nameOf(model)] !== undefined);
    assert.ok(both.length > 350, `${both.length} models are in both`);
    const found: Record<string, string> = {};
    const words: Record<string, string> = {};
    for (const model of both) {
      const opinion = second.models[nameOf(model)];
      const differs = opinion === undefined ? [] : differences(model, opinion);
      if (differs.length === 0) continue;
      found[nameOf(model)] = differs.map((one) => one.split(' ')[0]).join(' ');
      words[nameOf(model)] = differs.join(', ');
    }
    const named = Object.fromEntries(Object.values(known).flatMap((one) => Object.entries(one)));
    const news = Object.keys(found).filter((name) => found[name] !== named[name]);
    assert.deepEqual(
      news.map((name) => `${name}: ${words[name]}`),
      [],
      'new differences (ours, then theirs): mend the data, or name the reason',
    );
    assert.deepEqual(
      Object.keys(named).filter((name) => found[name] === undefined),
      [],
      'these do not differ any more',
    );
    const first = both.filter(({ provider }) => provider !== 'openrouter');
    const differing = first.filter((model) => found[nameOf(model)] !== undefined);
    assert.ok(differing.length * 7 < first.length, `${differing.length} of ${first.length}`);
  });

  it('a wrong price, tier or window would be found', () => {
    const model = bundle.models('openai').find(({ id }) => id === 'gpt-5.6-luna');
    const opinion = second.models['openai/gpt-5.6-luna'];
    assert.ok(model?.prices?.longPrompt !== undefined && opinion !== undefined);
    assert.deepEqual(differences(model, opinion), []);
    const { longPrompt } = model.prices;
    const prices = { ...model.prices, output: 1.21 };
    const wrong: readonly (readonly [ModelInfo, string])[] = [
      [{ ...model, contextWindow: 200_000 }, 'window'],
      [{ ...model, prices }, 'output'],
      [
        {
          ...model,
          prices: { ...model.prices, longPrompt: { ...longPrompt, aboveTokens: 128_000 } },
        },
        'input output cacheRead cacheWrite',
      ],
    ];
    for (const [changed, kinds] of wrong)
      assert.equal(
        differences(changed, opinion)
          .map((one) => one.split(' ')[0])
          .join(' '),
        kinds,
      );
  });
});

/** Reading the cache costs no more than reading, more tokens never less, and answers not absurdly more than questions. */
function arePossible({ input, output, cacheRead, longPrompt }: ModelPrices): boolean {
  return (
    input >= 0 &&
    output >= 0 &&
    cacheRead <= input &&
    output <= input * 15 &&
    (longPrompt === undefined ||
      (longPrompt.aboveTokens > 0 &&
        longPrompt.prices.input >= input &&
        arePossible(longPrompt.prices)))
  );
}
