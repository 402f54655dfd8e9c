/** A value that survives `JSON.stringify` and `JSON.parse` unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Keys are data: never index a class or a prototype with them. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** JSON with sorted keys, for comparing and hashing: arguments (C2), cache prefixes, approvals. */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonicalJson(item)).join(',')}]`;
  const object = value as JsonObject;
  const entries = Object.keys(object)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key] ?? null)}`);
  return `{${entries.join(',')}}`;
}

/** True for an object that is neither a list nor `null`, as JSON and imported records have them. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same value with every text in it changed, one after the other; names of members stay. */
export async function withTexts(
  value: Json,
  change: (text: string) => Promise<string>,
): Promise<Json> {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (const item of value as readonly Json[]) items.push(await withTexts(item, change));
    return items;
  }
  const entries: [string, Json][] = [];
  for (const [name, inner] of Object.entries(value))
    entries.push([name, await withTexts(inner, change)]);
  return Object.fromEntries(entries);
}
