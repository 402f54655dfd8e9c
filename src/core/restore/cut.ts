import { safeCutBefore, safeCuts } from '../context/pairs.ts';
import { type BelayError, fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import {
  isBeside,
  type Message,
  textOf,
  toolCallsOf,
  toolResultsOf,
} from '../../domain/message.ts';

/** True for a message of the person that can be gone back to. */
export function isOfPerson({ role, origin }: Message): boolean {
  return role === 'user' && (origin ?? 'person') === 'person';
}

/**
 * `seq` of the first message that goes with one of the person, notes beside it included; no call loses its result.
 * Throws `not_found`.
 */
export function cutBefore(messages: readonly Message[], messageId: string): number {
  let at = messages.findIndex((message) => message.id === messageId);
  const message = messages[at];
  if (message === undefined || !isOfPerson(message)) throw gone();
  while (isBeside(messages[at - 1])) at -= 1;
  const cut = safeCutBefore(safeCuts(messages), at);
  return messages[cut]?.seq ?? message.seq;
}

/** `seq` of the last message of a copy that ends with an answer and its results. Throws `not_found`. */
export function cutAfter(messages: readonly Message[], messageId: string): number {
  const at = messages.findIndex((message) => message.id === messageId);
  const answer = messages[at];
  if (answer?.role !== 'assistant') throw gone();
  const open = new Set(toolCallsOf(answer).map(({ id }) => id));
  let last = answer;
  for (const message of messages.slice(at + 1)) {
    if (open.size === 0) break;
    if (message.role === 'assistant') break;
    for (const { callId } of toolResultsOf(message)) open.delete(callId);
    last = message;
  }
  if (open.size === 0) return last.seq;
  const message = told`What this answer asked for has no results yet. Fork from another message.`;
  throw fault('invalid', message);
}

/** Counts what a cut takes out as the user sees it: their messages, and answers with a text. */
export function countsFrom(
  messages: readonly Message[],
  fromSeq: number,
): { readonly requests: number; readonly answers: number } {
  const gone = messages.filter(({ seq }) => seq >= fromSeq);
  return {
    requests: gone.filter(isOfPerson).length,
    answers: gone.filter((one) => one.role === 'assistant' && textOf(one).trim() !== '').length,
  };
}

function gone(): BelayError {
  const message = told`This message is not in the conversation any more. Nothing was changed.`;
  return fault('not_found', message);
}
