import type { ModelInfo } from '../../../src/domain/models/model.ts';

export const MODELS: readonly ModelInfo[] = [
  model('claude-opus-5', 'Claude Opus 5', 5, 25),
  model('claude-sonnet-5', 'Claude Sonnet 5', 3, 15),
  model('claude-haiku-5', 'Claude Haiku 5', 1, 5),
  { ...model('demo', 'Demo model (offline)', 0, 0), provider: 'demo', thinking: false },
];

function model(id: string, name: string, input: number, output: number): ModelInfo {
  return {
    id,
    name,
    provider: 'anthropic',
    contextWindow: 200_000,
    maxOutputTokens: 64_000,
    prices: { input, output, cacheRead: input / 10, cacheWrite: input * 1.25 },
    thinking: true,
    vision: true,
    toolChoice: true,
  };
}
