import type { ModelAnswer, ModelEvent } from '../../core/model-call/model-call.ts';
import type { EditorPart } from '../../core/ports/editor/editor-models.ts';
import { isJsonObject } from '../../domain/data/json.ts';
import type { JsonObject } from '../../domain/data/json.ts';
import type { Part, Usage } from '../../domain/message.ts';
import type { ReplayOwner } from '../../domain/models/replay.ts';
import { usageFrom } from '../http/answer/openai-usage.ts';
import { parsedJson } from '../http/fields.ts';
import { CallIds, ShownEvents } from '../http/answer/shown-events.ts';
import { toolInput } from '../http/answer/tool-input.ts';

/** Bytes of JSON at the end of an answer by which Copilot tells what it used. */
const USAGE = 'usage';

/** A text or a thought that may go on. */
interface Open {
  readonly kind: 'text' | 'reasoning';
  readonly index: number;
  readonly pieces: string[];
  rest: JsonObject;
}

/** Puts an answer together from parts, which come with neither a model nor a reason why they ended. */
export class EditorAssembly {
  /** Usage as the provider told it; absent: it did not. */
  usage: Usage | undefined;
  readonly #owner: ReplayOwner;
  readonly #shown = new ShownEvents();
  readonly #ids = new CallIds();
  readonly #parts: Part[] = [];
  #open: Open | undefined;

  constructor(owner: ReplayOwner) {
    this.#owner = owner;
    this.#shown.push({ type: 'started', model: owner.model });
  }

  /** Events to show, oldest first. */
  take(): readonly ModelEvent[] {
    return this.#shown.take();
  }

  accept(part: EditorPart): void {
    if (part.type === 'text') this.#add('text', part.text);
    else if (part.type === 'thinking') this.#add('reasoning', part.text, part.rest);
    else if (part.type === 'call') this.#call(part);
    else if (part.type === 'data' && part.mimeType === USAGE)
      this.usage = usageFrom(parsedJson(new TextDecoder().decode(part.data))) ?? this.usage;
  }

  /** The answer; `undefined`: it is empty. */
  finish(estimate: (parts: readonly Part[]) => Usage): ModelAnswer | undefined {
    this.#close();
    const hasCalls = this.#parts.some(({ type }) => type === 'tool_call');
    if (!hasCalls && !this.#parts.some(({ type }) => type === 'text')) return undefined;
    return {
      parts: this.#parts,
      finish: hasCalls ? 'tool_use' : 'end_turn',
      usage: this.usage ?? estimate(this.#parts),
      model: this.#owner.model,
    };
  }

  #add(kind: Open['kind'], text: string, rest: JsonObject = {}): void {
    if (text === '' && Object.keys(rest).length === 0) return;
    if (this.#open?.kind !== kind) {
      this.#close();
      this.#open = { kind, index: this.#parts.length, pieces: [], rest: {} };
    }
    this.#open.pieces.push(text);
    this.#open.rest = { ...this.#open.rest, ...rest };
    if (text !== '') this.#shown.show(this.#open.index, { kind, text });
  }

  #call({ id: given, name, input: whole }: Extract<EditorPart, { readonly type: 'call' }>): void {
    this.#close();
    const id = this.#ids.of(given);
    const { input, invalid } = toolInput(isJsonObject(whole) ? '' : JSON.stringify(whole), {
      whole,
      cut: false,
    });
    const index = this.#parts.length;
    this.#shown.push({ type: 'tool_call_started', index, callId: id, name });
    this.#shown.show(index, { kind: 'tool_input', text: JSON.stringify(input) });
    this.#push({
      type: 'tool_call',
      id,
      name,
      input,
      ...(invalid === undefined ? {} : { invalid }),
    });
  }

  #close(): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    const text = open.pieces.join('');
    if (open.kind === 'text') {
      this.#push({ type: 'text', text });
      return;
    }
    const replay = { ...this.#owner, data: open.rest };
    this.#push({ type: 'reasoning', text, replay });
  }

  #push(part: Part): void {
    this.#shown.push({ type: 'part', index: this.#parts.length, part });
    this.#parts.push(part);
  }
}
