import type {
  Base64ImageSource,
  ContentBlockParam,
  DocumentBlockParam,
  ImageBlockParam,
  RedactedThinkingBlockParam,
  TextBlockParam,
  ThinkingBlockParam,
  ToolResultBlockParam,
  ToolUseBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages';
import type {
  BinaryPart,
  Message,
  Part,
  ReasoningPart,
  ToolCallPart,
  ToolResultPart,
} from '../../../domain/message.ts';
import { isJsonObject } from '../../../domain/data/json.ts';
import { replayFor } from '../../../domain/models/replay.ts';
import type { ReplayOwner } from '../../../domain/models/replay.ts';
import type { WireIds } from '../../http/request/wire-ids.ts';
import { isImage, mediaText, realType } from '../../http/request/media.ts';
import { plainName } from '../../http/request/usable-tools.ts';
import { joined, utf8, withCommas } from '../../http/bytes.ts';
import { wellFormed } from '../../http/request/well-formed.ts';

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

/** How messages are written: what the model takes, and whose thinking may be replayed. */
export interface MessageForm {
  readonly vision: boolean;
  /** Thinking without a signature goes back, too. */
  readonly emptySignature: boolean;
  readonly owner: ReplayOwner;
  readonly ids: WireIds;
}

/**
 * The wire form of messages, kept for as long as the message object lives: a turn costs what is new
 * in it, and the same message always gives the same bytes.
 */
export class WireMessages {
  readonly #known = new WeakMap<
    Message,
    { readonly form: MessageForm; readonly wire: WireMessage }
  >();

  of(message: Message, form: MessageForm): WireMessage {
    const known = this.#known.get(message);
    if (known !== undefined && isSameForm(known.form, form)) return known.wire;
    const wire = wireForm(message, form);
    this.#known.set(message, { form, wire });
    return wire;
  }
}

const isSameForm = (left: MessageForm, right: MessageForm): boolean =>
  left.vision === right.vision &&
  left.emptySignature === right.emptySignature &&
  left.ids === right.ids &&
  left.owner.model === right.owner.model;

function wireForm(message: Message, form: MessageForm): WireMessage {
  const all = message.parts.flatMap((part) => blocksOf(part, form));
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

function blocksOf(part: Part, form: MessageForm): readonly WireBlock[] {
  const { vision } = form;
  switch (part.type) {
    case 'text':
      return written('text', text(part.text));
    case 'reasoning':
      return written('thinking', thinking(part, form));
    case 'tool_call':
      return written('tool_use', toolUse(part, form.ids));
    case 'tool_result':
      return written('tool_result', toolResult(part, form));
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

const written = (
  kind: WireBlock['kind'],
  value: ContentBlockParam | undefined,
): readonly WireBlock[] =>
  value === undefined ? [] : [{ kind, bytes: utf8(JSON.stringify(value)) }];

/** The API refuses empty and blank text blocks. */
const text = (content: string): TextBlockParam | undefined =>
  content.trim() === '' ? undefined : { type: 'text', text: content.toWellFormed() };

/** Thinking goes back byte for byte to the model that wrote it; without a signature most servers refuse it. */
function thinking(
  part: ReasoningPart,
  { emptySignature, owner }: MessageForm,
): ThinkingBlockParam | RedactedThinkingBlockParam | undefined {
  const data = replayFor(part, owner);
  if (!isJsonObject(data)) return undefined;
  const { signature, redacted } = data;
  if (typeof redacted === 'string') return { type: 'redacted_thinking', data: redacted };
  if (typeof signature !== 'string' || (signature === '' && !emptySignature)) return undefined;
  return { type: 'thinking', thinking: part.text, signature };
}

const toolUse = (part: ToolCallPart, ids: WireIds): ToolUseBlockParam => ({
  type: 'tool_use',
  id: ids.of(part.id),
  name: plainName(part.name, 128),
  input: wellFormed(part.input),
});

function toolResult(part: ToolResultPart, { ids, vision }: MessageForm): ToolResultBlockParam {
  const content = part.content
    .map((item) => (item.type === 'text' ? text(item.text) : media(item, vision)))
    .filter((item) => item !== undefined);
  return {
    type: 'tool_result',
    tool_use_id: ids.of(part.callId),
    content: content.length === 0 ? [{ type: 'text', text: '(no output)' }] : content,
    ...(part.state === 'done' ? {} : { is_error: true }),
  };
}

function media(
  part: BinaryPart,
  vision: boolean,
): ImageBlockParam | DocumentBlockParam | TextBlockParam | undefined {
  const name = part.name === undefined ? 'file' : part.name.toWellFormed();
  const { data } = part;
  if (isImage(part)) {
    const mediaType = realType(part) as Base64ImageSource['media_type'];
    return vision
      ? { type: 'image', source: { type: 'base64', media_type: mediaType, data } }
      : text(`[image ${name}: this model cannot see images]`);
  }
  if (part.mediaType === 'application/pdf') {
    const source = { type: 'base64', media_type: 'application/pdf', data } as const;
    return { type: 'document', source, ...(part.name === undefined ? {} : { title: name }) };
  }
  return text(mediaText(part));
}
