import type { Message } from '../../../domain/message.ts';
import { sizeOf } from './message-size.ts';

export type CountTokens = (text: string) => number;

/** D5: one token for four characters, and 16 characters for what surrounds a message. */
const CHARACTERS_PER_TOKEN = 4;
const MESSAGE_CHARACTERS = 16;

/** Below this share of the window a rough count decides nothing, so the tokenizer is not loaded. */
const ROUGH_SHARE = 0.4;
/** A rough count of so small a part of the window is good enough anywhere. */
const SMALL_SHARE = 0.02;
/** Usage that is less than this part of our own count was made up by the server. */
const BELIEVABLE = 0.5;

/** Characters that are counted without a pause: 40 ms of the tokenizer at worst. */
const PIECE = 10_000;
/** Pieces of one text that are counted; of a longer one they stand for the rest. */
const MOST_PIECES = 20;

export interface EstimateInput {
  readonly messages: readonly Message[];
  /** System prompt and tools, as text. */
  readonly overhead: string;
  /** Names everything before the messages that may change: equal keys, equal prefix. */
  readonly key: string;
  /** Tokens of the context window. */
  readonly limit: number;
}

/** The provider's count, and up to where it goes. */
interface Base {
  readonly key: string;
  readonly messageId: string;
  readonly tokens: number;
}

/** The fallback of D5 for one text. */
export function roughTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** Tokens of a text, piece by piece so that nothing waits for it; of a very long one by a sample of it. */
async function counted(
  text: string,
  count: CountTokens,
  pause: () => Promise<unknown>,
): Promise<number> {
  if (text.length <= PIECE) return count(text);
  const pieces = Math.min(MOST_PIECES, Math.ceil(text.length / PIECE));
  const step = Math.max(PIECE, (text.length - PIECE) / Math.max(1, pieces - 1));
  let tokens = 0;
  let characters = 0;
  for (let index = 0; index < pieces; index += 1) {
    const from = Math.floor(index * step);
    const piece = text.slice(from, from + PIECE);
    tokens += count(piece);
    characters += piece.length;
    await pause();
  }
  return Math.ceil((tokens * text.length) / characters);
}

/**
 * Estimates the tokens of the next request (C12, D5): the provider's last count, and an estimate of what came after it,
 * so that a turn costs the same in any history; with cl100k_base where it matters. One for a session.
 */
export class TokenEstimator {
  readonly #load: (() => Promise<CountTokens>) | undefined;
  readonly #rough = new WeakMap<Message, { readonly text: number; readonly media: number }>();
  readonly #exact = new WeakMap<Message, number>();
  readonly #pause: () => Promise<unknown>;
  #count: Promise<CountTokens> | undefined;
  #base: Base | undefined;
  /** Text tokens of everything up to a message, so that the next turn goes on from there. */
  #walked:
    | {
        readonly key: string;
        readonly message: Message;
        readonly index: number;
        readonly text: number;
      }
    | undefined;

  /** Without `loadTokenizer` all is counted by length; `pause` parts pieces of a long text. */
  constructor(
    options: {
      readonly loadTokenizer?: () => Promise<CountTokens>;
      readonly pause?: () => Promise<unknown>;
    } = {},
  ) {
    this.#load = options.loadTokenizer;
    this.#pause = options.pause ?? (() => Promise.resolve());
  }

  /** Takes the usage of a completed call over `input` as the base of what comes next. */
  observe(input: Pick<EstimateInput, 'key'>, answer: Message): void {
    const { usage } = answer;
    if (usage === undefined) return;
    const tokens =
      usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.outputTokens;
    this.#base = { key: input.key, messageId: answer.id, tokens };
  }

  /** Takes an exact count of the request over `input` as the base of what comes next. */
  correct({ key, messages }: EstimateInput, tokens: number): void {
    const last = messages.at(-1);
    if (last !== undefined) this.#base = { key, messageId: last.id, tokens };
  }

  /** Tokens of the next request. */
  async estimate(input: EstimateInput): Promise<number> {
    const { known, own } = await this.parts(input);
    return known + own;
  }

  /** The same in two parts: what a provider has counted, and our own count of the rest. */
  async parts({
    messages,
    overhead,
    key,
    limit,
  }: EstimateInput): Promise<{ readonly known: number; readonly own: number }> {
    const based = this.#base?.key === key ? this.#based(messages, overhead, this.#base) : undefined;
    const start = based?.start ?? 0;
    const known = based?.tokens ?? 0;
    const rough = (start === 0 ? roughTokens(overhead) : 0) + this.#sum(messages, start);
    if (known + rough < ROUGH_SHARE * limit || rough < SMALL_SHARE * limit)
      return { known, own: rough };
    const own =
      (start === 0 ? await this.countText(overhead) : 0) +
      (await this.measure(messages.slice(start)));
    return { known, own };
  }

  /** Own count of some messages, as exact as it can be; two of these can be compared. */
  async measure(messages: readonly Message[]): Promise<number> {
    const count = await this.#counter();
    // The tokenizer was loaded just now, perhaps.
    await this.#pause();
    let tokens = 0;
    for (const message of messages) {
      let exact = this.#exact.get(message);
      if (exact === undefined) {
        const size = sizeOf(message);
        exact =
          (await counted(size.text, count, this.#pause)) +
          size.mediaTokens +
          MESSAGE_CHARACTERS / CHARACTERS_PER_TOKEN;
        this.#exact.set(message, exact);
      }
      tokens += exact;
    }
    return tokens;
  }

  async countText(text: string): Promise<number> {
    return counted(text, await this.#counter(), this.#pause);
  }

  /** Loaded once; a tokenizer that cannot be loaded is replaced by the fallback for good. */
  #counter(): Promise<CountTokens> {
    this.#count ??=
      this.#load === undefined
        ? Promise.resolve(roughTokens)
        : this.#load().catch(() => roughTokens);
    return this.#count;
  }

  /** The base's end in these messages, unless it is not among them or not believable. */
  #based(
    messages: readonly Message[],
    overhead: string,
    base: Base,
  ): { readonly start: number; readonly tokens: number } | undefined {
    const index = messages.findLastIndex((message) => message.id === base.messageId);
    if (index < 0) return undefined;
    const text = roughTokens(overhead) + this.#textThrough(messages, index, base.key);
    return base.tokens < BELIEVABLE * text ? undefined : { start: index + 1, tokens: base.tokens };
  }

  /** Rough tokens of the text up to and with a message; only what came since the last time is walked. */
  #textThrough(messages: readonly Message[], index: number, key: string): number {
    const walked = this.#walked;
    const goesOn =
      walked?.key === key && walked.index <= index && messages[walked.index] === walked.message;
    let text = goesOn ? walked.text : 0;
    for (let next = goesOn ? walked.index + 1 : 0; next <= index; next += 1) {
      text += this.#roughOf(messages[next] as Message).text;
    }
    this.#walked = { key, message: messages[index] as Message, index, text };
    return text;
  }

  #sum(messages: readonly Message[], start: number): number {
    let tokens = 0;
    for (let index = start; index < messages.length; index += 1) {
      const size = this.#roughOf(messages[index] as Message);
      tokens += size.text + size.media;
    }
    return tokens;
  }

  #roughOf(message: Message): { readonly text: number; readonly media: number } {
    let size = this.#rough.get(message);
    if (size === undefined) {
      const { text, mediaTokens } = sizeOf(message);
      size = {
        text: Math.ceil((text.length + MESSAGE_CHARACTERS) / CHARACTERS_PER_TOKEN),
        media: mediaTokens,
      };
      this.#rough.set(message, size);
    }
    return size;
  }
}
