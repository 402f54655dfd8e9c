import { canonicalJson, isJsonObject } from '../../domain/json.ts';
import type { Json, JsonObject } from '../../domain/json.ts';
import { EXACT_FIELDS } from './format.ts';

/** Replaces secrets in a text. */
export type Mask = (text: string) => string;

/**
 * Applies `mask` to every text of a record except identifiers and bytes. A part whose text was
 * changed loses what is replayed with it: it would not be accepted with another text, and may hold the text itself.
 */
export function masked(value: Json, mask: Mask): Json {
  if (typeof value === 'string') return mask(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item: Json) => masked(item, mask));
  const object = value as JsonObject;
  if (isJsonObject(object['replay']) && 'wire' in object['replay']) {
    const { replay: _, ...rest } = object;
    const part = masked(rest, mask);
    return canonicalJson(part) === canonicalJson(rest) ? value : part;
  }
  const result = Object.fromEntries(
    Object.entries(object).map(([key, item]) => [
      key,
      EXACT_FIELDS.has(key) ? item : masked(item, mask),
    ]),
  );
  if (object['type'] === 'reasoning' && result['text'] !== object['text'])
    delete result['signature'];
  return result;
}
