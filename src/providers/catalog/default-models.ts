/** The models for new sessions, by preset: known without opening the bundled list. */
export const DEFAULT_MODELS: Readonly<Record<string, string>> = {
  anthropic: 'claude-sonnet-5-5',
  openai: 'gpt-6.1-terra',
  gemini: 'gemini-4-argon',
  openrouter: 'anthropic/claude-sonnet-5.5',
  groq: 'openai/gpt-oss-120b',
  deepseek: 'deepseek-v4-pro',
  mistral: 'mistral-large-4',
  xai: 'grok-4.7',
  moonshot: 'kimi-k3.1-pro',
  zai: 'glm-5.3',
  vercel: 'anthropic/claude-sonnet-5.5',
  bedrock: 'anthropic.claude-sonnet-5-5',
  'vertex-claude': 'claude-sonnet-5-5',
  demo: 'demo',
};
