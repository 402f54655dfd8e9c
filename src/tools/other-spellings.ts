import type { Json, JsonObject } from '../domain/data/json.ts';

/** The input with arguments renamed, where the right name is not used. */
export function renamed(input: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  const entries = Object.entries(input).map(([name, value]): [string, Json] => {
    const right = Object.hasOwn(names, name) ? names[name] : undefined;
    return right === undefined || Object.hasOwn(input, right) ? [name, value] : [right, value];
  });
  return Object.fromEntries(entries);
}

/** Gathers arguments into a list's only entry: other products' one thing for our several. */
export function gathered(input: JsonObject, names: readonly string[], list: string): JsonObject {
  const inner = Object.entries(input).filter(([name]) => names.includes(name));
  if (inner.length === 0 || Object.hasOwn(input, list)) return input;
  const outer = Object.entries(input).filter(([name]) => !names.includes(name));
  return Object.fromEntries([...outer, [list, [Object.fromEntries(inner)]]]);
}

/** Names that other products give to the path of a file. */
export const PATH_NAMES: Readonly<Record<string, string>> = {
  file_path: 'path',
  filePath: 'path',
  filepath: 'path',
  file: 'path',
  filename: 'path',
};
