import type { Json, JsonObject } from '../../domain/data/json.ts';
import { cleanText } from '../../domain/text/honest-text.ts';

/** A server's schema as it is; only the root is made an object, and hidden characters are shown. */
export function inputSchemaOf(schema: JsonObject): JsonObject {
  const root = schema['type'] === 'object' ? schema : { ...schema, type: 'object' };
  return withCleanTexts(root) as JsonObject;
}

/** The same value when there is nothing to clean. */
function withCleanTexts(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) {
    const items = value.map(withCleanTexts);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const object: JsonObject = value;
  let changed = false;
  const entries = Object.entries(object).map(([key, item]): [string, Json] => {
    const isText = typeof item === 'string' && (key === 'description' || key === 'title');
    const cleaned = isText ? cleanText(item) : withCleanTexts(item);
    changed ||= cleaned !== item;
    return [key, cleaned];
  });
  return changed ? Object.fromEntries(entries) : value;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
