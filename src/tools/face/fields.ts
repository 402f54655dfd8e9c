import { type JsonObject, isJsonObject } from '../../domain/data/json.ts';
import { isTold, type Told } from '../../domain/text/told.ts';

// Arguments and imported displays may be anything: these read them once. No reader throws.

/** A reader of one field; what it is given may be anything. */
export type Field<Value> = (value: unknown) => Value;
export type Fields = Readonly<Record<string, Field<unknown>>>;

type OptionalKey<Shape extends Fields> = {
  [Key in keyof Shape]: undefined extends ReturnType<Shape[Key]> ? Key : never;
}[keyof Shape];

type Flat<Record> = { readonly [Key in keyof Record]: Record[Key] };

/** A record that was read: a field that may be `undefined` is absent then. Plain JSON where its fields are. */
export type Read<Shape extends Fields> = Flat<
  { readonly [Key in Exclude<keyof Shape, OptionalKey<Shape>>]: ReturnType<Shape[Key]> } & {
    readonly [Key in OptionalKey<Shape>]?: Exclude<ReturnType<Shape[Key]>, undefined>;
  }
>;

export function read<Shape extends Fields>(fields: Shape, from: JsonObject): Read<Shape> {
  const values = Object.entries(fields).map(([key, field]): [string, unknown] => [
    key,
    field(Object.hasOwn(from, key) ? from[key] : undefined),
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Read<Shape>;
}

export const text: Field<string> = (value) => (typeof value === 'string' ? value : '');
export const maybeText: Field<string | undefined> = (value) =>
  typeof value === 'string' ? value : undefined;
/** A sentence with its values apart; an older one is text. */
export const maybeTold: Field<Told | string | undefined> = (value) =>
  isTold(value) ? value : maybeText(value);
export const count: Field<number> = (value) => (typeof value === 'number' ? value : 0);
export const maybeCount: Field<number | undefined> = (value) =>
  typeof value === 'number' ? value : undefined;
export const flag: Field<boolean> = (value) => value === true;
export const maybeFlag: Field<boolean | undefined> = (value) =>
  typeof value === 'boolean' ? value : undefined;
/** A flag that holds unless it is said not to. */
export const unlessFalse: Field<boolean> = (value) => value !== false;

export const texts: Field<readonly string[]> = (value) =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
export const maybeTexts: Field<readonly string[] | undefined> = (value) =>
  Array.isArray(value) ? texts(value) : undefined;

/** A key of a table; absent when it is none of them. */
export function maybeKeyOf<Key extends string>(
  table: Readonly<Record<Key, unknown>>,
): Field<Key | undefined> {
  return (value) =>
    typeof value === 'string' && Object.hasOwn(table, value) ? (value as Key) : undefined;
}

/** A key of a table; `otherwise` when it is none of them. */
export function keyOf<Key extends string>(
  table: Readonly<Record<Key, unknown>>,
  otherwise: NoInfer<Key>,
): Field<Key> {
  const key = maybeKeyOf(table);
  return (value) => key(value) ?? otherwise;
}

/** A record in a record; absent when it is none. */
export function recordOf<Shape extends Fields>(fields: Shape): Field<Read<Shape> | undefined> {
  return (value) => (isJsonObject(value) ? read(fields, value) : undefined);
}

/** The records of a list; what else is in it is left out. */
export function listOf<Shape extends Fields>(fields: Shape): Field<readonly Read<Shape>[]> {
  return (value) =>
    Array.isArray(value)
      ? value.filter((item) => isJsonObject(item)).map((item) => read(fields, item))
      : [];
}

/** A list of files, as tools take them. */
export const paths = listOf({ path: text });
