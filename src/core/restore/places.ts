import type { Json } from '../../domain/json.ts';
import { toolCallsOf } from '../../domain/message.ts';
import type { Message } from '../../domain/message.ts';
import type { CallPlaces, ChangeRecord } from '../agent-changes.ts';

/** Half a step: behind everything that was there, before everything that comes. */
const HALF = 0.5;

/**
 * Places of the calls that are no longer in a conversation whose end is taken out: what they did to files was
 * done after everything that is left, and before everything that follows.
 */
export function placesAfterCut(
  fromSeq: number,
  messages: readonly Message[],
  records: readonly ChangeRecord[],
  places: CallPlaces,
): Json {
  const cut = fromSeq - HALF;
  const removed = callsIn(messages.filter(({ seq }) => seq >= fromSeq));
  const next: Record<string, number> = {};
  for (const { callId } of records) {
    const known = places.get(callId);
    if (removed.has(callId) || (known !== undefined && known > cut)) next[callId] = cut;
    else if (known !== undefined) next[callId] = known;
  }
  return next;
}

/**
 * Places when a conversation is replaced by another state of it: what was done in the one that goes was done
 * after all of the one that comes, but for the calls that are in both.
 */
export function placesBehind(
  lastSeq: number,
  messages: readonly Message[],
  records: readonly ChangeRecord[],
  places: CallPlaces,
): Json {
  const end = lastSeq + HALF;
  const shown = callsIn(messages);
  const next: Record<string, number> = {};
  for (const { callId } of records)
    if (shown.has(callId) || places.has(callId))
      next[callId] = shown.has(callId) ? end : Math.min(places.get(callId) ?? end, end);
  return next;
}

const callsIn = (messages: readonly Message[]): ReadonlySet<string> =>
  new Set(messages.flatMap((message) => toolCallsOf(message).map(({ id }) => id)));
