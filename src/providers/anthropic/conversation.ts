import type { Message } from '../../domain/message.ts';
import { utf8, withCommas } from '../http/bytes.ts';
import { resultsFirst } from './wire/wire-message.ts';
import type { MessageForm, WireBlock, WireMessage, WireMessages } from './wire/wire-message.ts';

export interface ConversationOptions {
  readonly wireMessages: WireMessages;
  readonly form: MessageForm;
  /** The value of `cache_control`. */
  readonly marker: string;
}

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly messages: WireMessage[];
}

const OPENING = {
  user: utf8('{"role":"user","content":['),
  assistant: utf8('{"role":"assistant","content":['),
} as const;
const CLOSING = utf8(']}');
const NEXT = utf8(',');

/** Said when the history ends with the model's own words: the API wants the last one to be the user's. */
const GO_ON_BLOCK: WireBlock = { kind: 'text', bytes: utf8('{"type":"text","text":"Continue."}') };
const GO_ON: WireMessage = { role: 'user', blocks: [GO_ON_BLOCK], bytes: GO_ON_BLOCK.bytes };

/** A request's `messages` in pieces; only turns with cache breakpoints are made anew. */
export function conversationBytes(
  messages: readonly Message[],
  options: ConversationOptions,
): readonly Uint8Array[] {
  const turns = turnsOf(messages, options);
  const last = turns.length - 1;
  const before = turns.findLastIndex(({ role }, index) => index < last && role === 'user');
  const pieces: Uint8Array[] = [];
  for (const [index, turn] of turns.entries()) {
    if (index > 0) pieces.push(NEXT);
    const isMarked = index === last || index === before;
    pieces.push(
      OPENING[turn.role],
      ...contentOf(turn, isMarked ? options.marker : undefined),
      CLOSING,
    );
  }
  return pieces;
}

/** Messages become turns: neighbours of one role are one, and empty ones are left out. */
function turnsOf(messages: readonly Message[], options: ConversationOptions): readonly Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const wire = options.wireMessages.of(message, options.form);
    if (wire.blocks.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === wire.role) last.messages.push(wire);
    else turns.push({ role: wire.role, messages: [wire] });
  }
  const finish = messages.at(-1)?.parts.at(-1);
  const isPaused = finish?.type === 'finish' && finish.reason === 'pause';
  if (turns.at(-1)?.role === 'assistant' && !isPaused)
    turns.push({ role: 'user', messages: [GO_ON] });
  return turns;
}

function contentOf({ role, messages }: Turn, marker: string | undefined): readonly Uint8Array[] {
  const [only] = messages;
  if (messages.length === 1 && only !== undefined && marker === undefined) return [only.bytes];
  const all = messages.flatMap(({ blocks }) => blocks);
  const blocks = role === 'user' && messages.length > 1 ? resultsFirst(all) : all;
  const at = marker === undefined ? -1 : blocks.findLastIndex(({ kind }) => kind !== 'thinking');
  return withCommas(
    blocks.map(({ bytes }, index) =>
      index === at && marker !== undefined ? marked(bytes, marker) : bytes,
    ),
  );
}

/** Puts a cache breakpoint on a block. */
function marked(bytes: Uint8Array, marker: string): Uint8Array {
  const end = utf8(`,"cache_control":${marker}}`);
  const all = new Uint8Array(bytes.length - 1 + end.length);
  all.set(bytes.subarray(0, -1));
  all.set(end, bytes.length - 1);
  return all;
}
