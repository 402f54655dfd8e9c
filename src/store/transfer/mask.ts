import type { Json, JsonObject } from '../../domain/json.ts';
import { EXACT_FIELDS } from './format.ts';

/** Replaces secrets in a text. */
export type Mask = (text: string) => string;

/**
 * Applies `mask` to every text of a record except identifiers and bytes. Thinking whose text was
 * changed loses its signature: it would not be accepted with another text.
 */
export function masked(value: Json, mask: Mask): Json {
  if (typeof value === 'string') return mask(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item: Json) => masked(item, mask));
  const object = value as JsonObject;
  const result = Object.fromEntries(
    Object.entries(object).map(([key, item]) => [
      key,
      EXACT_FIELDS.has(key) ? item : masked(item, mask),
    ]),
  );
  if (object['type'] === 'reasoning' && result['text'] !== object['text']) {
    delete result['signature'];
  }
  return result;
}
