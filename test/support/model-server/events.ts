import type { PromptUsage } from './prompt-cache.ts';
import { signatureOf } from './signature.ts';
import { tokensOf } from './tokens.ts';
import type { Block, Turn, WireEvent } from './turn.ts';

/** Characters of one delta unless the turn says otherwise: about what the API sends. */
const DELTA_SIZE = 24;

export interface Answer {
  readonly id: string;
  readonly model: string;
  readonly content: readonly Block[];
  readonly stopReason: string | null;
  readonly usage: Readonly<Record<string, unknown>> | undefined;
}

/** Settles what a turn leaves open: ids of calls, the stop reason, the usage. */
export function answerOf(turn: Turn, id: string, model: string, prompt: PromptUsage): Answer {
  const content = (turn.content ?? []).map((block, index): Block =>
    block.type === 'tool_use' && block.id === undefined
      ? { ...block, id: `toolu_${id.slice(4)}_${index}` }
      : block,
  );
  const wantsTools = content.some((block) => block.type === 'tool_use');
  const counted = {
    ...prompt,
    output_tokens: content.reduce((sum, block) => sum + tokensOf(block), 0),
    server_tool_use: null,
    output_tokens_details: null,
    service_tier: 'standard',
  };
  return {
    id,
    model: turn.model ?? model,
    content,
    stopReason:
      turn.stopReason === undefined ? (wantsTools ? 'tool_use' : 'end_turn') : turn.stopReason,
    usage: turn.usage === null ? undefined : { ...counted, ...turn.usage },
  };
}

/** The whole answer as one JSON message. */
export function messageOf(answer: Answer, turn: Turn): Record<string, unknown> {
  return {
    id: answer.id,
    type: 'message',
    role: 'assistant',
    model: answer.model,
    content: answer.content.map((block) => wholeBlock(block)),
    stop_reason: answer.stopReason,
    stop_sequence: null,
    stop_details: turn.stopDetails ?? null,
    container: null,
    diagnostics: null,
    ...(answer.usage === undefined ? {} : { usage: answer.usage }),
  };
}

function wholeBlock(block: Block): unknown {
  switch (block.type) {
    case 'tool_use':
      return {
        type: 'tool_use',
        id: block.id,
        name: block.name,
        input: typeof block.input === 'string' ? {} : block.input,
      };
    case 'thinking':
      return { ...block, signature: block.signature ?? signatureOf(block.thinking) };
    case 'raw':
      return block.block;
    case 'text':
    case 'redacted_thinking':
      return block;
    default:
      return block satisfies never;
  }
}

/** The answer as server-sent events, in the API's own order. */
export function eventsOf(answer: Answer, turn: Turn): WireEvent[] {
  const size = turn.deltaSize ?? DELTA_SIZE;
  const started = { ...messageOf(answer, turn), content: [], stop_reason: null };
  const usage = answer.usage === undefined ? {} : { usage: { ...answer.usage, output_tokens: 1 } };
  const events: WireEvent[] = [named({ type: 'message_start', message: { ...started, ...usage } })];
  for (const [index, block] of answer.content.entries()) {
    events.push(named({ type: 'content_block_start', index, content_block: opening(block) }));
    if (index === 0) events.push(named({ type: 'ping' }));
    for (const delta of deltas(block, size))
      events.push(named({ type: 'content_block_delta', index, delta }));
    events.push(named({ type: 'content_block_stop', index }));
  }
  events.push(
    named({
      type: 'message_delta',
      delta: {
        stop_reason: answer.stopReason,
        stop_sequence: null,
        stop_details: turn.stopDetails ?? null,
      },
      ...(answer.usage === undefined ? {} : { usage: answer.usage }),
    }),
    named({ type: 'message_stop' }),
  );
  return events;
}

/** An event whose name is its type, as the API writes it. */
export function named(data: { readonly type: string; readonly [key: string]: unknown }): WireEvent {
  return { event: data.type, data };
}

function opening(block: Block): unknown {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: '', citations: null };
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'redacted_thinking':
      return block;
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: {} };
    case 'raw':
      return block.block;
    default:
      return block satisfies never;
  }
}

function deltas(block: Block, size: number): unknown[] {
  switch (block.type) {
    case 'text':
      return pieces(block.text, size).map((text) => ({ type: 'text_delta', text }));
    case 'thinking':
      return [
        ...pieces(block.thinking, size).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: block.signature ?? signatureOf(block.thinking) },
      ];
    case 'tool_use': {
      const json = typeof block.input === 'string' ? block.input : JSON.stringify(block.input);
      return ['', ...(json === '{}' ? [] : pieces(json, size))].map((partial) => ({
        type: 'input_json_delta',
        partial_json: partial,
      }));
    }
    case 'raw':
      return [...(block.deltas ?? [])];
    case 'redacted_thinking':
      return [];
    default:
      return block satisfies never;
  }
}

function pieces(text: string, size: number): string[] {
  const found: string[] = [];
  for (let start = 0; start < text.length; start += size)
    found.push(text.slice(start, start + size));
  return found;
}
