import { wordSet } from '../../domain/text/words.ts';
import type { FileRecord } from './records.ts';

/** Fields that name a session, a run, a queued message or a call, wherever they stand. */
const NAMING = wordSet('id sessionId parentId runId callId finishedCallIds callIds toldTo');

/** Contents by models, tools and policies: never looked into. */
const OPAQUE = wordSet('input content display policyStates loop value text');

/** The record with new names for the ids that have one. */
export function renamed(given: FileRecord, names: ReadonlyMap<string, string>): FileRecord {
  return names.size === 0 ? given : (rename(given, names) as FileRecord);
}

function rename(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, names));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => {
      if (NAMING.has(key)) return [key, newName(item, names)];
      return [key, OPAQUE.has(key) ? item : rename(item, names)];
    }),
  );
}

function newName(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => newName(item, names));
  return typeof value === 'string' ? (names.get(value) ?? value) : value;
}
