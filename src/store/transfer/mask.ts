import { canonicalJson, isJsonObject } from '../../domain/data/json.ts';
import type { Json, JsonObject } from '../../domain/data/json.ts';
import { EXACT_FIELDS } from './format.ts';

/** Replaces secrets in a text. */
export type Mask = (text: string) => string | Promise<string>;

/**
 * Applies `mask` to every text of a record except identifiers and bytes. A part whose text was
 * changed loses what is replayed with it: it would not be accepted with another text, and may hold the text itself.
 */
export async function masked(value: Json, mask: Mask): Promise<Json> {
  if (typeof value === 'string') return mask(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (const item of value as readonly Json[]) items.push(await masked(item, mask));
    return items;
  }
  const object = value as JsonObject;
  if (isJsonObject(object['replay']) && 'wire' in object['replay']) {
    const { replay: _, ...rest } = object;
    const part = await masked(rest, mask);
    return canonicalJson(part) === canonicalJson(rest) ? value : part;
  }
  const result: Record<string, Json> = {};
  for (const [key, item] of Object.entries(object))
    result[key] = EXACT_FIELDS.has(key) ? item : await masked(item, mask);
  if (object['type'] === 'reasoning' && result['text'] !== object['text'])
    delete result['signature'];
  return result;
}
