import type { Json, JsonObject } from '../../../domain/data/json.ts';
import { Turn } from '../../../domain/lifetime/steps.ts';
import type { Message, Part, ResultContent } from '../../../domain/message.ts';
import { attachedText } from '../../run/attached-parts.ts';
import { isSecretFile } from '../../permissions/secret-files.ts';
import type { SecretBook } from '../../secrets/secret-book.ts';
import type { ModelRequest, WrapModelCall } from '../model-call.ts';

/** Takes the secrets out of a request. */
export type RequestMask = (request: ModelRequest) => Promise<ModelRequest>;

/** Masks secrets at the last door before a provider, for every call of a model (security, rule 9). */
export function withMask(mask: RequestMask): WrapModelCall {
  return (next) =>
    async function* masked(request, context) {
      yield* next(await mask(request), context);
    };
}

/**
 * Makes the mask of everything that leaves for a provider. The model's own text goes back byte for byte; messages
 * without secrets stay the same objects.
 * @param enabled the setting `secrets.maskToolOutput`
 */
export function requestMask(
  book: Pick<SecretBook, 'hasNewer' | 'learnByTurns' | 'maskByTurns' | 'version'>,
  enabled: () => boolean,
): RequestMask {
  const messages = new Known<Message>(book);
  const tools = new Known<object>(book);
  const learned = new WeakSet<Part>();
  const texts = new Map<string, string>();
  let textsFrom = -1;
  const maskText = async (text: string, turn: Turn): Promise<string> => {
    if (textsFrom !== book.version || texts.size > MOST_TEXTS) texts.clear();
    textsFrom = book.version;
    const masked = texts.get(text) ?? (await book.maskByTurns(text, turn));
    texts.set(text, masked);
    return masked;
  };
  return async (request) => {
    if (!enabled()) return request;
    // A new part of a request may be all of a long session: others have their turn meanwhile.
    const turn = new Turn();
    for (const message of request.messages) await learnFrom(message, { book, learned, turn });
    const mask = (text: string): Promise<string> => book.maskByTurns(text, turn);
    const masked = {
      ...request,
      system: await each(request.system, (text) => maskText(text, turn)),
      messages: await each(request.messages, (message) =>
        messages.of(message, turn, (one) => maskedMessage(one, mask)),
      ),
      tools: await each(request.tools, (tool) =>
        tools.of(
          tool,
          turn,
          async (one) => (await maskedValue(one as unknown as Json, mask)) as typeof one,
        ),
      ),
    };
    return masked as ModelRequest;
  };
}

type Mask = (text: string) => Promise<string>;

/** One after the other. */
async function each<T, R>(list: readonly T[], form: (one: T) => Promise<R>): Promise<readonly R[]> {
  const done: R[] = [];
  for (const one of list) done.push(await form(one));
  return done;
}

/** Texts of system prompts that are remembered. */
const MOST_TEXTS = 50;

/** Masked objects, valid while no other secret becomes known. */
class Known<T extends object> {
  readonly #book: Pick<SecretBook, 'hasNewer' | 'version'>;
  readonly #masked = new WeakMap<T, { readonly version: number; readonly value: T }>();

  constructor(book: Pick<SecretBook, 'hasNewer' | 'version'>) {
    this.#book = book;
  }

  async of(one: T, turn: Turn, mask: (one: T) => Promise<T>): Promise<T> {
    const known = this.#masked.get(one);
    if (known?.version === this.#book.version) return known.value;
    await turn.pass();
    const isMasked = known !== undefined && !hasNewer(one as Json, this.#book, known.version);
    const masked = isMasked ? known.value : await mask(one);
    // The same object for the same text: providers keep the wire form of what was sent before.
    const value =
      known !== undefined && !isMasked && JSON.stringify(known.value) === JSON.stringify(masked)
        ? known.value
        : masked;
    this.#masked.set(one, { version: this.#book.version, value });
    return value;
  }
}

/** True when a text in a value has a secret that has become known since a version of the book. */
function hasNewer(value: Json, book: Pick<SecretBook, 'hasNewer'>, version: number): boolean {
  if (typeof value === 'string') return book.hasNewer(value, version);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((one: Json) => hasNewer(one, book, version));
}

/** An attached file of secrets: every value in it counts. */
async function learnFrom(
  { role, parts }: Message,
  {
    book,
    learned,
    turn,
  }: {
    readonly book: Pick<SecretBook, 'learnByTurns'>;
    readonly learned: WeakSet<Part>;
    readonly turn: Turn;
  },
): Promise<void> {
  if (role !== 'user') return;
  for (const part of parts) {
    if (part.type !== 'text' || learned.has(part)) continue;
    learned.add(part);
    const attached = attachedText(part.text);
    if (attached !== undefined && isSecretFile(attached.name))
      await book.learnByTurns(attached.text, attached.name, turn);
  }
}

async function maskedMessage(message: Message, mask: Mask): Promise<Message> {
  if (message.role === 'assistant') return message;
  const parts = await each(message.parts, (part) => maskedPart(part, mask));
  return isSame(parts, message.parts) ? message : { ...message, parts };
}

async function maskedPart(part: Part, mask: Mask): Promise<Part> {
  if (part.type === 'text') return maskedText(part, mask);
  if (part.type !== 'tool_result') return part;
  const content = await each<ResultContent, ResultContent>(part.content, async (one) =>
    one.type === 'text' ? maskedText(one, mask) : one,
  );
  return isSame(content, part.content) ? part : { ...part, content };
}

async function maskedText<T extends { readonly text: string }>(one: T, mask: Mask): Promise<T> {
  const text = await mask(one.text);
  return text === one.text ? one : { ...one, text };
}

async function maskedValue(value: Json, mask: Mask): Promise<Json> {
  if (typeof value === 'string') return mask(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const given = value as readonly Json[];
    const items = await each(given, (item) => maskedValue(item, mask));
    return isSame(items, given) ? given : items;
  }
  const object = value as JsonObject;
  const entries = await each(
    Object.entries(object),
    async ([name, item]): Promise<[string, Json]> => [name, await maskedValue(item, mask)],
  );
  return entries.every(([name, item]) => object[name] === item)
    ? value
    : Object.fromEntries(entries);
}

function isSame(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.every((one, index) => one === right[index]);
}
