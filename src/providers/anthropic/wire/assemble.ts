import { isJsonObject } from '../../../domain/json.ts';
import type { ModelAnswer, ModelEvent } from '../../../core/model-call/model-call.ts';
import type { FinishReason, Part, Usage } from '../../../domain/message.ts';
import { openBlock, TextBlock, ThinkingBlock, ToolUseBlock } from './block.ts';
import type { OpenBlock, Shown } from './block.ts';
import { textOr } from './wire-event.ts';
import type { WireDelta, WireError, WireEvent, WireUsage } from './wire-event.ts';

export type Outcome =
  | { readonly kind: 'complete'; readonly answer: ModelAnswer }
  | { readonly kind: 'refused'; readonly category?: string; readonly explanation?: string }
  | { readonly kind: 'error'; readonly error: WireError }
  | { readonly kind: 'broken'; readonly why: string }
  | { readonly kind: 'empty' };

/**
 * Puts an answer together from events, by hand: nothing incomplete may ever run. Only
 * `message_stop` makes one; what follows it does not count.
 */
export class Assembly {
  outcome: Outcome | undefined;
  readonly #blocks = new Map<number, OpenBlock>();
  readonly #callIds = new Set<string>();
  #model: string;
  #started = false;
  #stopReason: string | undefined;
  #stopDetails: unknown;
  #usage: Usage | undefined;
  #ready: ModelEvent[] = [];
  #pending: { index: number; kind: Shown['kind']; pieces: string[] } | undefined;

  constructor(model: string) {
    this.#model = model;
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

  /** Events to show, oldest first; deltas of one block that arrived together are one. */
  take(): readonly ModelEvent[] {
    this.#flush();
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  accept(event: WireEvent): void {
    if (this.outcome !== undefined) return;
    if (event.type === undefined && isJsonObject(event.error)) {
      this.outcome = { kind: 'error', error: event.error };
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
        this.outcome = { kind: 'error', error: event.error ?? {} };
        break;
      default: // pings, and what the API will invent
        break;
    }
  }

  /** Ends the answer as `message_stop` does. */
  finish(): void {
    this.#flush();
    this.outcome = this.#outcome();
  }

  #start({ message }: WireEvent): void {
    if (this.#started) {
      this.outcome = { kind: 'broken', why: 'a second message began before the first had ended' };
      return;
    }
    this.#started = true;
    this.#model = textOr(message?.model) || this.#model;
    this.#count(message?.usage);
    this.#ready.push({ type: 'started', model: this.#model });
  }

  #open({ index, content_block: content }: WireEvent): void {
    if (typeof index !== 'number' || content === undefined || this.#blocks.has(index)) return;
    const block = openBlock(content, (wanted) => this.#callId(wanted));
    if (block === undefined) {
      this.#ready.push({
        type: 'warning',
        message: `The model sent a part that Belay does not know (${textOr(content.type).slice(0, 60)}). It was passed over.`,
      });
      return;
    }
    this.#blocks.set(index, block);
    if (block instanceof ToolUseBlock) {
      this.#flush();
      this.#ready.push({ type: 'tool_call_started', index, callId: block.id, name: block.name });
    }
    if (block.opening !== undefined) this.#show(index, block.opening);
  }

  #delta({ index, delta }: WireEvent): void {
    if (typeof index !== 'number' || delta === undefined) return;
    let block = this.#blocks.get(index);
    if (block === undefined) {
      block = implied(delta);
      if (block === undefined) return;
      this.#blocks.set(index, block);
    }
    const shown = block.add(delta);
    if (shown !== undefined) this.#show(index, shown);
  }

  #stop({ index }: WireEvent): void {
    const block = typeof index === 'number' ? this.#blocks.get(index) : undefined;
    if (block === undefined || block.stopped || typeof index !== 'number') return;
    block.stopped = true;
    this.#flush();
    const part = block.part(false);
    if (part !== undefined) this.#ready.push({ type: 'part', index, part });
  }

  #show(index: number, { kind, text }: Shown): void {
    if (this.#pending?.index === index && this.#pending.kind === kind)
      this.#pending.pieces.push(text);
    else {
      this.#flush();
      this.#pending = { index, kind, pieces: [text] };
    }
  }

  #flush(): void {
    if (this.#pending === undefined) return;
    const { index, kind, pieces } = this.#pending;
    this.#pending = undefined;
    this.#ready.push({ type: 'delta', index, kind, text: pieces.join('') });
  }

  /** Two calls of one answer never share an id. */
  #callId(wanted: string): string {
    let id = wanted === '' ? 'call' : wanted;
    for (let number = 2; this.#callIds.has(id); number += 1)
      id = `${wanted === '' ? 'call' : wanted}-${number}`;
    this.#callIds.add(id);
    return id;
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
      return { kind: 'broken', why: 'a tool call was not finished' };
    }
    const isCut =
      this.#stopReason === 'max_tokens' || this.#stopReason === 'model_context_window_exceeded';
    const parts = inOrder
      .map((block, place) => block.part(isCut && place === inOrder.length - 1))
      .filter((part) => part !== undefined);
    const { finish, detail } = finishOf(this.#stopReason, parts);
    if (
      parts.length === 0 &&
      finish !== 'max_tokens' &&
      finish !== 'context_window' &&
      finish !== 'pause'
    )
      return { kind: 'empty' };
    return {
      kind: 'complete',
      answer: {
        parts,
        finish,
        ...(detail === undefined ? {} : { finishDetail: detail }),
        ...(this.#usage === undefined ? {} : { usage: this.#usage }),
        model: this.#model,
      },
    };
  }
}

/** A block whose start was lost; a tool call cannot do without it. */
function implied(delta: WireDelta): OpenBlock | undefined {
  if (delta.type === 'text_delta') return new TextBlock('');
  return delta.type === 'thinking_delta' ? new ThinkingBlock('', '') : undefined;
}

function refusalDetails(details: unknown): { category?: string; explanation?: string } {
  if (typeof details !== 'object' || details === null) return {};
  const { category, explanation } = details as { category?: unknown; explanation?: unknown };
  return {
    ...(typeof category === 'string' ? { category } : {}),
    ...(typeof explanation === 'string' ? { explanation } : {}),
  };
}

const FINISHES: Readonly<Record<string, FinishReason>> = {
  end_turn: 'end_turn',
  tool_use: 'tool_use',
  max_tokens: 'max_tokens',
  stop_sequence: 'stop_sequence',
  pause_turn: 'pause',
  model_context_window_exceeded: 'context_window',
};

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
