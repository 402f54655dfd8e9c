import assert from 'node:assert/strict';
import { createCatalog } from '../../../src/providers/catalog/catalog.ts';
import { readListedModels } from '../../../src/providers/catalog/listed-models.ts';

describe('lists of models that providers give (D6)', () => {
  const SHAPES: readonly (readonly [string, unknown, object])[] = [
    [
      'Anthropic',
      {
        data: [
          {
            id: 'c',
            display_name: 'C',
            max_input_tokens: 200_000,
            max_tokens: 64_000,
            type: 'model',
          },
        ],
      },
      { id: 'c', name: 'C', contextWindow: 200_000, maxOutputTokens: 64_000 },
    ],
    ['OpenAI', { object: 'list', data: [{ id: 'gpt', object: 'model' }] }, { id: 'gpt' }],
    [
      'OpenRouter',
      {
        data: [
          {
            id: 'a/b',
            name: 'A: B',
            context_length: 1000,
            top_provider: { max_completion_tokens: 500, context_length: 900 },
            architecture: { input_modalities: ['text', 'image'] },
            pricing: { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003' },
          },
        ],
      },
      {
        id: 'a/b',
        name: 'B',
        contextWindow: 1000,
        maxOutputTokens: 500,
        prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3 },
        vision: true,
      },
    ],
    [
      'Groq',
      { data: [{ id: 'l', context_window: 131_072, max_completion_tokens: 32_768 }] },
      { id: 'l', contextWindow: 131_072, maxOutputTokens: 32_768 },
    ],
    [
      'Mistral',
      { data: [{ id: 'm', max_context_length: 262_144, capabilities: { vision: false } }] },
      { id: 'm', contextWindow: 262_144, vision: false },
    ],
    ['vLLM', { data: [{ id: 'v', max_model_len: 4096 }] }, { id: 'v', contextWindow: 4096 }],
    [
      'Together: a bare list, prices as numbers of another unit',
      [{ id: 't', context_length: 8192, pricing: { input: 0.3, output: 1 } }],
      { id: 't', contextWindow: 8192 },
    ],
    [
      'Gemini',
      {
        models: [
          {
            name: 'models/gemini-9',
            displayName: 'Gemini 9',
            inputTokenLimit: 10,
            outputTokenLimit: 5,
          },
        ],
      },
      { id: 'gemini-9', name: 'Gemini 9', contextWindow: 10, maxOutputTokens: 5 },
    ],
    [
      'LM Studio: the window it was loaded with',
      {
        models: [
          {
            key: 'q',
            display_name: 'Q',
            max_context_length: 131_072,
            loaded_instances: [{ id: 'q', config: { context_length: 4096 } }],
            capabilities: { vision: true },
          },
        ],
      },
      { id: 'q', name: 'Q', contextWindow: 4096, vision: true },
    ],
    [
      'what depends, or cannot be',
      {
        data: [
          {
            id: 'x',
            name: 5,
            context_length: '9',
            max_tokens: -1,
            top_provider: null,
            architecture: { input_modalities: 'image' },
            pricing: { prompt: '-1', completion: '-1' },
          },
        ],
      },
      { id: 'x' },
    ],
  ];
  for (const [what, answer, expected] of SHAPES)
    it(what, () => assert.deepEqual(readListedModels(answer), [expected]));

  it('what is no list is none; prices that nobody asks are not taken', () => {
    for (const answer of [null, 5, 'x', {}, { data: 5 }, { data: [null, 5, {}, { id: 7 }] }, []])
      assert.deepEqual(readListedModels(answer), []);
    assert.deepEqual(readListedModels([{ id: 'x'.repeat(301) }, { id: '' }]), []);
    const mixed = { id: 'x', pricing: { prompt: '0.0000001', completion: '0.000009' } };
    assert.deepEqual(readListedModels([mixed]), [{ id: 'x' }], 'of two hosts');
    const dear = { id: 'x', pricing: { prompt: '3', completion: '15' } };
    assert.deepEqual(readListedModels([dear, { id: 'y', pricing: { prompt: '' } }]), [
      { id: 'x' },
      { id: 'y' },
    ]);
    assert.equal(readListedModels(Array.from({ length: 6000 }, () => ({ id: 'x' }))).length, 5000);
  });

  it('wins over the bundled list, and keeps what it does not say', () => {
    const catalog = createCatalog({ offered: ['openrouter'] });
    const pricing = { prompt: '0.000009', completion: '0.00001' };
    const same = { prompt: '0.000000195', completion: '0.000000975' };
    catalog.learn(
      'openrouter',
      readListedModels({
        data: [
          { id: 'anthropic/claude-sonnet-5.5', pricing },
          { id: 'qwen/qwen3-coder-flash', pricing: same },
        ],
      }),
    );
    assert.equal(
      catalog.lookup('qwen/qwen3-coder-flash').prices?.longPrompt?.aboveTokens,
      32_000,
      'prices of long prompts are not listed',
    );
    const { prices, contextWindow, flags, guessed } = catalog.lookup('anthropic/claude-sonnet-5.5');
    assert.deepEqual([prices?.input, contextWindow, guessed], [9, 1_000_000, undefined]);
    assert.equal(flags?.cache, 'marks');
  });
});
