import type { ModelInfo } from '../../../src/domain/models/model.ts';
import type { ModelMarks } from '../../../src/panel/services.ts';
import type { Stage } from '../../unit/panel/stage.ts';
import { history, session } from './fixture-session.ts';
import type { Scene } from './scenes.ts';

const PROVIDERS: Readonly<Record<string, string>> = {
  anthropic: 'Anthropic',
  openrouter: 'OpenRouter',
  ollama: 'Ollama',
  demo: 'Built in',
};

const model = (id: string, name: string, provider: string, more: Partial<ModelInfo> = {}) => ({
  id,
  name,
  provider,
  contextWindow: 200_000,
  maxOutputTokens: 64_000,
  prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  thinking: true,
  vision: true,
  toolChoice: true,
  ...more,
});

/** Models of several providers: a gateway with more than are drawn at once, a local server, the demo. */
export const MANY_MODELS: readonly ModelInfo[] = [
  model('claude-opus-5', 'Claude Opus 5', 'anthropic'),
  model('claude-sonnet-5', 'Claude Sonnet 5', 'anthropic'),
  ...Array.from({ length: 180 }, (_, index) =>
    model(`openrouter/vendor/model-${index}`, `Vendor: Model ${index}`, 'openrouter', {
      contextWindow: 1_000_000,
      vision: index % 2 === 0,
      prices: { input: index % 9, output: (index % 9) * 3, cacheRead: 0, cacheWrite: 0 },
    }),
  ),
  model('ollama/qwen3-coder:30b', 'qwen3-coder:30b', 'ollama', {
    contextWindow: 32_768,
    prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    vision: false,
    thinking: false,
  }),
  model('demo', 'Demo model (offline)', 'demo', { thinking: false, offline: true }),
];

const marksOf = ({ id, provider }: ModelInfo): ModelMarks => ({
  source: { name: '', kind: id === 'demo' ? 'demo' : 'own' },
  providerName: PROVIDERS[provider] ?? provider,
  ready: provider !== 'openrouter',
  local: provider === 'ollama',
  favorite: id === 'claude-opus-5',
  recent: id === 'claude-sonnet-5' ? 0 : id.startsWith('ollama/') ? 1 : null,
});

export function manyModels(stage: Stage): void {
  session(stage);
  history(stage);
  stage.models = MANY_MODELS.map((model) => ({ ...model, marks: marksOf(model) }));
}

const OPEN = '[data-picker="model"] button';

/** The list of models. */
export const MODEL_SCENES: Readonly<Record<string, Scene>> = {
  model: { prepare: manyModels, click: [OPEN] },
  'model-search': { prepare: manyModels, click: [OPEN], fill: ['.model-search', 'model 17'] },
};
