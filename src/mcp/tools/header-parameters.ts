import type { Json, JsonObject } from '../../domain/data/json.ts';
import { isJsonObject } from '../../domain/data/json.ts';

const KEY = 'x-mcp-header';
/** Keywords whose values are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', KEY]);
/** RFC 9110: what a header's name is made of. */
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/u;
const TYPES: ReadonlySet<Json | undefined> = new Set(['string', 'integer', 'boolean']);

/** Why the arguments that a tool wants as HTTP headers cannot be sent so (2026-07-28); such a tool is not offered. */
export function headerProblem(schema: JsonObject): string | undefined {
  const names = new Set<string>();
  const look = (node: Json | undefined, isProperty: boolean): string | undefined => {
    if (Array.isArray(node))
      return first((node as readonly Json[]).map((one) => () => look(one, false)));
    if (!isJsonObject(node)) return undefined;
    const wanted = node[KEY];
    if (wanted !== undefined) {
      if (!isProperty) return 'it wants a header for what is no single argument';
      if (typeof wanted !== 'string' || !NAME.test(wanted))
        return 'it wants a header without a valid name';
      if (!TYPES.has(node['type']))
        return `its header ${wanted} is for no text, whole number or yes/no`;
      if (names.has(wanted.toLowerCase())) return `it wants the header ${wanted} twice`;
      names.add(wanted.toLowerCase());
    }
    return first(
      Object.entries(node).map(([key, value]) => () => {
        if (DATA.has(key)) return undefined;
        if (key !== 'properties' || !isJsonObject(value)) return look(value, false);
        return first(
          Object.values(value).map((one) => () => look(one, isReachable(node, isProperty))),
        );
      }),
    );
  };
  const isReachable = (node: JsonObject, isProperty: boolean): boolean =>
    node === schema || isProperty;
  return look(schema, false);
}

function first(looks: readonly (() => string | undefined)[]): string | undefined {
  for (const look of looks) {
    const found = look();
    if (found !== undefined) return found;
  }
  return undefined;
}
