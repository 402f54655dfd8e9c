import { isJsonObject } from '../../domain/json.ts';
import type { JsonObject } from '../../domain/json.ts';

// Arguments of models and displays of imported sessions may be anything: every field is looked at
// before it is used.

/** A number; absent when it is none. */
export function numberIn(object: JsonObject, key: string): number | undefined {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return typeof value === 'number' ? value : undefined;
}

/** A text; empty when it is none. */
export function textIn(object: JsonObject, key: string): string {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return typeof value === 'string' ? value : '';
}

/** The objects of a list; none when it is no list. */
export function objectsIn(object: JsonObject, key: string): readonly JsonObject[] {
  const value: unknown = Object.hasOwn(object, key) ? object[key] : undefined;
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is JsonObject => isJsonObject(item));
}

/** "1 file", "3 files", "100+ files"; empty without a number. */
export function counted(count: number | undefined, one: string, more = ''): string {
  if (count === undefined) return '';
  const many = one.endsWith('ch') ? `${one}es` : `${one}s`;
  return `${count.toLocaleString('en')}${more} ${count === 1 && more === '' ? one : many}`;
}
