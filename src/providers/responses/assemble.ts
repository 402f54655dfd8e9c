import { told } from '../../domain/text/told.ts';
import type { ModelEvent } from '../../core/model-call/model-call.ts';
import { isJsonObject } from '../../domain/data/json.ts';
import type { FinishReason, Part, Usage } from '../../domain/message.ts';
import type { ReplayOwner } from '../../domain/models/replay.ts';
import { type Assembler, complete, type Outcome, unknownPart } from '../http/answer/assembler.ts';
import { textOr } from '../http/fields.ts';
import { usageFrom } from '../http/answer/openai-usage.ts';
import { CallIds, ownCallId, ShownEvents } from '../http/answer/shown-events.ts';
import { CallItem, MessageItem, openItem, ReasoningItem } from './open-item.ts';
import type { Fields, OpenItem } from './open-item.ts';

/**
 * Puts one answer together from the events of the Responses API. Items are told apart by their place in the output;
 * only the event that ends the whole answer makes one, and a call whose own end was not told is not run.
 */
export class ResponsesAssembly implements Assembler {
  outcome: Outcome | undefined;
  usage: Usage | undefined;
  /** The event that tells how the answer ended is its end mark. */
  readonly lacksOnlyTheEnd = false;
  readonly #owner: ReplayOwner;
  readonly #shown = new ShownEvents();
  readonly #ids = new CallIds();
  /** By the place of their parts. */
  readonly #items = new Map<number, OpenItem>();
  /** The item that events of a place in the output, or of an id, are about: `undefined` is passed over. */
  readonly #named = new Map<unknown, readonly [place: number, item: OpenItem] | undefined>();
  #model: string;
  #started = false;

  constructor(owner: ReplayOwner) {
    this.#owner = owner;
    this.#model = owner.model;
  }

  take(): readonly ModelEvent[] {
    return this.#shown.take();
  }

  accept(event: Fields): void {
    if (this.outcome !== undefined) return;
    const { type, response, item } = event;
    const told = isJsonObject(response) ? response : {};
    switch (type) {
      case 'response.created':
      case 'response.queued':
      case 'response.in_progress':
        this.#start(told);
        break;
      case 'response.output_item.added':
        if (isJsonObject(item)) this.#open(event, item);
        break;
      case 'response.output_item.done':
        if (isJsonObject(item)) this.#close(event, item);
        break;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.done':
        this.#end(told);
        break;
      case 'response.failed':
      case 'response.cancelled':
        this.usage = usageFrom(told['usage']) ?? this.usage;
        this.outcome = failureOf(told);
        break;
      case 'error':
        this.outcome = { kind: 'error', body: event };
        break;
      default:
        if (type === undefined && event['error'] !== undefined)
          this.outcome = { kind: 'error', body: event };
        else this.#delta(event);
    }
  }

  acceptWhole(message: Fields): boolean {
    if (message['error'] !== undefined && message['error'] !== null) {
      this.outcome = { kind: 'error', body: message };
      return true;
    }
    if (!Array.isArray(message['output'])) return false;
    this.#end(message);
    return true;
  }

  /** Never asked for: see `lacksOnlyTheEnd`. */
  finish(): void {
    this.outcome ??= { kind: 'broken', why: told`its end was not told` };
  }

  #start(response: Fields): void {
    if (this.#started) return;
    this.#started = true;
    this.#model = textOr(response['model']) || this.#model;
    this.usage = usageFrom(response['usage']);
    this.#shown.start(this.#model, this.usage);
  }

  #open(event: Fields, item: Fields): readonly [place: number, item: OpenItem] | undefined {
    this.#start({});
    const { output_index: index } = event;
    const opened = openItem(
      item,
      (wanted) => this.#ids.of(wanted === '' ? ownCallId() : wanted),
      this.#owner,
    );
    const place = this.#place(index);
    const named = opened === undefined ? undefined : ([place, opened] as const);
    for (const name of namesOf(index, item['id'])) this.#named.set(name, named);
    if (opened === undefined) {
      const kind = textOr(item['type']).slice(0, 60);
      this.#shown.push(unknownPart(kind));
      return undefined;
    }
    this.#items.set(place, opened);
    if (opened instanceof CallItem) {
      const { id: callId, name } = opened;
      this.#shown.push({ type: 'tool_call_started', index: place, callId, name });
    }
    return named;
  }

  /** A place of its own for an item: that of the output, unless another has it. */
  #place(index: unknown): number {
    if (typeof index === 'number' && index >= 0 && !this.#items.has(index)) return index;
    return Math.max(-1, ...this.#items.keys()) + 1;
  }

  /** The kind of an event or an item; `null`: none that is known. */
  #find(index: unknown, id: unknown): readonly [place: number, item: OpenItem] | undefined | null {
    const name = namesOf(index, id).find((one) => this.#named.has(one));
    return name === undefined ? null : this.#named.get(name);
  }

  #close(event: Fields, item: Fields): void {
    const { id } = item;
    const found = this.#find(event['output_index'], id);
    if (found?.[1].isDone === true && (textOr(id) === '' || this.#named.has(id))) return;
    const isOther = found === null || found?.[1].isDone === true;
    const named = isOther ? this.#open(event, item) : found;
    if (named === undefined) return;
    const [index, open] = named;
    const rest = open.end(item);
    if (rest !== undefined) this.#shown.show(index, rest);
    open.isDone = true;
  }

  #delta(event: Fields): void {
    const { output_index: index, item_id: id, type } = event;
    const found = this.#find(index, id);
    // A start that was lost: text and thinking can do without it, a call cannot.
    const named = found === null ? this.#implied(event, textOr(type)) : found;
    const shown = named?.[1].add(event);
    if (named !== undefined && shown !== undefined) this.#shown.show(named[0], shown);
  }

  #implied(event: Fields, type: string): readonly [place: number, item: OpenItem] | undefined {
    if (!type.endsWith('.delta')) return undefined;
    const kind = type.startsWith('response.output_text')
      ? 'message'
      : type.startsWith('response.reasoning')
        ? 'reasoning'
        : undefined;
    return kind === undefined ? undefined : this.#open(event, { type: kind, id: event['item_id'] });
  }

  #end(response: Fields): void {
    this.#start(response);
    this.usage = usageFrom(response['usage']) ?? this.usage;
    this.#model = textOr(response['model']) || this.#model;
    this.#takeOutput(response['output']);
    this.#shown.flush();
    this.outcome = this.#outcome(response);
  }

  /** The items in the last event: all of them where none came before, else what is encrypted only there. */
  #takeOutput(output: unknown): void {
    const items = (Array.isArray(output) ? (output as readonly unknown[]) : []).filter(
      isJsonObject,
    );
    const isFirst = this.#items.size === 0;
    for (const [index, item] of items.entries()) {
      const place = isFirst ? index : undefined;
      const [, known] = this.#find(place, item['id']) ?? [];
      if (isFirst) this.#close({ output_index: index }, item);
      else if (known instanceof ReasoningItem) known.complete(item);
    }
  }

  #outcome(response: Fields): Outcome {
    const { status, incomplete_details: details } = response;
    const reason = isJsonObject(details) ? textOr(details['reason']) : '';
    if (status === 'failed' || status === 'cancelled') return failureOf(response);
    const open = [...this.#items].toSorted(([left], [right]) => left - right);
    const refusal = open
      .map(([, item]) => (item instanceof MessageItem ? item.refusal : ''))
      .join('');
    const explained = refusal === '' ? {} : { explanation: refusal };
    if (reason === 'content_filter') return { kind: 'refused', category: reason, ...explained };
    const isCut = reason === 'max_output_tokens' || reason === 'max_tokens';
    const calls = open.flatMap(([, item]) => (item instanceof CallItem ? [item] : []));
    if (calls.some(({ isDone, name }) => name === '' || (!isDone && !isCut)))
      return { kind: 'broken', why: told`a tool call was not finished` };
    const parts = open.flatMap(([index, item]): readonly Part[] => {
      const part = item.part(isCut);
      if (part !== undefined) this.#shown.push({ type: 'part', index, part });
      return part === undefined ? [] : [part];
    });
    if (refusal !== '' && parts.every(({ type }) => type === 'reasoning'))
      return { kind: 'refused', ...explained };
    if (parts.length === 0 && !isCut) return { kind: 'empty' };
    const end = finishOf(reason || textOr(status), calls.length > 0);
    return complete(parts, end, this.usage, this.#model);
  }
}

/**
 * The names that events call an item by: its id, which some proxies change from event to event, and its place in the
 * output, which some servers leave at 0.
 */
const namesOf = (index: unknown, id: unknown): readonly unknown[] => [
  ...(textOr(id) === '' ? [] : [id]),
  ...(typeof index === 'number' ? [index] : []),
];

function failureOf(response: Fields): Outcome {
  const { error, status } = response;
  return isJsonObject(error)
    ? { kind: 'error', body: { error } }
    : { kind: 'broken', why: told`the server ended it as “${textOr(status) || 'failed'}”` };
}

const FINISHES: Readonly<Record<string, FinishReason>> = {
  completed: 'end_turn',
  max_output_tokens: 'max_tokens',
  max_tokens: 'max_tokens',
};

/** A tool call in the answer decides, whatever the reason says: it must be answered. */
function finishOf(word: string, hasCalls: boolean): { finish: FinishReason; detail?: string } {
  const known = Object.hasOwn(FINISHES, word) ? FINISHES[word] : undefined;
  if (hasCalls && known !== 'max_tokens')
    return known === undefined ? { finish: 'tool_use', detail: word } : { finish: 'tool_use' };
  return known === undefined ? { finish: 'unknown', detail: word } : { finish: known };
}
