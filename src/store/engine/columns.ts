import { told } from '../../domain/text/told.ts';
import type { Json } from '../../domain/data/json.ts';
import { storeError } from '../database/failures.ts';

/** A whole number for an INTEGER column: clocks may give fractions of a millisecond. */
export function whole(value: number): number {
  return Number.isFinite(value) ? Math.round(value) : 0;
}

export function wholeOrNull(value: number | undefined): number | null {
  return value === undefined ? null : whole(value);
}

export function bit(value: boolean | undefined): 0 | 1 {
  return value === true ? 1 : 0;
}

/** The LIMIT of a select that has none. */
export const NO_LIMIT = -1;

/** JSON for a TEXT column. Escapes lone surrogates and NUL, which SQLite's text cannot hold. */
export function jsonOf(value: object | Json): string {
  return JSON.stringify(value);
}

export function jsonOrNull(value: object | Json | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** Parses what `jsonOf` wrote. Text that is no JSON any more is damage, and treated as such. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the one cast for all callers
export function stored<Result>(text: string): Result {
  try {
    return JSON.parse(text) as Result;
  } catch (error) {
    throw storeError('damaged', told`A record of the database is not readable any more.`, error);
  }
}

/** The part of an object with one optional field: absent where the column is NULL. */
export function optional<Key extends string, Given, Result>(
  key: Key,
  value: Given | null | undefined,
  convert: (value: Given) => Result,
): { readonly [Name in Key]?: Result } {
  return (value === null || value === undefined ? {} : { [key]: convert(value) }) as {
    readonly [Name in Key]?: Result;
  };
}

/** `value` itself; for `optional` where nothing needs converting. */
export function same<T>(value: T): T {
  return value;
}
