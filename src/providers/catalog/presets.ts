import type { WireFlags } from '../../domain/models/wire-flags.ts';

/** The protocols that models are spoken to in. */
export type Wire = 'messages' | 'chat' | 'responses' | 'gemini' | 'vscode-lm' | 'demo';

/**
 * A provider of models by itself: an instance is made of it, and may differ in everything. What is asked for
 * with every model (`flags`, `list`, `smallModel`) stands in the bundled list too; after a change, `npm run catalog`.
 */
export interface ProviderPreset {
  readonly id: string;
  readonly name: string;
  readonly wire: Wire;
  /** Without a slash at its end; `{region}` and the like are asked for. Empty: there is none, or the person gives it. */
  readonly baseUrl: string;
  /** Variables of the environment that hold a key, the usual one first; none is read unasked. */
  readonly keyVariables?: readonly string[];
  /** A sentence about its key, where it is none that stays. */
  readonly keyNote?: string;
  /** The page where a person gets a key. */
  readonly keyUrl?: string;
  /** It runs on the person's own machine: no key, no price, and its models may have any window. */
  readonly local?: true;
  /** Of models of which the catalog has no flags; it has all of a model, or none. */
  readonly flags?: Partial<WireFlags>;
  /** Name of its list in the catalog; absent: its id. */
  readonly list?: string;
  /** For titles and summaries. */
  readonly smallModel?: string;
}

/** The providers that can be added by name, in the order in which they are offered. */
export const PRESETS: readonly ProviderPreset[] = [
  {
    id: 'anthropic',
    name: 'Anthropic',
    wire: 'messages',
    baseUrl: 'https://api.anthropic.com',
    keyVariables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
    keyUrl: 'https://console.anthropic.com/settings/keys',
    smallModel: 'claude-haiku-5-5',
  },
  {
    id: 'openai',
    name: 'OpenAI',
    wire: 'responses',
    baseUrl: 'https://api.openai.com/v1',
    keyVariables: ['OPENAI_API_KEY'],
    keyUrl: 'https://platform.openai.com/api-keys',
    smallModel: 'gpt-6-luna',
  },
  {
    id: 'gemini',
    name: 'Google Gemini',
    wire: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    keyUrl: 'https://aistudio.google.com/apikey',
    smallModel: 'gemini-3.1-flash-lite',
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    wire: 'chat',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariables: ['OPENROUTER_API_KEY'],
    keyUrl: 'https://openrouter.ai/settings/keys',
    smallModel: 'anthropic/claude-haiku-5.5',
  },
  {
    id: 'groq',
    name: 'Groq',
    wire: 'chat',
    baseUrl: 'https://api.groq.com/openai/v1',
    keyVariables: ['GROQ_API_KEY'],
    keyUrl: 'https://console.groq.com/keys',
    smallModel: 'openai/gpt-oss-20b',
  },
  {
    id: 'deepseek',
    name: 'DeepSeek',
    wire: 'chat',
    baseUrl: 'https://api.deepseek.com',
    keyVariables: ['DEEPSEEK_API_KEY'],
    keyUrl: 'https://platform.deepseek.com/api_keys',
    smallModel: 'deepseek-flash',
  },
  {
    id: 'mistral',
    name: 'Mistral',
    wire: 'chat',
    baseUrl: 'https://api.mistral.ai/v1',
    keyVariables: ['MISTRAL_API_KEY'],
    keyUrl: 'https://console.mistral.ai/api-keys',
    smallModel: 'mistral-small-latest',
  },
  {
    id: 'xai',
    name: 'xAI',
    wire: 'responses',
    baseUrl: 'https://api.x.ai/v1',
    keyVariables: ['XAI_API_KEY'],
    keyUrl: 'https://console.x.ai',
  },
  {
    id: 'moonshot',
    name: 'Moonshot AI (Kimi)',
    wire: 'chat',
    baseUrl: 'https://api.moonshot.ai/v1',
    keyVariables: ['MOONSHOT_API_KEY'],
    keyUrl: 'https://platform.moonshot.ai/console/api-keys',
    smallModel: 'kimi-k2.6',
  },
  {
    id: 'zai',
    name: 'Z.ai (GLM)',
    wire: 'chat',
    baseUrl: 'https://api.z.ai/api/paas/v4',
    keyVariables: ['ZAI_API_KEY'],
    keyUrl: 'https://z.ai/manage-apikey/apikey-list',
    smallModel: 'glm-5.3-flash',
  },
  {
    id: 'minimax',
    name: 'MiniMax',
    wire: 'messages',
    baseUrl: 'https://api.minimax.io/anthropic',
    keyVariables: ['MINIMAX_API_KEY'],
    keyUrl: 'https://platform.minimax.io/user-center/basic-information/interface-key',
  },
  {
    id: 'together',
    name: 'Together AI',
    wire: 'chat',
    baseUrl: 'https://api.together.ai/v1',
    keyVariables: ['TOGETHER_API_KEY'],
    keyUrl: 'https://api.together.ai/settings/api-keys',
  },
  {
    id: 'fireworks',
    name: 'Fireworks AI',
    wire: 'messages',
    baseUrl: 'https://api.fireworks.ai/inference',
    keyVariables: ['FIREWORKS_API_KEY'],
    keyUrl: 'https://app.fireworks.ai/settings/users/api-keys',
    flags: {
      thinkingStyle: 'optional',
      emptySignature: true,
      cacheControlOnTools: false,
      longCache: false,
    },
  },
  {
    id: 'cerebras',
    name: 'Cerebras',
    wire: 'chat',
    baseUrl: 'https://api.cerebras.ai/v1',
    keyVariables: ['CEREBRAS_API_KEY'],
    keyUrl: 'https://cloud.cerebras.ai',
  },
  {
    id: 'huggingface',
    name: 'Hugging Face',
    wire: 'chat',
    baseUrl: 'https://router.huggingface.co/v1',
    keyVariables: ['HF_TOKEN'],
    keyUrl: 'https://huggingface.co/settings/tokens',
  },
  {
    id: 'nvidia',
    name: 'NVIDIA NIM',
    wire: 'chat',
    baseUrl: 'https://integrate.api.nvidia.com/v1',
    keyVariables: ['NVIDIA_API_KEY'],
    keyUrl: 'https://build.nvidia.com/settings/api-keys',
  },
  {
    id: 'vercel',
    name: 'Vercel AI Gateway',
    wire: 'messages',
    baseUrl: 'https://ai-gateway.vercel.sh',
    keyVariables: ['AI_GATEWAY_API_KEY'],
    keyUrl: 'https://vercel.com/docs/ai-gateway/authentication',
    flags: { emptySignature: true },
    smallModel: 'anthropic/claude-haiku-5.5',
  },
  {
    id: 'bedrock',
    name: 'Amazon Bedrock (Claude)',
    wire: 'messages',
    baseUrl: 'https://bedrock-mantle.{region}.api.aws/anthropic',
    keyVariables: ['AWS_BEARER_TOKEN_BEDROCK'],
    keyUrl: 'https://console.aws.amazon.com/bedrock/home#/api-keys',
    smallModel: 'anthropic.claude-haiku-5-5',
  },
  {
    id: 'bedrock-openai',
    name: 'Amazon Bedrock (other models)',
    wire: 'responses',
    baseUrl: 'https://bedrock-mantle.{region}.api.aws/openai/v1',
    keyVariables: ['AWS_BEARER_TOKEN_BEDROCK'],
    keyUrl: 'https://console.aws.amazon.com/bedrock/home#/api-keys',
    list: 'bedrock',
  },
  {
    id: 'azure',
    name: 'Azure OpenAI',
    wire: 'responses',
    baseUrl: 'https://{resource}.openai.azure.com/openai/v1',
    keyVariables: ['AZURE_OPENAI_API_KEY'],
    keyUrl: 'https://ai.azure.com',
  },
  {
    id: 'azure-claude',
    name: 'Azure AI Foundry (Claude)',
    wire: 'messages',
    baseUrl: 'https://{resource}.services.ai.azure.com/anthropic',
    keyVariables: ['ANTHROPIC_FOUNDRY_API_KEY'],
    keyUrl: 'https://ai.azure.com',
    list: 'anthropic',
  },
  {
    id: 'vertex-claude',
    name: 'Google Vertex AI (Claude)',
    keyNote: 'It is a token of gcloud auth print-access-token, good for an hour.',
    wire: 'messages',
    baseUrl: 'https://{region}-aiplatform.googleapis.com/v1/projects/{project}/locations/{region}',
    list: 'anthropic',
  },
  { id: 'vscode-lm', name: 'Models of VS Code', wire: 'vscode-lm', baseUrl: '', list: 'copilot' },
  {
    id: 'ollama',
    name: 'Ollama',
    wire: 'chat',
    baseUrl: 'http://127.0.0.1:11434/v1',
    keyVariables: ['OLLAMA_API_KEY'],
    local: true,
  },
  {
    id: 'lmstudio',
    name: 'LM Studio',
    wire: 'chat',
    baseUrl: 'http://127.0.0.1:1234/v1',
    local: true,
  },
  {
    id: 'llama-cpp',
    name: 'llama.cpp',
    wire: 'chat',
    baseUrl: 'http://127.0.0.1:8080/v1',
    local: true,
  },
  { id: 'demo', name: 'Demo', wire: 'demo', baseUrl: '', local: true },
  {
    id: 'other-chat',
    name: 'Other (Chat Completions)',
    wire: 'chat',
    baseUrl: '',
  },
  { id: 'other-responses', name: 'Other (OpenAI Responses)', wire: 'responses', baseUrl: '' },
  { id: 'other-messages', name: 'Other (Anthropic Messages)', wire: 'messages', baseUrl: '' },
];
