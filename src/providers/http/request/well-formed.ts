import type { Json, JsonObject } from '../../../domain/data/json.ts';

/** Lone surrogates become U+FFFD: the API refuses them. The same object where there is none. */
export function wellFormed<Value extends Json>(value: Value): Value {
  return replaced(value) as Value;
}

function replaced(value: Json): Json {
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed();
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    const next = items.map(replaced);
    return next.some((item, index) => item !== items[index]) ? next : items;
  }
  const object = value as JsonObject;
  const entries = Object.entries(object).map(([key, item]): [string, Json] => [
    key.toWellFormed(),
    replaced(item),
  ]);
  const changed = entries.some(
    ([key, item]) => !Object.hasOwn(object, key) || object[key] !== item,
  );
  return changed ? Object.fromEntries(entries) : value;
}
