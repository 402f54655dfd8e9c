import { told } from '../../domain/text/told.ts';
import type { ModelEvent } from '../../core/model-call/model-call.ts';
import { isJsonObject } from '../../domain/data/json.ts';
import type { FinishReason, Part, Usage } from '../../domain/message.ts';
import type { ReplayOwner } from '../../domain/models/replay.ts';
import { type Assembler, complete, type Outcome, unknownPart } from '../http/answer/assembler.ts';
import { textOr } from '../http/fields.ts';
import { CallIds, ownCallId, ShownEvents } from '../http/answer/shown-events.ts';
import { OpenText, WholeCall } from './open-part.ts';
import { usageFrom } from './usage.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Puts one answer together from the chunks of Gemini. Calls come whole; there is no end mark, so an answer is whole
 * when the stream ends after a finish reason, and what follows that reason still counts.
 */
export class GeminiAssembly implements Assembler {
  outcome: Outcome | undefined;
  usage: Usage | undefined;
  readonly #owner: ReplayOwner;
  readonly #shown = new ShownEvents();
  readonly #ids = new CallIds();
  readonly #parts: (OpenText | WholeCall)[] = [];
  #model: string;
  #started = false;
  #reason: string | undefined;
  #said = '';

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
    const { candidates, error, promptFeedback: feedback } = chunk;
    if (error !== undefined && error !== null) {
      this.outcome = { kind: 'error', body: chunk };
      return;
    }
    this.usage = usageFrom(chunk['usageMetadata']) ?? this.usage;
    const blocked = isJsonObject(feedback) ? textOr(feedback['blockReason']) : '';
    if (blocked !== '') {
      const said = isJsonObject(feedback) ? textOr(feedback['blockReasonMessage']) : '';
      this.outcome = refused(blocked, said);
      return;
    }
    this.#start(textOr(chunk['modelVersion']));
    const [candidate] = Array.isArray(candidates) ? (candidates as readonly unknown[]) : [];
    if (isJsonObject(candidate)) this.#candidate(candidate);
  }

  /** Some proxies end as other APIs do. */
  endMark(): void {
    if (this.outcome === undefined && this.#reason !== undefined) this.finish();
  }

  /** Takes one chunk, too: without `alt=sse` they come as a list. */
  acceptWhole(message: Fields): boolean {
    const isOne = ['candidates', 'promptFeedback', 'usageMetadata', 'error'].some(
      (name) => name in message,
    );
    if (isOne) this.accept(message);
    return isOne;
  }

  finish(): void {
    this.outcome = this.#outcome(this.#reason ?? '');
  }

  #start(model: string): void {
    if (this.#started) return;
    this.#started = true;
    this.#model = model || this.#model;
    this.#shown.start(this.#model, this.usage);
  }

  #candidate({ content, finishReason, finishMessage }: Fields): void {
    const parts = isJsonObject(content) && Array.isArray(content['parts']) ? content['parts'] : [];
    for (const part of parts as readonly unknown[]) if (isJsonObject(part)) this.#part(part);
    this.#reason = textOr(finishReason) || this.#reason;
    this.#said = textOr(finishMessage) || this.#said;
  }

  #part(part: Fields): void {
    const { functionCall: call, text, thought, thoughtSignature } = part;
    const signature = textOr(thoughtSignature);
    if (isJsonObject(call)) this.#call(call, signature || textOr(call['thoughtSignature']));
    else if (typeof text === 'string' || signature !== '')
      this.#text(textOr(text), { isThought: thought === true, signature });
    else {
      const kind = Object.keys(part).join(', ').slice(0, 60);
      this.#shown.push(unknownPart(kind));
    }
  }

  #text(
    text: string,
    { isThought, signature }: { readonly isThought: boolean; readonly signature: string },
  ): void {
    if (text === '' && signature === '') return;
    const last = this.#parts.at(-1);
    let open = last instanceof OpenText && last.isThought === isThought ? last : undefined;
    if (open === undefined) {
      open = new OpenText(this.#parts.length, isThought);
      this.#parts.push(open);
    }
    open.add(text, signature);
    const kind = isThought ? 'reasoning' : 'text';
    if (text !== '') this.#shown.show(open.place, { kind, text });
  }

  #call({ id: given, name, args }: Fields, signature: string): void {
    const id = this.#ids.of(textOr(given) || ownCallId());
    const index = this.#parts.length;
    const call = new WholeCall(index, { id, name: textOr(name), args }, signature);
    this.#parts.push(call);
    this.#shown.push({ type: 'tool_call_started', index, callId: id, name: call.name });
    this.#shown.show(index, { kind: 'tool_input', text: call.text });
  }

  #outcome(reason: string): Outcome {
    if (REFUSALS.has(reason)) return refused(reason, this.#said);
    if (reason === 'MISSING_THOUGHT_SIGNATURE')
      return { kind: 'error', body: { error: { message: 'thought_signature is missing' } } };
    if (UNREADABLE.has(reason))
      return { kind: 'broken', why: told`the model wrote what is no call (${reason})` };
    const calls = this.#parts.filter((part) => part instanceof WholeCall);
    if (calls.some(({ name }) => name === ''))
      return { kind: 'broken', why: told`a tool call had no name` };
    const parts = this.#parts.flatMap((open): readonly Part[] => {
      const part = open.part(this.#owner);
      if (part !== undefined) this.#shown.push({ type: 'part', index: open.place, part });
      return part === undefined ? [] : [part];
    });
    const isSilent = parts.every((part) => part.type === 'reasoning' && part.text === '');
    if (isSilent && reason === 'OTHER')
      return { kind: 'broken', why: told`the server gave no reason` };
    if (isSilent && reason !== 'MAX_TOKENS') return { kind: 'empty' };
    const end = finishOf(reason, calls.length > 0);
    // No room for a single word: the conversation fills the window.
    const isFull = parts.length === 0 && (this.usage?.outputTokens ?? 0) === 0;
    const seen = isFull ? { ...end, finish: 'context_window' as const } : end;
    return complete(parts, seen, this.usage, this.#model);
  }
}

const refused = (category: string, explanation: string): Outcome => ({
  kind: 'refused',
  category,
  ...(explanation === '' ? {} : { explanation }),
});

/** The provider declined: the same request would be declined again. */
const REFUSALS = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
]);

/** The model's fault, and another try is often well. */
const UNREADABLE = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MALFORMED_RESPONSE',
]);

/** A tool call in the answer decides, whatever the reason says: it must be answered. */
function finishOf(reason: string, hasCalls: boolean): { finish: FinishReason; detail?: string } {
  if (reason === 'MAX_TOKENS') return { finish: 'max_tokens' };
  const isKnown = reason === 'STOP';
  const finish = hasCalls ? 'tool_use' : isKnown ? 'end_turn' : 'unknown';
  return isKnown ? { finish } : { finish, detail: reason || 'no finish reason' };
}
