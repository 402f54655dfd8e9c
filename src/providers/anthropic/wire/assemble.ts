import type { StopReason } from '@anthropic-ai/sdk/resources/messages/messages';
import { told } from '../../../domain/text/told.ts';
import { isJsonObject } from '../../../domain/data/json.ts';
import type { ModelEvent } from '../../../core/model-call/model-call.ts';
import type { FinishReason, Part, Usage } from '../../../domain/message.ts';
import type { ReplayOwner } from '../../../domain/models/replay.ts';
import { openBlock, TextBlock, ThinkingBlock, ToolUseBlock } from './block.ts';
import type { OpenBlock } from './block.ts';
import {
  type Assembler,
  complete,
  type Outcome,
  unknownPart,
} from '../../http/answer/assembler.ts';
import { textOr } from '../../http/fields.ts';
import { CallIds, ShownEvents } from '../../http/answer/shown-events.ts';
import type { WireAnswer, WireDelta, WireEvent, WireUsage } from './wire-event.ts';

/**
 * Puts one answer together from the API's events: by our own hand, because nothing incomplete may
 * ever be run. Blocks are keyed by their index, whatever the order. Only `message_stop` makes an
 * answer; what follows it does not count.
 */
export class Assembly implements Assembler {
  outcome: Outcome | undefined;
  readonly #blocks = new Map<number, OpenBlock>();
  readonly #callIds = new CallIds();
  readonly #owner: ReplayOwner;
  #model: string;
  #started = false;
  #stopReason: string | undefined;
  #stopDetails: unknown;
  #usage: Usage | undefined;
  readonly #shown = new ShownEvents();

  /** `owner`: who gets the thinking again. */
  constructor(owner: ReplayOwner) {
    this.#owner = owner;
    this.#model = owner.model;
  }

  /** Tokens counted so far; absent when the provider did not say. */
  get usage(): Usage | undefined {
    return this.#usage;
  }

  /** The answer has told its stop reason and no block is open: only the end mark is missing. */
  get lacksOnlyTheEnd(): boolean {
    return (
      this.#stopReason !== undefined && [...this.#blocks.values()].every(({ stopped }) => stopped)
    );
  }

  take(): readonly ModelEvent[] {
    return this.#shown.take();
  }

  accept(event: WireEvent): void {
    if (this.outcome !== undefined) return;
    if (event.type === undefined && isJsonObject(event.error)) {
      this.outcome = { kind: 'error', body: event };
      return;
    }
    switch (event.type) {
      case 'message_start':
        this.#start(event);
        break;
      case 'content_block_start':
        this.#open(event);
        break;
      case 'content_block_delta':
        this.#delta(event);
        break;
      case 'content_block_stop':
        this.#stop(event);
        break;
      case 'message_delta':
        this.#stopReason = textOr(event.delta?.stop_reason) || this.#stopReason;
        this.#stopDetails = event.delta?.stop_details ?? this.#stopDetails;
        this.#count(event.usage);
        break;
      case 'message_stop':
        this.finish();
        break;
      case 'error':
        this.outcome = { kind: 'error', body: event };
        break;
      default: // pings, and what the API will invent
        break;
    }
  }

  acceptWhole(message: WireAnswer): boolean {
    const { content, stop_reason: reason, stop_details: details } = message;
    if (message.type === 'error' || isJsonObject(message.error)) {
      this.outcome = { kind: 'error', body: message };
      return true;
    }
    if (!Array.isArray(content)) return false;
    this.accept({ type: 'message_start', message });
    for (const [index, block] of content.entries()) {
      if (!isJsonObject(block)) continue;
      this.accept({ type: 'content_block_start', index, content_block: block });
      this.accept({ type: 'content_block_stop', index });
    }
    this.accept({ type: 'message_delta', delta: { stop_reason: reason, stop_details: details } });
    this.accept({ type: 'message_stop' });
    return true;
  }

  /** Ends the answer as `message_stop` does. */
  finish(): void {
    this.#shown.flush();
    this.outcome = this.#outcome();
  }

  #start({ message }: WireEvent): void {
    if (this.#started) {
      this.outcome = {
        kind: 'broken',
        why: told`a second message began before the first had ended`,
      };
      return;
    }
    this.#started = true;
    this.#model = textOr(message?.model) || this.#model;
    this.#count(message?.usage);
    this.#shown.start(this.#model, this.#usage);
  }

  #open({ index, content_block: content }: WireEvent): void {
    if (typeof index !== 'number' || content === undefined || this.#blocks.has(index)) return;
    const block = openBlock(
      content,
      (wanted) => this.#callIds.of(wanted === '' ? 'call' : wanted),
      this.#owner,
    );
    if (block === undefined) {
      this.#shown.push(unknownPart(textOr(content.type).slice(0, 60)));
      return;
    }
    this.#blocks.set(index, block);
    if (block instanceof ToolUseBlock) {
      this.#shown.push({ type: 'tool_call_started', index, callId: block.id, name: block.name });
    }
    if (block.opening !== undefined) this.#shown.show(index, block.opening);
  }

  #delta({ index, delta }: WireEvent): void {
    if (typeof index !== 'number' || delta === undefined) return;
    let block = this.#blocks.get(index);
    if (block === undefined) {
      block = implied(delta, this.#owner);
      if (block === undefined) return;
      this.#blocks.set(index, block);
    }
    const shown = block.add(delta);
    if (shown !== undefined) this.#shown.show(index, shown);
  }

  #stop({ index }: WireEvent): void {
    const block = typeof index === 'number' ? this.#blocks.get(index) : undefined;
    if (block === undefined || block.stopped || typeof index !== 'number') return;
    block.stopped = true;
    this.#shown.flush();
    const part = block.part(false);
    if (part !== undefined) this.#shown.push({ type: 'part', index, part });
  }

  #count(usage: WireUsage | null | undefined): void {
    if (usage === undefined || usage === null) return;
    const known = this.#usage;
    const { input_tokens: input, output_tokens: output } = usage;
    if (known === undefined && typeof input !== 'number' && typeof output !== 'number') return;
    const or = (value: unknown, before: number | undefined): number =>
      typeof value === 'number' ? value : (before ?? 0);
    this.#usage = {
      inputTokens: or(input, known?.inputTokens),
      outputTokens: or(output, known?.outputTokens),
      cacheReadTokens: or(usage.cache_read_input_tokens, known?.cacheReadTokens),
      cacheWriteTokens: or(usage.cache_creation_input_tokens, known?.cacheWriteTokens),
    };
  }

  #outcome(): Outcome {
    if (this.#stopReason === 'refusal')
      return { kind: 'refused', ...refusalDetails(this.#stopDetails) };
    const inOrder = [...this.#blocks]
      .toSorted(([left], [right]) => left - right)
      .map(([, block]) => block);
    if (inOrder.some((block) => block instanceof ToolUseBlock && !block.stopped)) {
      return { kind: 'broken', why: told`a tool call was not finished` };
    }
    const isCut =
      this.#stopReason === 'max_tokens' || this.#stopReason === 'model_context_window_exceeded';
    const parts = inOrder
      .map((block, place) => block.part(isCut && place === inOrder.length - 1))
      .filter((part) => part !== undefined);
    const end = finishOf(this.#stopReason, parts);
    const { finish } = end;
    if (
      parts.length === 0 &&
      finish !== 'max_tokens' &&
      finish !== 'context_window' &&
      finish !== 'pause'
    )
      return { kind: 'empty' };
    return complete(parts, end, this.#usage, this.#model);
  }
}

/** A block whose start was lost; a tool call cannot do without it. */
function implied(delta: WireDelta, owner: ReplayOwner): OpenBlock | undefined {
  if (delta.type === 'text_delta') return new TextBlock('');
  return delta.type === 'thinking_delta' ? new ThinkingBlock('', '', owner) : undefined;
}

function refusalDetails(details: unknown): { category?: string; explanation?: string } {
  if (typeof details !== 'object' || details === null) return {};
  const { category, explanation } = details as { category?: unknown; explanation?: unknown };
  return {
    ...(typeof category === 'string' ? { category } : {}),
    ...(typeof explanation === 'string' ? { explanation } : {}),
  };
}

const FINISHES: Readonly<Partial<Record<string, FinishReason>>> = {
  end_turn: 'end_turn',
  tool_use: 'tool_use',
  max_tokens: 'max_tokens',
  stop_sequence: 'stop_sequence',
  pause_turn: 'pause',
  model_context_window_exceeded: 'context_window',
} satisfies Record<Exclude<StopReason, 'refusal'>, FinishReason>;

/** A tool call in the answer decides, whatever the stop reason says: it must be answered. */
function finishOf(
  stopReason: string | undefined,
  parts: readonly Part[],
): { finish: FinishReason; detail?: string } {
  const word = stopReason ?? 'no stop reason';
  const known =
    stopReason !== undefined && Object.hasOwn(FINISHES, stopReason)
      ? FINISHES[stopReason]
      : undefined;
  const hasCalls = parts.some(({ type }) => type === 'tool_call');
  if (hasCalls && (known === undefined || known === 'end_turn' || known === 'stop_sequence')) {
    return { finish: 'tool_use', detail: word };
  }
  return known === undefined ? { finish: 'unknown', detail: word } : { finish: known };
}
