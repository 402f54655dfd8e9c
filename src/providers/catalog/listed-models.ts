import { isJsonObject } from '../../domain/data/json.ts';
import type { ModelPrices } from '../../domain/models/model.ts';
import type { ModelUpdate } from './updates.ts';

/** More models than any provider lists (OpenRouter has about 400); what comes after is left out. */
const MOST_MODELS = 5000;
/** Characters of the longest id or name that is taken. */
const LONGEST_NAME = 300;

/**
 * A gateway's list may join the cheapest input of one host with the output of another: no model sells answers at more
 * than so many times the price of questions, and such a price is known to be wrong.
 */
export const GREATEST_RATIO = 15;

type Entry = Readonly<Record<string, unknown>>;

/**
 * Reads a provider's own list of models, in any of the shapes that servers have: `data` or `models` or a bare
 * list; limits and prices by their many names. A server can write anything: what is not plausible counts as not said.
 */
export function readListedModels(answer: unknown): ModelUpdate[] {
  return entriesOf(answer)
    .slice(0, MOST_MODELS)
    .flatMap((entry) => (isJsonObject(entry) ? modelOf(entry) : []));
}

function entriesOf(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer as unknown[];
  if (!isJsonObject(answer)) return [];
  const list = answer['data'] ?? answer['models'];
  return Array.isArray(list) ? list : [];
}

function modelOf(entry: Entry): ModelUpdate[] {
  // Gemini calls the id `name`, LM Studio `key`.
  const id = textOf(entry, ['id', 'key', 'name'])?.replace(/^models\//, '');
  if (id === undefined || id === '') return [];
  const top = isJsonObject(entry['top_provider']) ? entry['top_provider'] : {};
  const name = textOf(entry, ['display_name', 'displayName', ...('id' in entry ? ['name'] : [])]);
  const contextWindow = countOf({ ...entry, ...loadedOf(entry) }, [
    'loaded_context_length',
    'context_length',
    'context_window',
    'max_input_tokens',
    'max_context_length',
    'max_model_len',
    'inputTokenLimit',
  ]);
  const maxOutputTokens = countOf({ ...entry, ...top }, [
    'max_completion_tokens',
    'max_output_tokens',
    'max_tokens',
    'outputTokenLimit',
  ]);
  const prices = pricesOf(entry['pricing']);
  const vision = visionOf(entry);
  return [
    {
      id,
      ...(name === undefined ? {} : { name: name.replace(/^[^:]+: /, '') }),
      ...(contextWindow === undefined ? {} : { contextWindow }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(prices === undefined ? {} : { prices }),
      ...(vision === undefined ? {} : { vision }),
    },
  ];
}

/** LM Studio: the window that the model was loaded with is smaller than the one it could have. */
function loadedOf(entry: Entry): Entry {
  const instances = entry['loaded_instances'];
  const loaded: unknown = Array.isArray(instances) ? instances[0] : undefined;
  const config: unknown = isJsonObject(loaded) ? loaded['config'] : undefined;
  return isJsonObject(config) ? { loaded_context_length: config['context_length'] } : {};
}

function textOf(entry: Entry, names: readonly string[]): string | undefined {
  return names
    .map((name) => entry[name])
    .find((value) => typeof value === 'string' && value.length <= LONGEST_NAME) as
    | string
    | undefined;
}

function countOf(entry: Entry, names: readonly string[]): number | undefined {
  return names
    .map((name) => entry[name])
    .find((value) => typeof value === 'number' && Number.isSafeInteger(value) && value > 0) as
    | number
    | undefined;
}

/**
 * Prices of OpenRouter (`prompt`, `completion`) and Vercel (`input`, `output`), both texts of dollars for one token.
 * Numbers are dollars for a million somewhere, for one token elsewhere: they are not taken.
 */
function pricesOf(pricing: unknown): ModelPrices | undefined {
  if (!isJsonObject(pricing)) return undefined;
  const price = (...names: readonly string[]): number | undefined => {
    const text = names.map((name) => pricing[name]).find((value) => typeof value === 'string');
    const dollars = text === undefined || text.trim() === '' ? NaN : Number(text);
    // A cent a token is ten times the dearest; `-1` is OpenRouter's "it depends".
    const known = dollars >= 0 && dollars <= 0.01;
    return known ? Number((dollars * 1_000_000).toPrecision(12)) : undefined;
  };
  const input = price('prompt', 'input');
  const output = price('completion', 'output');
  if (input === undefined || output === undefined || output > input * GREATEST_RATIO)
    return undefined;
  return {
    input,
    output,
    cacheRead: price('input_cache_read') ?? input,
    cacheWrite: price('input_cache_write') ?? input,
  };
}

function visionOf(entry: Entry): boolean | undefined {
  const { architecture, capabilities } = entry;
  const inputs = isJsonObject(architecture) ? architecture['input_modalities'] : undefined;
  if (Array.isArray(inputs)) return inputs.includes('image');
  const vision = isJsonObject(capabilities) ? capabilities['vision'] : undefined;
  return typeof vision === 'boolean' ? vision : undefined;
}
