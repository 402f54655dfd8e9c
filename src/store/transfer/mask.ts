import type { Json, JsonObject } from '../../domain/json.ts';
import { EXACT_FIELDS } from './format.ts';

export type Mask = (text: string) => string;

/** Masks all texts of a record but identifiers and bytes; changed thinking loses its signature. */
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
