import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { fileURLToPath } from 'node:url';
import { type Json, type JsonObject, canonicalJson, isJsonObject } from '../../domain/data/json.ts';
import { cutJson } from '../../domain/data/json-limits.ts';
import { LARGEST_PICTURE } from '../../domain/models/largest-picture.ts';
import { wordSet } from '../../domain/text/words.ts';
import { oneLine } from '../status/sentence.ts';
import type { FileLink, ResultContent } from '../../domain/message.ts';
import type { ToolOutput } from '../../core/tool-call/tool-call.ts';

/** Kinds of images that model APIs take. */
const imageTypes: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
]);
/** Sounds that the panel plays; models get a sentence in place of them. */
const soundTypes = wordSet(
  'audio/mpeg audio/mp3 audio/mp4 audio/wav audio/x-wav audio/ogg audio/webm audio/flac audio/aac',
);
/** Characters of base64. */
const largestMedia = Math.ceil(LARGEST_PICTURE / 3) * 4;
/** Images and sounds, blocks, resources and characters kept of one result. */
const mostMedia = 20;
const mostResources = 50;
/** Characters of an address or path, and of a structured result that a card draws. */
const longestPath = 2000;
const longestDrawn = 20_000;
/** Characters of the same that are kept for an app. */
const longestForApp = 500_000;
const mostBlocks = 1000;
const mostText = 4_000_000;
/** First texts of a result that are parsed: for names of files, and to compare them with its structured content. */
const MAX_PARSED_TEXTS = 3;

/** The origin of a result: the server, and the page that comes with its tool. */
export interface ResultSource {
  readonly server: string;
  readonly page?: string | undefined;
}

/** A server's answer for the model: data, every word. A link stays a link; the card of a server's tool gets what it draws beside texts. */
export function outputOf(result: CallToolResult, of?: ResultSource): ToolOutput {
  const kept = new Kept();
  for (const block of result.content.slice(0, mostBlocks)) addBlock(kept, block);
  const dropped = result.content.length - mostBlocks;
  if (dropped > 0) kept.text(`[${dropped} more parts were left out.]`);
  addStructured(kept, result);
  const structured = structureOf(result.structuredContent, of?.page);
  const { resources } = kept;
  const named = [structured, ...result.content.slice(0, MAX_PARSED_TEXTS).map(jsonIn)].flatMap(
    namedFiles,
  );
  const files = fileLinks([
    ...resources.map(({ uri }) => uri).filter((uri) => !isWebAddress(uri)),
    ...named,
  ]);
  return {
    content: kept.content(),
    ...(result.isError === true ? { isError: true } : {}),
    ...(files.length === 0 ? {} : { files }),
    ...(of === undefined ? {} : displayOf(of, { structured, resources, meta: result._meta })),
  };
}

/** The display of a server's result; none where texts say all. */
function displayOf(
  { server, page }: ResultSource,
  {
    structured,
    resources,
    meta,
  }: {
    readonly structured: JsonObject | undefined;
    readonly resources: readonly NamedResource[];
    readonly meta: unknown;
  },
): { readonly display?: JsonObject } {
  if (structured === undefined && resources.length === 0 && page === undefined) return {};
  const isForApp = page !== undefined && isJsonObject(meta) && sizeOf(meta) <= longestForApp;
  return {
    display: {
      kind: 'mcp',
      server,
      resources,
      ...(structured && { structured }),
      ...(page === undefined ? {} : { page }),
      ...(isForApp ? { meta } : {}),
    },
  };
}

const sizeOf = (value: unknown): number => JSON.stringify(value).length;

/** Structured output as far as a card draws it, or an app does. */
function structureOf(structured: unknown, page: string | undefined): JsonObject | undefined {
  const most = page === undefined ? longestDrawn : longestForApp;
  return isJsonObject(structured) && sizeOf(structured) <= most ? structured : undefined;
}

/** Files that a structured result names (A9): by `path` or `url`, itself or each of its `files`. */
function namedFiles(structured: JsonObject | undefined): readonly string[] {
  if (structured === undefined) return [];
  const { files } = structured;
  return [structured, ...(Array.isArray(files) ? (files as readonly Json[]) : [])].flatMap(
    (one) => {
      const named = isJsonObject(one) ? (one['path'] ?? one['url']) : one;
      return typeof named === 'string' && named.length <= longestPath ? [named] : [];
    },
  );
}

/** The object that a text is, where it is one in JSON; larger texts than a card draws are not parsed. */
function jsonIn(block: ContentBlock): JsonObject | undefined {
  if (block.type !== 'text' || block.text.length > longestDrawn) return undefined;
  if (!block.text.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(block.text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isWebAddress = (text: string): boolean => /^https?:\/\//iu.test(text);

function fileLinks(named: readonly string[]): readonly FileLink[] {
  const paths = named.flatMap((one) => {
    if (isWebAddress(one) || !/^[a-z][\w+.-]+:/iu.test(one)) return [one];
    try {
      return [fileURLToPath(one)];
    } catch {
      return []; // no file of this machine
    }
  });
  return [...new Set(paths)].slice(0, mostResources).map((path) => ({ path }));
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
      const { name, title, uri, mimeType, description } = block;
      kept.resource({ uri, name: title ?? name, mediaType: mimeType ?? '' });
      return kept.text(
        `[Resource “${name}”: ${uri}${description === undefined ? '' : `. ${description}`}]`,
      );
    }
    case 'resource': {
      const { resource } = block;
      const { uri, mimeType = '' } = resource;
      if (!('text' in resource)) kept.resource({ uri, name: nameOf(uri), mediaType: mimeType });
      else {
        kept.resource({ uri, name: nameOf(uri), mediaType: mimeType, part: kept.size });
        return kept.text(`${embeddedHead(uri)}${resource.text}`);
      }
      return kept.binary(mimeType || 'unknown type', resource.blob, `resource ${uri}`);
    }
    default:
      return block satisfies never;
  }
}

/** The line before the text of a resource that came with a result. */
const embeddedHead = (uri: string): string => `[Resource ${uri}]\n`;

const nameOf = (uri: string): string => uri.split(/[/\\]/u).findLast((part) => part !== '') ?? uri;

/** Structured content is added unless the texts say the same, as the protocol asks servers to do. */
function addStructured(kept: Kept, { content, structuredContent }: CallToolResult): void {
  if (structuredContent === undefined) return;
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const structured = canonicalJson(structuredContent as Json);
  const said = texts.slice(0, MAX_PARSED_TEXTS).some((text) => sameJson(text, structured));
  if (!said && !isWrapped(structuredContent, texts)) kept.text(JSON.stringify(structuredContent));
}

/** `{"content": "…"}` around a text that is there already. */
function isWrapped(structured: unknown, texts: readonly string[]): boolean {
  const values: unknown[] = Object.values(structured ?? {});
  return values.length > 0 && values.every((value) => texts.some((text) => text === value));
}

function sameJson(text: string, structured: string): boolean {
  try {
    return canonicalJson(JSON.parse(cutJson(text)) as Json) === structured;
  } catch {
    return false;
  }
}

/** A resource that a result names or brings along, for the card. */
type NamedResource = {
  readonly uri: string;
  readonly name: string;
  /** Empty: not told. */
  readonly mediaType: string;
  /** Place of its text among the parts of the result. */
  readonly part?: number;
};

/** The parts that are kept, within limits. */
class Kept {
  readonly resources: NamedResource[] = [];
  readonly #parts: ResultContent[] = [];
  #characters = 0;
  #media = 0;

  get size(): number {
    return this.#parts.length;
  }

  resource(resource: NamedResource): void {
    const { uri, name } = resource;
    if (this.resources.length < mostResources && uri.length <= longestPath)
      this.resources.push({ ...resource, name: oneLine(name) });
  }

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
    if (!imageTypes.has(mediaType) && !soundTypes.has(mediaType))
      return this.text(`[Not shown: ${about}]`);
    if (data.length > largestMedia) return this.text(`[Not shown, too large: ${about}]`);
    if (!isBase64(data)) return this.text(`[Not shown, not valid base64: ${about}]`);
    this.#media += 1;
    if (this.#media > mostMedia) return this.text(`[Not shown, too many of them: ${about}]`);
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
