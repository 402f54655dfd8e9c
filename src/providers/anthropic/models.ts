import type { ModelInfo, ModelPrices } from '../../domain/model.ts';

/**
 * What a model wants in the `thinking` field:
 * - `always`: thinks whatever is asked; a request to stop it is refused
 * - `adaptive`: thinks unless it is turned off; a budget is refused
 * - `between_tools`: as `adaptive`, but turned off by that name
 * - `optional`: thinks adaptively when asked to
 * - `budget`: thinks within a budget of tokens when asked to
 */
export type ThinkingStyle = 'always' | 'adaptive' | 'between_tools' | 'optional' | 'budget';

export interface AnthropicModel extends ModelInfo {
  readonly thinkingStyle: ThinkingStyle;
}

/** Prices as the provider's list has them; cache writes cost 1.25 and 2 times the input there. */
const priced = (input: number, output: number, cacheRead: number): ModelPrices => ({
  input,
  output,
  cacheRead,
  cacheWrite: input * 1.25,
  cacheWriteHour: input * 2,
});

const MILLION = 1_000_000;

const model = (
  id: string,
  name: string,
  thinkingStyle: ThinkingStyle,
  prices: ModelPrices | undefined,
  more: Partial<AnthropicModel> = {},
): AnthropicModel => ({
  id,
  name,
  provider: 'anthropic',
  contextWindow: MILLION,
  maxOutputTokens: 128_000,
  ...(prices === undefined ? {} : { prices }),
  thinking: true,
  vision: true,
  toolChoice: true,
  thinkingStyle,
  ...more,
});

const SMALL = { contextWindow: 200_000, maxOutputTokens: 64_000 } as const;
/** The 5.5 generation and Fable 5.1 answer a forced tool with a 400. */
const UNFORCED = { toolChoice: false } as const;

/**
 * Models of the Messages API: ids from the SDK's types (1.12), the rest from the provider's pages
 * of November 2026. Without a price the cost is unknown, not zero.
 */
export const ANTHROPIC_MODELS: readonly AnthropicModel[] = [
  model('claude-sonnet-5-5', 'Claude Sonnet 5.5', 'between_tools', priced(2, 10, 0.1), UNFORCED),
  model('claude-opus-5-5', 'Claude Opus 5.5', 'always', priced(4, 20, 0.2), UNFORCED),
  model('claude-haiku-5-5', 'Claude Haiku 5.5', 'adaptive', {
    ...priced(0.1, 0.5, 0.01),
    longPrompt: { aboveTokens: 100_000, prices: priced(0.5, 2.5, 0.05) },
  }),
  model('claude-fable-5-2', 'Claude Fable 5.2', 'always', undefined, UNFORCED),
  model('claude-fable-5-1', 'Claude Fable 5.1', 'always', priced(10, 50, 0.25), UNFORCED),
  model('claude-mythos-5-2', 'Claude Mythos 5.2', 'always', undefined, UNFORCED),
  model('claude-mythos-5-1', 'Claude Mythos 5.1', 'always', priced(10, 50, 0.25), UNFORCED),
  model('claude-opus-5', 'Claude Opus 5', 'adaptive', priced(5, 25, 0.5)),
  model('claude-sonnet-5', 'Claude Sonnet 5', 'adaptive', priced(2, 10, 0.2)),
  model('claude-fable-5', 'Claude Fable 5', 'always', priced(10, 50, 1)),
  model('claude-mythos-5', 'Claude Mythos 5', 'always', priced(10, 50, 1)),
  model('claude-mythos-preview', 'Claude Mythos Preview', 'always', undefined),
  model('claude-opus-4-8', 'Claude Opus 4.8', 'optional', priced(5, 25, 0.5)),
  model('claude-opus-4-7', 'Claude Opus 4.7', 'optional', priced(5, 25, 0.5)),
  model('claude-opus-4-6', 'Claude Opus 4.6', 'optional', priced(5, 25, 0.5)),
  model('claude-sonnet-4-6', 'Claude Sonnet 4.6', 'optional', priced(3, 15, 0.3), {
    maxOutputTokens: 64_000,
  }),
  model('claude-opus-4-5', 'Claude Opus 4.5', 'budget', priced(5, 25, 0.5), SMALL),
  model('claude-sonnet-4-5', 'Claude Sonnet 4.5', 'budget', priced(3, 15, 0.3), SMALL),
  model('claude-haiku-4-5', 'Claude Haiku 4.5', 'budget', priced(1, 5, 0.1), SMALL),
];
