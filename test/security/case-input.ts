import type { Json } from '../../src/domain/data/json.ts';
import type { Answer } from './surface.ts';

const STRICTNESS = { allow: 0, inert: 1, ask: 2, refuse: 3 } as const;

/** The answer of several tries counts as its mildest one. */
export function mildest(answers: readonly Answer[]): Answer {
  const [first] = answers.toSorted(
    (left, right) => STRICTNESS[left.decision] - STRICTNESS[right.decision],
  );
  return first ?? { decision: 'refuse', note: 'nothing was tried' };
}

export function text(value: Json | undefined): string {
  if (typeof value !== 'string')
    throw new TypeError(`A text was expected: ${JSON.stringify(value)}`);
  return value;
}

export function list(value: Json | undefined): string[];
export function list<T>(value: Json | undefined, read: (one: Json) => T): T[];
export function list<T>(
  value: Json | undefined,
  read: (one: Json) => T | string = text,
): (T | string)[] {
  return Array.isArray(value) ? (value as readonly Json[]).map(read) : [];
}

export function record(value: Json | undefined): Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, Json>>)
    : {};
}
