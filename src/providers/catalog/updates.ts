import { told, type Told } from '../../domain/text/told.ts';
import { isJsonObject } from '../../domain/data/json.ts';
import type { ModelInfo } from '../../domain/models/model.ts';

/** Facts of a model from a person or a provider: those of `ModelInfo`, all but the id optional. */
export type ModelUpdate = Partial<Omit<ModelInfo, 'id'>> & { readonly id: string };

/**
 * Reads the setting `model.catalog`: what is known of models, by their ids. Gives what is usable,
 * and a sentence for each entry that is not.
 */
export function readUpdates(models: Readonly<Record<string, unknown>>): {
  readonly updates: readonly ModelUpdate[];
  readonly problems: readonly Told[];
} {
  const updates: ModelUpdate[] = [];
  const problems: Told[] = [];
  for (const [id, given] of Object.entries(models)) {
    const entry = isJsonObject(given) ? { ...given, id } : given;
    const problem = problemOf(entry);
    if (problem === undefined) updates.push(entry as ModelUpdate);
    else problems.push(told`belay.model.catalog: the entry ${id} is passed over: ${problem}.`);
  }
  return { updates, problems };
}

const isCount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value > 0;
const isPrice = (value: unknown): boolean =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

function problemOf(entry: unknown): Told | undefined {
  if (!isJsonObject(entry) || typeof entry['id'] !== 'string' || entry['id'] === '')
    return told`it has no id`;
  for (const field of ['name', 'provider']) {
    if (entry[field] !== undefined && typeof entry[field] !== 'string')
      return told`${field} is not text`;
  }
  for (const field of ['contextWindow', 'maxOutputTokens', 'imageSide']) {
    if (entry[field] !== undefined && !isCount(entry[field]))
      return told`${field} is not a positive whole number`;
  }
  for (const field of ['thinking', 'vision', 'toolChoice']) {
    if (entry[field] !== undefined && typeof entry[field] !== 'boolean')
      return told`${field} is neither true nor false`;
  }
  return entry['prices'] === undefined || goodPrices(entry['prices'])
    ? undefined
    : told`its prices are not numbers`;
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
