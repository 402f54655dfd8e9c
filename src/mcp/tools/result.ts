import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { LARGEST_PICTURE } from '../../domain/largest-picture.ts';
import { type Json, canonicalJson } from '../../domain/json.ts';
import type { ResultContent } from '../../domain/message.ts';
import type { ToolOutput } from '../../core/tool-call/tool-call.ts';

/** Kinds of images that model APIs take. */
const imageTypes: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
]);
/** Characters of base64. */
const largestImage = Math.ceil(LARGEST_PICTURE / 3) * 4;
/** Images, blocks and characters kept of one result. */
const mostImages = 20;
const mostBlocks = 1000;
const mostText = 4_000_000;

/** A server's answer for the model: data, every word. A link stays a link. */
export function outputOf(result: CallToolResult): ToolOutput {
  const kept = new Kept();
  for (const block of result.content.slice(0, mostBlocks)) addBlock(kept, block);
  const dropped = result.content.length - mostBlocks;
  if (dropped > 0) kept.text(`[${dropped} more parts were left out.]`);
  addStructured(kept, result);
  return { content: kept.content(), ...(result.isError === true ? { isError: true } : {}) };
}

function addBlock(kept: Kept, block: ContentBlock): void {
  switch (block.type) {
    case 'text':
      return kept.text(block.text);
    case 'image':
      return kept.binary(block.mimeType, block.data, 'image');
    case 'audio':
      return kept.binary(block.mimeType, block.data, 'audio');
    case 'resource_link': {
      const { name, uri, description } = block;
      return kept.text(
        `[Resource “${name}”: ${uri}${description === undefined ? '' : `. ${description}`}]`,
      );
    }
    case 'resource': {
      const { resource } = block;
      if ('text' in resource) return kept.text(`[Resource ${resource.uri}]\n${resource.text}`);
      return kept.binary(
        resource.mimeType ?? 'unknown type',
        resource.blob,
        `resource ${resource.uri}`,
      );
    }
    default:
      return block satisfies never;
  }
}

/** Structured content is added unless the texts say the same, as the protocol asks servers to do. */
function addStructured(kept: Kept, { content, structuredContent }: CallToolResult): void {
  if (structuredContent === undefined) return;
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const structured = canonicalJson(structuredContent as Json);
  const said = texts.some((text) => sameJson(text, structured));
  if (!said && !isWrapped(structuredContent, texts)) kept.text(JSON.stringify(structuredContent));
}

/** `{"content": "…"}` around a text that is there already. */
function isWrapped(structured: unknown, texts: readonly string[]): boolean {
  const values: unknown[] = Object.values(structured ?? {});
  return values.length > 0 && values.every((value) => texts.some((text) => text === value));
}

function sameJson(text: string, structured: string): boolean {
  try {
    return canonicalJson(JSON.parse(text) as Json) === structured;
  } catch {
    return false;
  }
}

/** The parts that are kept, within limits. */
class Kept {
  readonly #parts: ResultContent[] = [];
  #characters = 0;
  #images = 0;

  text(text: string): void {
    const room = mostText - this.#characters;
    this.#characters += text.length;
    if (room <= 0 || text.trim() === '') return;
    const shown = text.slice(0, room);
    const cut = `\n[Cut: ${text.length - shown.length} more characters of this part were left out.]`;
    this.#parts.push({ type: 'text', text: shown.length < text.length ? `${shown}${cut}` : shown });
  }

  binary(mediaType: string, data: string, what: string): void {
    const kilobytes = Math.ceil((data.length * 3) / 4 / 1024);
    const about = `${what}, ${mediaType}, ${kilobytes} kB`;
    if (!imageTypes.has(mediaType)) return this.text(`[Not shown: ${about}]`);
    if (data.length > largestImage) return this.text(`[Not shown, too large: ${about}]`);
    if (!isBase64(data)) return this.text(`[Not shown, not valid base64: ${about}]`);
    this.#images += 1;
    if (this.#images > mostImages) return this.text(`[Not shown, too many images: ${about}]`);
    this.#parts.push({ type: 'binary', mediaType, data });
  }

  /** Never empty. */
  content(): readonly ResultContent[] {
    return this.#parts.length > 0
      ? this.#parts
      : [{ type: 'text', text: 'The tool returned nothing.' }];
  }
}

function isBase64(data: string): boolean {
  return data.length > 0 && data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}
