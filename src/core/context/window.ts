import { toolCallsOf, type Message } from '../../domain/message.ts';
import type { Compaction } from '../../domain/session/session.ts';
import { safeCutAfter, safeCuts } from './pairs.ts';
import { withShortTexts, withShortTools } from './compaction/shorten.ts';

export interface WindowInput {
  /** Ascending `seq`: all, or the first request and all after the compaction's `throughSeq`. */
  readonly messages: readonly Message[];
  /** The newest compaction that is not undone. */
  readonly compaction?: Compaction | undefined;
  /** Most messages (E4); 0 or absent: no limit. */
  readonly historyLimit?: number;
}

export interface ContextWindow {
  /** The model's messages; old ones stay the same objects from turn to turn. */
  readonly messages: readonly Message[];
  /** Messages at the head that are always there: the first request and the summary. */
  readonly fixed: number;
  /** Messages that the history limit left out. */
  readonly dropped: number;
}

/** True for a request of the person, a parent agent or a follow-up. */
export function isRequest(message: Message): boolean {
  if (message.role !== 'user') return false;
  switch (message.origin) {
    case undefined:
    case 'person':
    case 'parent':
    case 'followup':
      return true;
    case 'policy':
    case 'summary':
    case 'journal':
    case 'environment':
    case 'memory':
      return false;
    default:
      return message.origin satisfies never;
  }
}

/** An answer in which the model declined (c11, c12) and that nothing refers to. */
function isRefusal(message: Message): boolean {
  if (message.role !== 'assistant') return false;
  const last = message.parts.at(-1);
  return last?.type === 'finish' && last.reason === 'refusal' && toolCallsOf(message).length === 0;
}

/**
 * Leaves out what the model declined, and its request once there is a newer one: sent again, it would be declined
 * again.
 */
function withoutRefused(messages: readonly Message[]): readonly Message[] {
  if (!messages.some(isRefusal)) return messages;
  const lastRequest = messages.findLastIndex(isRequest);
  return messages.filter((message, index) => {
    if (isRefusal(message)) return false;
    const next = messages[index + 1];
    return !(isRequest(message) && index < lastRequest && next !== undefined && isRefusal(next));
  });
}

const summaries = new WeakMap<Compaction, Message>();

/** The summary, re-roled as a message of the user (B6). */
function summaryMessage(compaction: Compaction): Message {
  let message = summaries.get(compaction);
  if (message === undefined) {
    message = {
      id: `${compaction.id}-summary`,
      sessionId: compaction.sessionId,
      seq: compaction.throughSeq,
      role: 'user',
      origin: 'summary',
      parts: [{ type: 'text', text: compaction.summary }],
      createdAt: compaction.createdAt,
    };
    summaries.set(compaction, message);
  }
  return message;
}

/** The messages after a `seq`, found by halving: a long history costs nothing. */
function after(messages: readonly Message[], seq: number): readonly Message[] {
  let low = 0;
  let high = messages.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((messages[middle] as Message).seq > seq) high = middle;
    else low = middle + 1;
  }
  return messages.slice(low);
}

/**
 * Leaves out the oldest messages beyond the limit (E4), in steps of half the limit, so that the
 * prompt cache holds between two steps. Never splits a call from its result.
 */
function limited(tail: readonly Message[], limit: number): readonly Message[] {
  if (tail.length <= limit) return tail;
  const step = Math.max(1, Math.floor(limit / 2));
  const drop = Math.ceil((tail.length - limit) / step) * step;
  return tail.slice(safeCutAfter(safeCuts(tail), Math.min(drop, tail.length - 1)));
}

/** The model's part of a transcript, which stays as it is: first request, summary, all since (C3, E5, B6). */
export function windowOf({ messages, compaction, historyLimit = 0 }: WindowInput): ContextWindow {
  const sent = withoutRefused(messages);
  const first = sent.findIndex(isRequest);
  let head: readonly Message[];
  let tail: readonly Message[];
  if (compaction === undefined || compaction.undone) {
    head = sent.slice(0, first + 1);
    tail = sent.slice(first + 1);
  } else {
    const summary = summaryMessage(compaction);
    const request = sent[first];
    tail = after(sent, compaction.throughSeq);
    if (request === undefined) head = [summary];
    else if (request.seq <= compaction.throughSeq) head = [request, summary];
    else {
      const end = tail.indexOf(request) + 1;
      head = [summary, ...tail.slice(0, end)];
      tail = tail.slice(end);
    }
  }
  if (compaction?.undone === false && compaction.resultLimit !== undefined) {
    const { throughSeq, characters } = compaction.resultLimit;
    tail = tail.map((message) =>
      message.seq <= throughSeq ? withShortTools(message, characters) : message,
    );
  }
  if (compaction?.undone === false && compaction.requestLimit !== undefined) {
    const { requestLimit } = compaction;
    head = head.map((message) =>
      isRequest(message) ? withShortTexts(message, requestLimit) : message,
    );
  }
  const kept = historyLimit > 0 ? limited(tail, Math.max(1, historyLimit - head.length)) : tail;
  return { messages: [...head, ...kept], fixed: head.length, dropped: tail.length - kept.length };
}
