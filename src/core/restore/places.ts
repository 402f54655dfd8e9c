import type { Json } from '../../domain/data/json.ts';
import { type Message, toolCallsOf } from '../../domain/message.ts';
import { type CallPlaces, anchorOf } from './agent-changes.ts';
import type { ChangeRecord } from './storage/change-record.ts';

/** Half a step: behind everything that was there, before everything that comes. */
const HALF = 0.5;

/** Places of calls no longer in a cut conversation: after all that is left, before what follows. */
export function placesAfterCut(
  fromSeq: number,
  messages: readonly Message[],
  records: readonly ChangeRecord[],
  places: CallPlaces,
): Json {
  const cut = fromSeq - HALF;
  const removed = anchorsIn(messages.filter(({ seq }) => seq >= fromSeq));
  const next: Record<string, number> = {};
  for (const anchor of records.map(anchorOf)) {
    const known = places.get(anchor);
    if (removed.has(anchor) || (known !== undefined && known > cut)) next[anchor] = cut;
    else if (known !== undefined) next[anchor] = known;
  }
  return next;
}

/** Places of a replaced conversation's calls: after those of its successor, but for common ones. */
export function placesBehind(
  lastSeq: number,
  messages: readonly Message[],
  records: readonly ChangeRecord[],
  places: CallPlaces,
): Json {
  const end = lastSeq + HALF;
  const shown = anchorsIn(messages);
  const next: Record<string, number> = {};
  for (const anchor of records.map(anchorOf))
    if (shown.has(anchor) || places.has(anchor))
      next[anchor] = shown.has(anchor) ? end : Math.min(places.get(anchor) ?? end, end);
  return next;
}

const anchorsIn = (messages: readonly Message[]): ReadonlySet<string> =>
  new Set(messages.flatMap((message) => [message.id, ...toolCallsOf(message).map(({ id }) => id)]));
