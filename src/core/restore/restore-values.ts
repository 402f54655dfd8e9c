import { type Json, isJsonObject } from '../../domain/data/json.ts';
import { RESTORE_PREFIX } from '../../domain/session/session-values.ts';
import type { Values } from '../ports/store/values.ts';

/** The last restore of a session, as it is undone. */
export const LAST_KEY = `${RESTORE_PREFIX}last`;
/** The note for the model with the next message. */
export const NOTE_KEY = `${RESTORE_PREFIX}note`;
/** Places of calls that are not in the conversation any more. */
export const PLACES_KEY = `${RESTORE_PREFIX}places`;

export type RestoreWhat = 'files' | 'conversation' | 'both';

/** The last restore, kept until it is undone or followed by another. */
export type LastRestore = {
  readonly what: RestoreWhat;
  /** The first words of the message before which it went; of a snapshot, its title. */
  readonly title: string;
  /** The conversation became what a snapshot had kept. */
  readonly isSnapshot?: true;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `seq` of the last message that was left; what was sent since is behind it. */
  readonly afterSeq: number;
  readonly snapshotId?: string;
  /** Time of the newest restore of files on record when this one began; 0: none. Absent: no files. */
  readonly filesSince?: number;
  /** The user's messages that were taken out, and files put back. */
  readonly messages: number;
  readonly files: number;
};

/** Told to the model with the message that directly follows, and never again. */
export type RestoreNote = {
  /** `seq` of the last message before it. */
  readonly afterSeq: number;
  readonly text: string;
};

/** True when there was a restore that may be undone; `SessionRedo` knows if it can. */
export async function wasRestored(
  values: Pick<Values, 'get'>,
  sessionId: string,
): Promise<boolean> {
  return lastFrom(await values.get(LAST_KEY, sessionId)) !== undefined;
}

export function lastFrom(value: Json | undefined): LastRestore | undefined {
  if (!isJsonObject(value)) return undefined;
  const { what, title, at, afterSeq, snapshotId, filesSince, messages, files, isSnapshot } = value;
  if (what !== 'files' && what !== 'conversation' && what !== 'both') return undefined;
  if (typeof title !== 'string' || typeof at !== 'number' || typeof afterSeq !== 'number')
    return undefined;
  return {
    what,
    title,
    ...(isSnapshot === true ? { isSnapshot } : {}),
    at,
    afterSeq,
    ...(typeof snapshotId === 'string' ? { snapshotId } : {}),
    ...(typeof filesSince === 'number' ? { filesSince } : {}),
    messages: typeof messages === 'number' ? messages : 0,
    files: typeof files === 'number' ? files : 0,
  };
}

/** The note for the model with the message that comes behind this place. */
export async function noteAt(
  values: Pick<Values, 'get'>,
  sessionId: string,
  seq: number,
): Promise<string | undefined> {
  const value = await values.get(NOTE_KEY, sessionId);
  if (!isJsonObject(value)) return undefined;
  const { afterSeq, text } = value;
  return afterSeq === seq && typeof text === 'string' ? text : undefined;
}

/** Place of a call by its id, comparable with `seq`. */
export function placesFrom(value: Json | undefined): ReadonlyMap<string, number> {
  if (!isJsonObject(value)) return new Map();
  return new Map(
    Object.entries(value).flatMap(([id, place]) =>
      typeof place === 'number' ? [[id, place] as const] : [],
    ),
  );
}
