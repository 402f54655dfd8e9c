import { isJsonObject } from '../domain/json.ts';
import { costOf } from '../core/model-call/cost.ts';
import type { ModelInfo, ModelPrices } from '../domain/model.ts';

/** D6: the window of a model that nobody knows. */
const UNKNOWN_CONTEXT_WINDOW = 8192;
/** Half of the unknown window: the rest is for the prompt. */
const UNKNOWN_OUTPUT_LIMIT = 4096;

/** A file's facts of a model: all of `ModelInfo` but the id, all optional. */
export type ModelUpdate = Partial<Omit<ModelInfo, 'id'>> & { readonly id: string };

/** The models Belay knows (D6, B12). */
export interface Catalog {
  /** In the order in which they are offered. */
  readonly models: readonly ModelInfo[];
  /** A model's facts: by exact id, longest prefix, longest part, else D6's fallback. */
  lookup(id: string): ModelInfo;
  /** False when `lookup` can only guess. */
  knows(id: string): boolean;
  /** The model for new sessions of a provider: its first. */
  defaultModel(provider: string): string | undefined;
  /** The cheapest model of the same provider as `id`; `id` itself when prices are unknown (B10, B11). */
  smallModel(id: string): string;
}

/** Makes a catalog of the providers' own models and of updates, which win and may add models. */
export function createCatalog(
  own: readonly ModelInfo[],
  updates: readonly ModelUpdate[] = [],
): Catalog {
  const byId = new Map(own.map((model) => [model.id, model]));
  for (const update of updates) {
    byId.set(update.id, {
      ...(byId.get(update.id) ?? guess(update.id, update.provider)),
      ...update,
    });
  }
  const models = [...byId.values()];
  const longestFirst = models.toSorted((left, right) => right.id.length - left.id.length);

  const find = (id: string): ModelInfo | undefined => {
    const exact = byId.get(id);
    if (exact !== undefined) return exact;
    const name = id.toLowerCase().replaceAll('.', '-');
    const near =
      longestFirst.find((model) => name.startsWith(model.id)) ??
      longestFirst.find((model) => name.includes(model.id));
    return near === undefined ? undefined : alike(near, id, name);
  };

  return {
    models,
    lookup: (id) => find(id) ?? guess(id),
    knows: (id) => find(id) !== undefined,
    defaultModel: (provider) => models.find((model) => model.provider === provider)?.id,
    smallModel: (id) => {
      const provider = find(id)?.provider;
      let best: { readonly id: string; readonly price: number } | undefined;
      for (const model of models) {
        if (model.provider !== provider || model.prices === undefined) continue;
        const price = sample(model.prices);
        if (best === undefined || price < best.price) best = { id: model.id, price };
      }
      return best?.id ?? id;
    },
  };
}

/** A newer version (`claude-opus-5-6` beside `claude-opus-5`) has the limits of its like, but a price of its own. */
function alike(near: ModelInfo, id: string, name: string): ModelInfo {
  const isOtherVersion = /^-\d{1,2}(?!\d)/.test(name.slice(name.indexOf(near.id) + near.id.length));
  const { prices, ...rest } = near;
  return { ...rest, id, ...(isOtherVersion || prices === undefined ? {} : { prices }) };
}

/** The price of a typical small call, to compare models by. */
const sample = (prices: ModelPrices): number =>
  costOf({ inputTokens: 3000, outputTokens: 300, cacheReadTokens: 0, cacheWriteTokens: 0 }, prices);

/** An unknown model: a small window (D6), no thinking or price; images are tried. */
function guess(id: string, provider = 'anthropic'): ModelInfo {
  return {
    id,
    name: id,
    provider,
    contextWindow: UNKNOWN_CONTEXT_WINDOW,
    maxOutputTokens: UNKNOWN_OUTPUT_LIMIT,
    thinking: false,
    vision: true,
    toolChoice: true,
  };
}

/** Reads the setting `model.catalog`; gives what is usable, and a sentence for each other entry. */
export function readUpdates(models: Readonly<Record<string, unknown>>): {
  readonly updates: readonly ModelUpdate[];
  readonly problems: readonly string[];
} {
  const updates: ModelUpdate[] = [];
  const problems: string[] = [];
  for (const [id, given] of Object.entries(models)) {
    const entry = isJsonObject(given) ? { ...given, id } : given;
    const problem = problemOf(entry);
    if (problem === undefined) updates.push(entry as ModelUpdate);
    else problems.push(`belay.model.catalog: the entry ${id} is passed over: ${problem}.`);
  }
  return { updates, problems };
}

const isCount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value > 0;
const isPrice = (value: unknown): boolean =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

function problemOf(entry: unknown): string | undefined {
  if (!isJsonObject(entry) || typeof entry['id'] !== 'string' || entry['id'] === '')
    return 'it has no id';
  for (const field of ['name', 'provider']) {
    if (entry[field] !== undefined && typeof entry[field] !== 'string')
      return `${field} is not text`;
  }
  for (const field of ['contextWindow', 'maxOutputTokens']) {
    if (entry[field] !== undefined && !isCount(entry[field]))
      return `${field} is not a positive whole number`;
  }
  for (const field of ['thinking', 'vision', 'toolChoice']) {
    if (entry[field] !== undefined && typeof entry[field] !== 'boolean')
      return `${field} is neither true nor false`;
  }
  return entry['prices'] === undefined || goodPrices(entry['prices'])
    ? undefined
    : 'its prices are not numbers';
}

function goodPrices(prices: unknown): boolean {
  if (!isJsonObject(prices)) return false;
  const { longPrompt } = prices;
  const good = ['input', 'output', 'cacheRead', 'cacheWrite'].every((kind) =>
    isPrice(prices[kind]),
  );
  if (!good || (prices['cacheWriteHour'] !== undefined && !isPrice(prices['cacheWriteHour'])))
    return false;
  return (
    longPrompt === undefined ||
    (isJsonObject(longPrompt) &&
      isCount(longPrompt['aboveTokens']) &&
      goodPrices(longPrompt['prices']))
  );
}
