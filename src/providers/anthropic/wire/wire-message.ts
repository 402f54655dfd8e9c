import { bytesFromBase64 } from '../../../domain/base64.ts';
import type {
  BinaryPart,
  Message,
  Part,
  ReasoningPart,
  ToolCallPart,
  ToolResultPart,
} from '../../../domain/message.ts';
import { joined, utf8, withCommas } from './bytes.ts';
import { wellFormed } from './well-formed.ts';

/** A content block as JSON in UTF-8, so that an old message is never serialized again. */
export interface WireBlock {
  readonly bytes: Uint8Array;
  readonly kind: 'text' | 'thinking' | 'tool_use' | 'tool_result' | 'media';
}

/** A message in the API's form: its role there and its blocks. Without blocks it is not sent. */
export interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly blocks: readonly WireBlock[];
  /** The blocks with commas between them. */
  readonly bytes: Uint8Array;
}

/** The wire form of messages for the objects' lifetimes: a message always gives the same bytes. */
export class WireMessages {
  readonly #withImages = new WeakMap<Message, WireMessage>();
  readonly #withoutImages = new WeakMap<Message, WireMessage>();

  of(message: Message, vision: boolean): WireMessage {
    const known = vision ? this.#withImages : this.#withoutImages;
    let wire = known.get(message);
    if (wire === undefined) {
      wire = wireForm(message, vision);
      known.set(message, wire);
    }
    return wire;
  }
}

function wireForm(message: Message, vision: boolean): WireMessage {
  const all = message.parts.flatMap((part) => blocksOf(part, vision));
  const blocks = message.role === 'assistant' ? all : resultsFirst(all);
  return {
    role: message.role === 'assistant' ? 'assistant' : 'user',
    blocks,
    bytes: joined(withCommas(blocks.map(({ bytes }) => bytes))),
  };
}

/** Results come before anything else in the message after their calls. */
export function resultsFirst(blocks: readonly WireBlock[]): readonly WireBlock[] {
  const results = blocks.filter(({ kind }) => kind === 'tool_result');
  return results.length === 0 || results.length === blocks.length
    ? blocks
    : [...results, ...blocks.filter(({ kind }) => kind !== 'tool_result')];
}

function blocksOf(part: Part, vision: boolean): readonly WireBlock[] {
  switch (part.type) {
    case 'text':
      return written('text', text(part.text));
    case 'reasoning':
      return written('thinking', thinking(part));
    case 'tool_call':
      return written('tool_use', toolUse(part));
    case 'tool_result':
      return written('tool_result', toolResult(part, vision));
    case 'binary':
      return written('media', media(part, vision));
    case 'image_url':
      return vision && part.url.startsWith('https://')
        ? written('media', { type: 'image', source: { type: 'url', url: part.url.toWellFormed() } })
        : written('text', text(`[image at ${part.url}]`));
    case 'finish':
      return [];
    default:
      return part satisfies never;
  }
}

const written = (kind: WireBlock['kind'], value: object | undefined): readonly WireBlock[] =>
  value === undefined ? [] : [{ kind, bytes: utf8(JSON.stringify(value)) }];

/** The API refuses empty and blank text blocks. */
const text = (content: string): object | undefined =>
  content.trim() === '' ? undefined : { type: 'text', text: content.toWellFormed() };

/** Thinking goes back byte for byte; without a signature it would be refused. */
function thinking(part: ReasoningPart): object | undefined {
  if (part.redacted !== undefined) return { type: 'redacted_thinking', data: part.redacted };
  if (part.signature === undefined || part.signature === '') return undefined;
  return { type: 'thinking', thinking: part.text, signature: part.signature };
}

/** The API allows letters, digits, `_` and `-` in names and ids; what a model made up may hold others. */
const plain = (name: string): string =>
  name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 128) || '_';

const toolUse = (part: ToolCallPart): object => ({
  type: 'tool_use',
  id: plain(part.id),
  name: plain(part.name),
  input: wellFormed(part.input),
});

function toolResult(part: ToolResultPart, vision: boolean): object {
  const content = part.content
    .map((item) => (item.type === 'text' ? text(item.text) : media(item, vision)))
    .filter((item) => item !== undefined);
  return {
    type: 'tool_result',
    tool_use_id: plain(part.callId),
    content: content.length === 0 ? [{ type: 'text', text: '(no output)' }] : content,
    ...(part.state === 'done' ? {} : { is_error: true }),
  };
}

const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Base64 of the first bytes of each kind of image. */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
];

/** The kind of an image by its bytes: the API refuses one that is called by another name. */
const realType = ({ mediaType, data }: BinaryPart): string =>
  SIGNATURES.find(([start]) => data.startsWith(start))?.[1] ?? mediaType;

function media(part: BinaryPart, vision: boolean): object | undefined {
  const name = part.name === undefined ? 'file' : part.name.toWellFormed();
  const source = { type: 'base64', media_type: realType(part), data: part.data };
  if (IMAGES.has(part.mediaType)) {
    return vision
      ? { type: 'image', source }
      : text(`[image ${name}: this model cannot see images]`);
  }
  if (part.mediaType === 'application/pdf') {
    return { type: 'document', source, ...(part.name === undefined ? {} : { title: name }) };
  }
  if (part.mediaType.startsWith('text/') || part.mediaType === 'application/json') {
    return text(`${name}:\n${new TextDecoder().decode(bytesFromBase64(part.data))}`);
  }
  return text(`[${name} (${part.mediaType}) cannot be shown to the model]`);
}
