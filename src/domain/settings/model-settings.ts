import { choice, integer, list, number, text } from './setting.ts';
import type { ObjectSetting } from './setting.ts';

/** Settings of the models and of what they are told; see `SETTINGS`. */
export const MODEL_SETTINGS = {
  'model.name': text(
    '',
    'application',
    'Model for new sessions. Empty: the provider’s default. `demo` is the built-in demo model, which needs no key.',
  ),
  'model.fallbacks': list(
    [],
    'application',
    'Models asked in this order when the chosen one fails for good. The model that really answered is shown and recorded.',
  ),
  'model.smallModel': text(
    '',
    'application',
    'Model for titles and summaries. Empty: a cheap one of the same provider.',
  ),
  'model.baseUrl': text(
    '',
    'application',
    'Base URL of an API compatible with Anthropic Messages. Empty: the public API. The key is never sent to another origin by a redirect.',
    '^$|^https?://.*',
  ),
  'model.contextLimit': integer(
    0,
    0,
    10_000_000,
    'application',
    'Context window in tokens. `0`: from the catalog, or 8,192 for an unknown model.',
  ),
  'model.maxOutputTokens': integer(
    0,
    0,
    1_000_000,
    'application',
    'Most tokens of one answer. `0`: from the catalog.',
  ),
  'model.thinking': choice(
    'off',
    {
      off: 'No extended thinking.',
      low: 'A little.',
      medium: 'More.',
      high: 'As much as the model allows.',
    },
    'window',
    'How much the model thinks before it answers.',
  ),
  'model.temperature': number(
    -1,
    -1,
    2,
    'application',
    'How freely the model picks its words: `0` is the most predictable. `-1`: the model’s own. Not sent to models that do not take it.',
  ),
  'model.topP': number(
    -1,
    -1,
    1,
    'application',
    'Part of the likely words that the model picks from. `-1`: the model’s own. Not sent to models that do not take it.',
  ),
  'systemPrompt.add': text(
    '',
    'application',
    'What you want of the agent in every session, added to its instructions.',
  ),
  'systemPrompt.replace': text(
    '',
    'application',
    'Takes the place of Belay’s own instructions for the agent. What it may do in each mode, and the instructions of the project, are still said. Empty: Belay’s own.',
  ),
  'model.cacheTtl': choice(
    '5m',
    { '5m': 'Five minutes.', '1h': 'One hour; writing to the cache costs more.' },
    'application',
    'How long the provider keeps the prompt cache.',
  ),
  'model.retryAttempts': integer(
    8,
    0,
    20,
    'application',
    'How often a failed model call is tried again.',
  ),
  'model.retryBase': number(
    2,
    0.01,
    60,
    'application',
    'First wait before a retry, in seconds; doubled each time, with 20 % jitter. What the server asks for wins.',
  ),
  'model.retryAfterLimit': number(
    300,
    1,
    86_400,
    'application',
    'Longest wait that a server may ask for, in seconds. Beyond it the run stops and says until when.',
  ),
  'model.firstByteTimeout': number(
    300,
    0.05,
    3600,
    'application',
    'Seconds to wait for the first byte of an answer.',
  ),
  'model.idleTimeout': number(
    120,
    0.05,
    3600,
    'application',
    'Seconds without a single byte after which a stream counts as dead.',
  ),
  'model.progressTimeout': number(
    600,
    0.05,
    7200,
    'application',
    'Seconds without new content (pings only) after which a stream counts as stuck.',
  ),
  'model.catalog': {
    type: 'object',
    default: {},
    scope: 'application',
    description:
      'What Belay should know of models, by id or `provider/id`: `contextWindow`, `maxOutputTokens`, `prices` (`input`, `output`, `cacheRead`, `cacheWrite` in dollars per million tokens), `thinking`, `vision`. Wins over what a provider lists, and that over the bundled catalog.',
  } as ObjectSetting,
  'model.providers': {
    type: 'object',
    default: {},
    scope: 'application',
    description:
      'Providers of models beside Anthropic, by a name of your choice; their models are `name/model`. Each has a `preset` (`openai`, `openrouter`, `groq`, `ollama`, …) or a `wire` (`chat`, `messages`, `responses`, `gemini`) with a `baseUrl`. Made by *Belay: Add Model Provider…*; keys are in no setting.',
  } as ObjectSetting,
};
