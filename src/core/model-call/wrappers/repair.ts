import { toolCallsOf, toolResultsOf } from '../../../domain/message.ts';
import type { Message, Part, ToolCallPart, ToolResultPart } from '../../../domain/message.ts';

/** The result of a call that was never answered. */
const INTERRUPTED =
  'This call was interrupted. Whether it ran, and how far, is not known: check before you repeat it.';
/** Put first when the history does not begin with the user. */
const LEFT_OUT = '[Earlier messages are left out.]';

/**
 * Makes a history that every provider accepts: each call has one result, right after it; ids are
 * unique; nothing is empty; refused or broken-off answers are left out (E6); the user speaks first.
 * A good history stays the same array.
 */
export function repairHistory(messages: readonly Message[]): readonly Message[] {
  if (isGood(messages)) return messages;
  const kept = messages.filter((message) => !isVoid(message)).flatMap(withoutUnsendable);
  const answers = answersById(kept);
  const repaired: Message[] = [];
  const usedIds = new Set<string>();
  for (let index = 0; index < kept.length;) {
    const message = kept[index];
    if (message === undefined) break;
    const end = followersEnd(kept, index + 1);
    const followers = kept.slice(index + 1, end);
    if (message.role === 'assistant') {
      repaired.push(...exchange(message, followers, { usedIds, answers }));
      index = end;
    } else {
      repaired.push(...withoutResults(message));
      index += 1;
    }
  }
  const first = repaired[0];
  if (first !== undefined && first.role !== 'user') {
    const { sessionId, seq, createdAt } = first;
    repaired.unshift({
      id: `${first.id}-before`,
      sessionId,
      seq,
      role: 'user',
      origin: 'policy',
      parts: [{ type: 'text', text: LEFT_OUT }],
      createdAt,
    });
  }
  return repaired;
}

/** True for an answer that must not be sent again: the model declined it, or it broke off. */
function isVoid({ role, parts }: Message): boolean {
  return (
    role === 'assistant' &&
    parts.some(
      (part) => part.type === 'finish' && (part.reason === 'refusal' || part.reason === 'failed'),
    )
  );
}

const isBlank = (part: Part): boolean => part.type === 'text' && part.text.trim() === '';
const hasContent = (message: Message): boolean =>
  message.parts.some(({ type }) => type !== 'finish');

/** One pass without copies: the usual case, at every turn. */
function isGood(messages: readonly Message[]): boolean {
  if (messages.length > 0 && messages[0]?.role !== 'user') return false;
  const seen = new Set<string>();
  let open = new Set<string>();
  for (const message of messages) {
    if (isVoid(message) || !hasContent(message)) return false;
    if (message.role === 'assistant') {
      if (open.size > 0) return false;
      open = new Set();
    }
    for (const part of message.parts) {
      if (isBlank(part)) return false;
      if (part.type === 'tool_call') {
        if (message.role !== 'assistant' || seen.has(part.id)) return false;
        seen.add(part.id);
        open.add(part.id);
      }
      if (
        part.type === 'tool_result' &&
        (message.role === 'assistant' || !open.delete(part.callId))
      )
        return false;
    }
  }
  return open.size === 0;
}

/** Without blank text, and without calls and results in messages of the wrong role. */
function withoutUnsendable(message: Message): readonly Message[] {
  const isAssistant = message.role === 'assistant';
  const parts = message.parts.filter(
    (part) => !isBlank(part) && part.type !== (isAssistant ? 'tool_result' : 'tool_call'),
  );
  const next = parts.length === message.parts.length ? message : { ...message, parts };
  return hasContent(next) ? [next] : [];
}

/** Results of the whole history, in order, by the id of their call. */
function answersById(messages: readonly Message[]): Map<string, ToolResultPart[]> {
  const answers = new Map<string, ToolResultPart[]>();
  for (const message of messages) {
    for (const result of toolResultsOf(message)) {
      const known = answers.get(result.callId);
      if (known === undefined) answers.set(result.callId, [result]);
      else known.push(result);
    }
  }
  return answers;
}

/** The index of the next assistant message. */
function followersEnd(messages: readonly Message[], start: number): number {
  const next = messages.findIndex(
    (message, index) => index >= start && message.role === 'assistant',
  );
  return next < 0 ? messages.length : next;
}

interface Known {
  readonly usedIds: Set<string>;
  readonly answers: Map<string, ToolResultPart[]>;
}

/** An assistant message and what follows it up to the next one: the calls, then all their results, then the rest. */
function exchange(
  message: Message,
  followers: readonly Message[],
  known: Known,
): readonly Message[] {
  const results: ToolResultPart[] = [];
  const parts = message.parts
    .filter(({ type }) => type !== 'tool_result')
    .map((part) => {
      if (part.type !== 'tool_call') return part;
      const call = withUniqueId(part, known.usedIds);
      const result = known.answers.get(part.id)?.shift();
      results.push(
        result === undefined
          ? interrupted(call)
          : result.callId === call.id
            ? result
            : { ...result, callId: call.id },
      );
      return call;
    });
  const isSame =
    parts.length === message.parts.length &&
    parts.every((part, index) => part === message.parts[index]);
  const rest = followers.flatMap(withoutResults);
  if (toolCallsOf({ parts }).length === 0)
    return [isSame ? message : { ...message, parts }, ...rest];
  return [
    isSame ? message : { ...message, parts },
    resultMessage(message, followers, results),
    ...rest,
  ];
}

function withUniqueId(call: ToolCallPart, usedIds: Set<string>): ToolCallPart {
  let id = call.id;
  for (let number = 2; usedIds.has(id); number += 1) id = `${call.id}-${number}`;
  usedIds.add(id);
  return id === call.id ? call : { ...call, id };
}

const interrupted = ({ id, name }: ToolCallPart): ToolResultPart => ({
  type: 'tool_result',
  callId: id,
  name,
  state: 'unknown',
  content: [{ type: 'text', text: INTERRUPTED }],
});

/** The message with the results: the stored one when it holds exactly them. */
function resultMessage(
  asked: Message,
  followers: readonly Message[],
  results: readonly ToolResultPart[],
): Message {
  const stored = followers.find(({ role }) => role === 'tool');
  const isSame =
    stored?.parts.length === results.length &&
    results.every((result, index) => result === stored.parts[index]);
  if (stored !== undefined && isSame) return stored;
  const { sessionId, seq, createdAt } = asked;
  return {
    ...(stored ?? { id: `${asked.id}-results`, sessionId, seq, createdAt }),
    role: 'tool',
    parts: results,
  };
}

function withoutResults(message: Message): readonly Message[] {
  const parts = message.parts.filter(({ type }) => type !== 'tool_result');
  if (parts.length === message.parts.length) return [message];
  return parts.some(({ type }) => type !== 'finish') ? [{ ...message, parts }] : [];
}
