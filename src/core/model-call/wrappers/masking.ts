import type { Json, JsonObject } from '../../../domain/json.ts';
import type { Message, Part, ResultContent } from '../../../domain/message.ts';
import { attachedText } from '../../run/opening.ts';
import { isSecretFile } from '../../permissions/secret-files.ts';
import type { SecretBook } from '../../secrets/secret-book.ts';
import type { ModelCall, WrapModelCall } from '../model-call.ts';

/**
 * Masks secrets at the last door before a provider, for every call of a model (security, rule 9).
 * What the model itself wrote goes back byte for byte; messages without secrets stay the same
 * objects.
 * @param enabled the setting `secrets.maskToolOutput`
 */
export function withMask(
  book: Pick<SecretBook, 'hasNewer' | 'learn' | 'mask' | 'version'>,
  enabled: () => boolean,
): WrapModelCall {
  const messages = new Known<Message>(book);
  const tools = new Known<object>(book);
  const learned = new WeakSet<Part>();
  const texts = new Map<string, string>();
  let textsFrom = -1;
  const maskText = (text: string): string => {
    if (textsFrom !== book.version || texts.size > MOST_TEXTS) texts.clear();
    textsFrom = book.version;
    const masked = texts.get(text) ?? book.mask(text);
    texts.set(text, masked);
    return masked;
  };
  return (next: ModelCall): ModelCall =>
    (request, context) => {
      if (!enabled()) return next(request, context);
      for (const message of request.messages) learnFrom(message, book, learned);
      return next(
        {
          ...request,
          system: request.system.map(maskText),
          messages: request.messages.map((message) =>
            messages.of(message, (one) => maskedMessage(one, book)),
          ),
          tools: request.tools.map((tool) =>
            tools.of(tool, (one) => maskedValue(one as unknown as Json, book) as typeof one),
          ) as typeof request.tools,
        },
        context,
      );
    };
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

  of(one: T, mask: (one: T) => T): T {
    const known = this.#masked.get(one);
    if (known?.version === this.#book.version) return known.value;
    const isMasked = known !== undefined && !hasNewer(one as Json, this.#book, known.version);
    const masked = isMasked ? known.value : mask(one);
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
function learnFrom(
  { role, parts }: Message,
  book: Pick<SecretBook, 'learn'>,
  learned: WeakSet<Part>,
): void {
  if (role !== 'user') return;
  for (const part of parts) {
    if (part.type !== 'text' || learned.has(part)) continue;
    learned.add(part);
    const attached = attachedText(part.text);
    if (attached !== undefined && isSecretFile(attached.name))
      book.learn(attached.text, attached.name);
  }
}

function maskedMessage(message: Message, book: Pick<SecretBook, 'mask'>): Message {
  if (message.role === 'assistant') return message;
  const parts = message.parts.map((part) => maskedPart(part, book));
  return parts.every((part, index) => part === message.parts[index])
    ? message
    : { ...message, parts };
}

function maskedPart(part: Part, book: Pick<SecretBook, 'mask'>): Part {
  if (part.type === 'text') return maskedText(part, book);
  if (part.type !== 'tool_result') return part;
  const content = part.content.map((one): ResultContent =>
    one.type === 'text' ? maskedText(one, book) : one,
  );
  return content.every((one, index) => one === part.content[index]) ? part : { ...part, content };
}

function maskedText<T extends { readonly text: string }>(
  one: T,
  book: Pick<SecretBook, 'mask'>,
): T {
  const text = book.mask(one.text);
  return text === one.text ? one : { ...one, text };
}

function maskedValue(value: Json, book: Pick<SecretBook, 'mask'>): Json {
  if (typeof value === 'string') return book.mask(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const given = value as readonly Json[];
    const items = given.map((item) => maskedValue(item, book));
    return items.every((item, index) => item === given[index]) ? given : items;
  }
  const object = value as JsonObject;
  const entries = Object.entries(object).map(([name, item]) => [name, maskedValue(item, book)]);
  return entries.every(([name, item]) => object[name as string] === item)
    ? value
    : (Object.fromEntries(entries) as JsonObject);
}
