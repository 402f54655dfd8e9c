import { type Json, type JsonObject, isJsonObject } from '../domain/data/json.ts';
import type * as z from 'zod/mini';

type Issue = z.core.$ZodIssue;

/** Points that are put right: each costs a copy of the lists and objects that it is in. */
const MOST_REPAIRED = 100;
/** Points that are named. */
const MOST_NAMED = 10;

/** Mends usual slips with one meaning: values as text, a thing for a list, null. */
export function repaired(input: JsonObject, issues: readonly Issue[]): JsonObject {
  let fixed: Json = input;
  if (issues.length > MOST_REPAIRED) return input;
  for (const issue of issues) {
    if (issue.code !== 'invalid_type') continue;
    const path = issue.path.map(String);
    fixed = replaceAt(fixed, path, (value) => repairedValue(value, issue.expected));
  }
  return fixed as JsonObject;
}

function repairedValue(value: Json | undefined, expected: string): Json | undefined {
  if (value === null) return undefined;
  if (typeof value !== 'string') {
    return expected === 'array' && value !== undefined
      ? [value]
      : expected === 'string' && typeof value === 'number'
        ? String(value)
        : value;
  }
  if (expected === 'string') return value;
  const read = parsed(value.trim());
  const fits =
    expected === 'array'
      ? Array.isArray(read)
      : expected === 'object'
        ? isJsonObject(read)
        : expected === 'int'
          ? typeof read === 'number'
          : typeof read === expected;
  if (fits) return read;
  return expected === 'array' ? [value] : value;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** A copy with one value changed; own properties only, so that no name reaches a prototype. */
function replaceAt(
  value: Json,
  path: readonly string[],
  change: (value: Json | undefined) => Json | undefined,
): Json {
  const [key, ...rest] = path;
  if (key === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    return value.map((item: Json, index) =>
      String(index) === key
        ? rest.length === 0
          ? (change(item) ?? item)
          : replaceAt(item, rest, change)
        : item,
    );
  }
  const entries = Object.entries(value as JsonObject).flatMap(([name, inner]): [string, Json][] => {
    if (name !== key) return [[name, inner]];
    const changed = rest.length === 0 ? change(inner) : replaceAt(inner, rest, change);
    return changed === undefined ? [] : [[name, changed]];
  });
  return Object.fromEntries(entries);
}

/** One fault a line, with what there is to choose from. */
export function readableProblem(issues: readonly Issue[], schema: z.ZodMiniObject): string {
  const names = Object.keys(schema.shape);
  const named = issues
    .slice(0, MOST_NAMED)
    .map((issue) => `${pathOf(issue)}${describe(issue, names)}`);
  const more = issues.length - named.length;
  return [...named, ...(more > 0 ? [`There are ${more} more such points.`] : [])].join(' ');
}

function pathOf({ path }: Issue): string {
  if (path.length === 0) return '';
  return `"${path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`)).join('')}" `;
}

function describe(issue: Issue, names: readonly string[]): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${article(issue.expected)}${issue.input === undefined ? ' and is missing' : ''}.`;
    case 'unrecognized_keys': {
      const known = issue.path.length === 0 ? ` It takes: ${names.join(', ')}.` : '';
      return `has no argument ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}.${known}`.replace(
        /^has/u,
        issue.path.length === 0 ? 'The tool has' : 'has',
      );
    }
    case 'too_small':
      return issue.origin === 'array' || issue.origin === 'string'
        ? `needs at least ${issue.minimum} ${issue.origin === 'array' ? 'entries' : 'characters'}.`
        : `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}.`;
    case 'too_big':
      return issue.origin === 'array' || issue.origin === 'string'
        ? `may have at most ${issue.maximum} ${issue.origin === 'array' ? 'entries' : 'characters'}.`
        : `must be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}.`;
    case 'invalid_value':
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}.`;
    default:
      return issue.message === 'Invalid input' ? 'does not have the expected form.' : issue.message;
  }
}

function article(expected: string): string {
  if (expected === 'int') return 'a whole number';
  return `${/^[aeio]/u.test(expected) ? 'an' : 'a'} ${expected}`;
}
