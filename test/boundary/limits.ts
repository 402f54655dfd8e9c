import { readFileSync } from 'node:fs';
import type { Shape } from './shapes.ts';

export type Kind = 'classes' | 'bags' | 'folders';

/** What is counted, the count that a reader still keeps in mind, and what to do about more. */
export const LIMITS: Readonly<Record<Kind, { unit: string; limit: number; remedy: string }>> = {
  classes: { unit: 'public members', limit: 12, remedy: 'Split it by responsibility.' },
  bags: { unit: 'fields', limit: 12, remedy: 'Group the fields that travel together.' },
  folders: { unit: 'files', limit: 20, remedy: 'Make a sub-folder named for its topic.' },
};

/** How far a recorded class, bag or folder may grow: a small change must not begin with a refactoring. */
const MAX_GROWTH = 2;

/** Counts by name, without the file, so that an entry survives a move. */
type LimitRecord = Readonly<Record<Kind, Readonly<Record<string, number>>>>;

const RECORD_FILE = 'test/boundary/limits.json';
const RECORD = JSON.parse(
  readFileSync(new URL('limits.json', import.meta.url), 'utf8'),
) as LimitRecord;

/** Returns the largest count that the check accepts: the plain limit, or the recorded count plus two. */
export function getMaxCount(kind: Kind, name: string, record: LimitRecord = RECORD): number {
  const { limit } = LIMITS[kind];
  const recorded = Object.hasOwn(record[kind], name) ? record[kind][name] : undefined;
  return recorded === undefined ? limit : Math.max(limit, recorded + MAX_GROWTH);
}

/** Describes each one that is too large, by how much, and what to do about it. */
export function describeTooLarge(
  kind: Kind,
  shapes: readonly Shape[],
  record: LimitRecord = RECORD,
): readonly string[] {
  const { unit, limit, remedy } = LIMITS[kind];
  return shapes.flatMap(({ name, file, count }) => {
    const max = getMaxCount(kind, name, record);
    if (count <= max) return [];
    const label = file === undefined ? name : `${name} (${file})`;
    const recorded = record[kind][name];
    const reason = max > limit ? `: ${recorded} in ${RECORD_FILE} and ${MAX_GROWTH} more` : '';
    return [
      `${label} has ${count} ${unit}, ${count - max} too many (limit ${max}${reason}). ${remedy}`,
    ];
  });
}
