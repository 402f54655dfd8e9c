import type { ProviderRow } from '../../../src/protocol/provider-view.ts';

const row = (more: Partial<ProviderRow> & Pick<ProviderRow, 'id' | 'name'>): ProviderRow => ({
  host: 'api.example.org',
  api: 'Chat Completions',
  models: 12,
  key: 'stored',
  check: null,
  added: true,
  ...more,
});

/** Providers in every state. */
export const PROVIDER_ROWS: readonly ProviderRow[] = [
  row({
    id: 'anthropic',
    name: 'Anthropic',
    host: 'api.anthropic.com',
    api: 'Anthropic Messages',
    models: 19,
    added: false,
    check: {
      works: true,
      said: 'Anthropic (api.anthropic.com) accepts the key, lists 11 models and answers with claude-sonnet-5: tools work, images, thinking, a window of 1,000,000 tokens, $3 in · $15 out per million tokens.',
    },
  }),
  row({
    id: 'openrouter',
    name: 'OpenRouter',
    host: 'openrouter.ai',
    models: 361,
    check: {
      works: false,
      said: 'OpenRouter (openrouter.ai) does not accept the key (HTTP 401): set another one.',
    },
  }),
  row({ id: 'groq', name: 'Groq', host: 'api.groq.com', key: 'none', models: 7 }),
  row({
    id: 'team',
    name: 'Our gateway',
    host: 'models.intranet.example:8443',
    key: 'environment',
  }),
  row({
    id: 'ollama',
    name: 'Ollama',
    host: '127.0.0.1:11434',
    key: 'unneeded',
    models: 1,
  }),
];
