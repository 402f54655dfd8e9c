import { isJsonObject } from '../../domain/data/json.ts';
import type { Json, JsonObject } from '../../domain/data/json.ts';

/** A schema as Gemini takes it. */
export interface ReducedSchema {
  /** Absent: the tool takes no input. */
  readonly schema?: JsonObject;
  /** Keywords that limit an input, and could neither be sent nor be said in a description. */
  readonly leftOut: readonly string[];
  /** The schema has more parts than are sent: the whole tool is left out. */
  readonly tooLarge?: true;
}

/** Parts of one schema once references are resolved: more is no description of an input. */
const MOST_PARTS = 2000;
/** How deep a schema may be nested. */
const DEEPEST = 32;

/** Characters of a limit that is said in a description. */
const LONGEST_LIMIT = 200;

/** Keywords that are sent as they are. */
const PLAIN = new Set(
  'type format title description minItems maxItems minimum maximum required propertyOrdering'.split(
    ' ',
  ),
);
/** Keywords that hold one schema, or say yes or no. */
const NESTED = new Set(['items', 'additionalProperties']);
/** Keywords that limit nothing, or whose work is done elsewhere: nobody has to hear that they are gone. */
const SILENT = new Set(
  '$schema $id $anchor $comment $defs definitions default example examples deprecated nullable readOnly writeOnly contentEncoding contentMediaType allOf'.split(
    ' ',
  ),
);

/**
 * Reduces a JSON Schema to the part of it that `parametersJsonSchema` takes: references are resolved, `const` becomes
 * `enum`, `allOf` is joined, `oneOf` is `anyOf`. Other limits of a plain value are said in the description. All of them
 * are checked before a tool runs.
 */
export function reducedSchema(schema: JsonObject): ReducedSchema {
  const reduction = new Reduction(schema);
  const reduced = reduction.of(schema, 0, []);
  if (reduction.parts > MOST_PARTS) return { leftOut: [], tooLarge: true };
  const leftOut = [...reduction.leftOut].toSorted();
  const properties = reduced['properties'];
  const hasInput = isJsonObject(properties) && Object.keys(properties).length > 0;
  if (!hasInput && reduced['anyOf'] === undefined) return { leftOut };
  return { schema: withItems({ ...reduced, type: 'object' }) as JsonObject, leftOut };
}

class Reduction {
  parts = 0;
  readonly leftOut = new Set<string>();
  readonly #root: JsonObject;
  /** Limits that are said in descriptions, by the schema. */
  readonly #limits = new Map<object, readonly string[]>();

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** `within`: the references that led here. */
  of(given: Json, depth: number, within: readonly string[]): JsonObject {
    this.parts += 1;
    // `true` and `false` are schemas, too: anything, and nothing.
    if (!isJsonObject(given) || this.parts > MOST_PARTS) return {};
    if (depth > DEEPEST) {
      this.leftOut.add(`what is nested more than ${DEEPEST} deep`);
      return {};
    }
    const { $ref: reference, ...rest } = given;
    if (typeof reference === 'string')
      return { ...this.#referred(reference, depth, within), ...this.of(rest, depth, within) };
    const reduced: Record<string, Json> = {};
    for (const [keyword, value] of Object.entries(given))
      this.#keyword(reduced, { keyword, value }, depth, within);
    const described = this.#described(reduced);
    return isList(given['allOf'])
      ? this.#joined(described, given['allOf'], depth, within)
      : withKnownRequired(described);
  }

  #keyword(
    reduced: Record<string, Json>,
    { keyword, value }: { readonly keyword: string; readonly value: Json },
    depth: number,
    within: readonly string[],
  ): void {
    const inner = (one: Json): JsonObject => this.of(one, depth + 1, within);
    if (PLAIN.has(keyword)) reduced[keyword] = value;
    else if (keyword === 'properties' && isJsonObject(value))
      reduced[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, inner(one)]),
      );
    else if (NESTED.has(keyword) && !isList(value))
      reduced[keyword] = typeof value === 'boolean' ? value : inner(value);
    else if (keyword === 'prefixItems' || (keyword === 'items' && isList(value)))
      reduced['prefixItems'] = isList(value) ? value.map(inner) : [];
    else if ((keyword === 'anyOf' || keyword === 'oneOf') && isList(value))
      reduced['anyOf'] = value.map(inner);
    else if (keyword === 'enum' || keyword === 'const')
      this.#choices(reduced, keyword === 'const' ? [value] : isList(value) ? value : []);
    else if (!SILENT.has(keyword) && !keyword.startsWith('x-')) this.#say(reduced, keyword, value);
  }

  /** A limit in words. */
  #say(reduced: Record<string, Json>, keyword: string, value: Json): void {
    const limit = typeof value === 'object' ? undefined : `${keyword}: ${String(value)}`;
    if (limit === undefined || limit.length > LONGEST_LIMIT) this.leftOut.add(keyword);
    else this.#limits.set(reduced, [...(this.#limits.get(reduced) ?? []), limit]);
  }

  /** With its limits in its description. */
  #described(reduced: Record<string, Json>): Record<string, Json> {
    const limits = this.#limits.get(reduced);
    if (limits === undefined) return reduced;
    const { description } = reduced;
    const said = `(${limits.join(', ')})`;
    const known = typeof description === 'string' && description !== '' ? `${description} ` : '';
    return { ...reduced, description: known + said };
  }

  /** Choices are texts that say something, or numbers. */
  #choices(reduced: Record<string, Json>, choices: readonly Json[]): void {
    const usable = choices.filter(
      (one) => typeof one === 'number' || (typeof one === 'string' && one !== ''),
    );
    for (const one of choices) {
      if (!usable.includes(one)) this.leftOut.add(`the choice ${JSON.stringify(one).slice(0, 60)}`);
    }
    if (usable.length > 0) reduced['enum'] = usable;
  }

  /** The target of a reference within the schema; one that leads to itself, or elsewhere, is any object or anything. */
  #referred(reference: string, depth: number, within: readonly string[]): JsonObject {
    if (within.includes(reference)) {
      this.leftOut.add('$ref to itself');
      return { type: 'object' };
    }
    const target = reference.startsWith('#') ? this.#at(reference.slice(1)) : undefined;
    if (target === undefined) {
      this.leftOut.add('$ref');
      return {};
    }
    return this.of(target, depth + 1, [...within, reference]);
  }

  #at(pointer: string): Json | undefined {
    let found: Json | undefined = this.#root;
    for (const step of pointer.split('/').slice(1)) {
      const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
      found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
    }
    return found;
  }

  /** All of several schemas: their properties and what they want of them together. */
  #joined(
    reduced: Record<string, Json>,
    all: readonly Json[],
    depth: number,
    within: readonly string[],
  ): JsonObject {
    const parts = [...all.map((one) => this.of(one, depth + 1, within)), reduced];
    const objects = (name: string): JsonObject =>
      Object.assign({}, ...parts.map((part) => part[name] ?? {})) as JsonObject;
    const required = new Set(parts.flatMap((part) => list(part['required'])));
    return withKnownRequired({
      ...(Object.assign({}, ...parts) as JsonObject),
      ...(parts.some((part) => isJsonObject(part['properties']))
        ? { properties: objects('properties') }
        : {}),
      ...(required.size > 0 ? { required: [...required] } : {}),
    });
  }
}

/** Gives every array `items`, without which Gemini refuses the whole request; where they are not described, they are anything. */
function withItems(value: Json): Json {
  if (isList(value)) return value.map(withItems);
  if (!isJsonObject(value)) return value;
  const all = Object.entries(value).map(([name, one]) => [name, withItems(one)] as const);
  const { type, items, ...rest } = Object.fromEntries(all);
  const isArray = [type, ...list(type)].includes('array') || isList(rest['prefixItems']);
  const described = isArray && !isJsonObject(items) ? {} : items;
  return {
    ...(type === undefined ? {} : { type }),
    ...(described === undefined ? {} : { items: described }),
    ...rest,
  };
}

/** Required names must be among the properties. */
function withKnownRequired(schema: JsonObject): JsonObject {
  const { required, ...rest } = schema;
  if (required === undefined) return schema;
  const { properties } = rest;
  const known = list(required).filter(
    (name) =>
      typeof name === 'string' && isJsonObject(properties) && Object.hasOwn(properties, name),
  );
  return known.length === 0 ? rest : { ...rest, required: known };
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
const list = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
