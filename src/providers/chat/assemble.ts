import { told } from '../../domain/text/told.ts';
import { isJsonObject } from '../../domain/data/json.ts';
import { ThinkTags, type ThinkPiece } from '../../domain/text/think-tags.ts';
import type { ModelEvent } from '../../core/model-call/model-call.ts';
import type { FinishReason, Part, Usage } from '../../domain/message.ts';
import type { ReplayOwner } from '../../domain/models/replay.ts';
import { type Assembler, type Outcome, complete } from '../http/answer/assembler.ts';
import { textOr } from '../http/fields.ts';
import { CallIds, ownCallId, ShownEvents } from '../http/answer/shown-events.ts';
import { OpenCall } from './open-call.ts';
import { ReasoningPieces } from './reasoning.ts';
import { usageFrom } from '../http/answer/openai-usage.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Puts one answer together from chunks of Chat Completions. A call is told apart by its index, by an
 * id of its own, by a name after whole arguments: servers leave out any of these. An answer is whole
 * when it has told its reason or its end mark came; neither makes half a call run.
 */
export class ChatAssembly implements Assembler {
  outcome: Outcome | undefined;
  usage: Usage | undefined;
  readonly #owner: ReplayOwner;
  readonly #shown = new ShownEvents();
  readonly #ids = new CallIds();
  readonly #calls: OpenCall[] = [];
  readonly #byIndex = new Map<number, OpenCall>();
  readonly #reasoning = new ReasoningPieces();
  readonly #tags = new ThinkTags();
  readonly #text: string[] = [];
  readonly #refusal: string[] = [];
  #model: string;
  #started = false;
  #reason: string | undefined;
  #places = 0;
  #reasoningPlace: number | undefined;
  #textPlace: number | undefined;

  constructor(owner: ReplayOwner) {
    this.#owner = owner;
    this.#model = owner.model;
  }

  get lacksOnlyTheEnd(): boolean {
    return this.#reason !== undefined;
  }

  take(): readonly ModelEvent[] {
    return this.#shown.take();
  }

  accept(chunk: Fields): void {
    if (this.outcome !== undefined) return;
    const [choice] = Array.isArray(chunk['choices']) ? (chunk['choices'] as unknown[]) : [];
    const failed = isFailure(chunk)
      ? chunk
      : isJsonObject(choice) && isFailure(choice)
        ? choice
        : undefined;
    if (failed !== undefined) {
      this.outcome = { kind: 'error', body: failed };
      return;
    }
    const isTold = this.#count(chunk['usage']);
    if (isJsonObject(choice)) {
      this.#count(choice['usage']);
      this.#accept(choice, textOr(chunk['model']));
    } else if (isTold && this.#reason !== undefined) {
      // Nothing but the end mark follows usage on its own.
      this.finish();
    }
  }

  endMark(): void {
    if (this.outcome === undefined && this.#started) this.finish();
  }

  acceptWhole(message: Fields): boolean {
    if (isFailure(message)) {
      this.outcome = { kind: 'error', body: message };
      return true;
    }
    if (!Array.isArray(message['choices'])) return false;
    this.accept(message);
    if (this.outcome === undefined) this.finish();
    return true;
  }

  finish(): void {
    this.#write(this.#tags.push('', true));
    this.outcome = this.#outcome();
  }

  #accept(choice: Fields, model: string): void {
    if (typeof choice['index'] === 'number' && choice['index'] > 0) return;
    if (!this.#started) {
      this.#started = true;
      this.#model = model || this.#model;
      this.#shown.start(this.#model, this.usage);
    }
    const delta = isJsonObject(choice['delta']) ? choice['delta'] : choice['message'];
    if (isJsonObject(delta)) this.#delta(delta);
    this.#reason = textOr(choice['finish_reason']) || this.#reason;
  }

  #delta(delta: Fields): void {
    const content = contentOf(delta['content']);
    const thought = this.#reasoning.add(delta) || content.thought;
    if (thought !== '') {
      // A server that sends thinking by itself leaves none in the text.
      this.#tags.stop();
      this.#think(thought);
      if (content.thought !== '') this.#thoughts.push(content.thought);
    }
    const calls = Array.isArray(delta['tool_calls']) ? (delta['tool_calls'] as unknown[]) : [];
    this.#write(this.#tags.push(content.text, calls.length > 0));
    this.#refusal.push(textOr(delta['refusal']));
    for (const [place, call] of calls.entries())
      if (isJsonObject(call)) this.#call(call, calls.length > 1 ? place : undefined);
  }

  /** Thinking in the content, which cannot be sent again. */
  readonly #thoughts: string[] = [];

  #think(text: string): void {
    this.#reasoningPlace ??= this.#places++;
    this.#shown.show(this.#reasoningPlace, { kind: 'reasoning', text });
  }

  #write(pieces: readonly ThinkPiece[]): void {
    for (const piece of pieces) {
      if (piece.kind === 'all_was_thinking') {
        const index = (this.#reasoningPlace = this.#textPlace ?? this.#places++);
        this.#textPlace = undefined;
        const text = this.#text.splice(0).join('');
        this.#thoughts.push(text);
        this.#shown.push({ type: 'part', index, part: { type: 'reasoning', text } });
      } else if (piece.kind === 'reasoning') {
        this.#think(piece.text);
        this.#thoughts.push(piece.text);
      } else {
        this.#textPlace ??= this.#places++;
        this.#text.push(piece.text);
        this.#shown.show(this.#textPlace, piece);
      }
    }
  }

  #call(delta: Fields, place: number | undefined): void {
    const call = this.#callOf(delta, place);
    const text = call.add(delta);
    if (call.name === '') return;
    if (call.shown === undefined) {
      const id = this.#ids.of(call.givenId === '' ? ownCallId() : call.givenId);
      call.shown = { id, index: this.#places++ };
      const { name } = call;
      this.#shown.push({ type: 'tool_call_started', index: call.shown.index, callId: id, name });
      if (call.text !== '')
        this.#shown.show(call.shown.index, { kind: 'tool_input', text: call.text });
    } else if (text !== '') this.#shown.show(call.shown.index, { kind: 'tool_input', text });
  }

  /** The call that a delta goes on with, or a new one. */
  #callOf(delta: Fields, place: number | undefined): OpenCall {
    const id = textOr(delta['id']);
    const index = typeof delta['index'] === 'number' ? delta['index'] : undefined;
    const known =
      index === undefined
        ? (this.#calls.find((call) => id !== '' && call.givenId === id) ??
          (place === undefined ? this.#calls.at(-1) : this.#byIndex.get(-1 - place)))
        : this.#byIndex.get(index);
    if (known !== undefined && !startsAnother(known, id, delta)) return known;
    const call = new OpenCall(id);
    this.#calls.push(call);
    if (index !== undefined) this.#byIndex.set(index, call);
    else if (place !== undefined) this.#byIndex.set(-1 - place, call);
    return call;
  }

  /** True when usage was told. */
  #count(told: unknown): boolean {
    const usage = usageFrom(told);
    this.usage = usage ?? this.usage;
    return usage !== undefined;
  }

  #outcome(): Outcome {
    const reason = this.#reason;
    const refusal = this.#refusal.join('');
    if (reason === 'error' || reason === 'network_error')
      return { kind: 'broken', why: told`the server ended it with “${reason}”` };
    if (reason === 'content_filter')
      return {
        kind: 'refused',
        category: reason,
        ...(refusal === '' ? {} : { explanation: refusal }),
      };
    if (refusal !== '' && this.#text.length === 0 && this.#calls.length === 0)
      return { kind: 'refused', explanation: refusal };
    if (this.#calls.some(({ shown }) => shown === undefined))
      return { kind: 'broken', why: told`a tool call had no name` };
    const parts = this.#parts(reason === 'length');
    const isLong = reason === 'length' || reason === 'model_length';
    if (parts.length === 0 && !isLong) return { kind: 'empty' };
    return complete(parts, finishOf(reason, parts, this.usage), this.usage, this.#model);
  }

  /** The parts in their order; what was not told as a part yet is told now. */
  #parts(isCut: boolean): readonly Part[] {
    const placed: (readonly [place: number, part: Part])[] = [];
    const thoughts = this.#thoughts.join('').trim();
    const reasoning =
      thoughts === ''
        ? this.#reasoning.part(this.#owner, this.#calls.length > 0)
        : ({ type: 'reasoning', text: thoughts } as const);
    if (reasoning !== undefined) placed.push([this.#reasoningPlace ?? -1, reasoning]);
    const text = this.#text.join('').toWellFormed();
    if (text !== '') placed.push([this.#textPlace ?? 0, { type: 'text', text }]);
    for (const [order, call] of this.#calls.entries()) {
      const isLast = order === this.#calls.length - 1;
      if (call.shown !== undefined)
        placed.push([call.shown.index, call.part(call.shown.id, isCut && isLast, this.#owner)]);
    }
    const inOrder = placed.toSorted(([left], [right]) => left - right);
    for (const [index, part] of inOrder) this.#shown.push({ type: 'part', index, part });
    return inOrder.map(([, part]) => part);
  }
}

/** An error within a stream: `error` whatever else is there, or code and words without an answer (DashScope). */
const isFailure = (chunk: Fields): boolean =>
  isJsonObject(chunk['error']) ||
  textOr(chunk['error']) !== '' ||
  (!('choices' in chunk) &&
    !('delta' in chunk) &&
    !('message' in chunk && isJsonObject(chunk['message'])) &&
    'code' in chunk &&
    textOr(chunk['message']) !== '');

/** True when a delta is not a piece of the call that its place would say: it has another id, or a name and the call is whole. */
function startsAnother(call: OpenCall, id: string, delta: Fields): boolean {
  if (id !== '' && call.givenId !== '') return id !== call.givenId;
  const given = isJsonObject(delta['function']) ? delta['function'] : {};
  return call.name !== '' && textOr(given['name']) !== '' && call.isWhole;
}

/** Content is a text; some servers make a list of it, with thinking beside text (Mistral). */
function contentOf(content: unknown): { readonly text: string; readonly thought: string } {
  if (!Array.isArray(content)) return { text: textOr(content), thought: '' };
  let [text, thought] = ['', ''];
  for (const item of content) {
    if (!isJsonObject(item)) continue;
    if (item['type'] === 'thinking')
      thought += contentOf(item['thinking']).text || textOr(item['thinking']);
    else text += textOr(item['text']);
  }
  return { text, thought };
}

const FINISHES: Readonly<Record<string, FinishReason>> = {
  stop: 'end_turn',
  end: 'end_turn',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  length: 'max_tokens',
  model_length: 'context_window',
};

/** A tool call in the answer decides, whatever the reason says: it must be answered. */
function finishOf(
  reason: string | undefined,
  parts: readonly Part[],
  usage: Usage | undefined,
): { finish: FinishReason; detail?: string } {
  const word = reason ?? 'no finish reason';
  const known =
    reason !== undefined && Object.hasOwn(FINISHES, reason) ? FINISHES[reason] : undefined;
  // No room for a single word: the conversation fills the window, and some servers say no more than this.
  if (parts.length === 0 && known === 'max_tokens' && (usage?.outputTokens ?? 0) === 0)
    return { finish: 'context_window', detail: word };
  const hasCalls = parts.some(({ type }) => type === 'tool_call');
  if (hasCalls && (known === undefined || known === 'end_turn'))
    return { finish: 'tool_use', detail: word };
  if (!hasCalls && known === 'tool_use') return { finish: 'end_turn', detail: word };
  return known === undefined ? { finish: 'unknown', detail: word } : { finish: known };
}
