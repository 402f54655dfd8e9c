import { type Json, type JsonObject, isJsonObject } from '../../domain/data/json.ts';
import type { ToolResultPart } from '../../domain/message.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';
import type { ServerResultView } from '../../protocol/view.ts';
import { listOf, maybeCount, maybeText, read, text } from '../../tools/face/fields.ts';

const RESOURCE = { uri: text, name: text, mediaType: text, part: maybeCount };

/** The part of a server's result that is on record for its card. */
export interface ServerResult {
  readonly server: string;
  readonly structured: Json;
  /** `part`: place of its text among the parts of the result. */
  readonly resources: readonly {
    readonly uri: string;
    readonly name: string;
    readonly mediaType: string;
    readonly part?: number;
  }[];
  /** Address of the page that comes with the tool. */
  readonly page?: string;
  /** For the app alone. */
  readonly meta?: JsonObject;
}

/** Characters of structured output that a card draws. */
const DRAWN = 20_000;

/** Reads the display of a result; `undefined`: it is not that of a server. */
export function serverResult(display: JsonObject = {}): ServerResult | undefined {
  if (display['kind'] !== 'mcp') return undefined;
  const fields = { server: text, resources: listOf(RESOURCE), page: maybeText };
  const { meta } = display;
  return {
    ...read(fields, display),
    structured: display['structured'] ?? null,
    ...(isJsonObject(meta) ? { meta } : {}),
  };
}

export function serverResultView(display: JsonObject | undefined): ServerResultView | null {
  const found = serverResult(display);
  if (found === undefined) return null;
  const resources = found.resources.map(({ name, uri }) => ({
    name: makeVisible(name),
    uri: makeVisible(uri),
  }));
  const { structured, page } = found;
  const isDrawn = JSON.stringify(structured).length <= DRAWN;
  return { structured: isDrawn ? structured : null, resources, app: page !== undefined };
}

/** A result as the protocol has it, for the app of its server. */
export function protocolResult(
  { content, state }: Pick<ToolResultPart, 'content' | 'state'>,
  { structured, meta }: ServerResult,
): JsonObject {
  const blocks = content.map((part): JsonObject => {
    if (part.type === 'text') return { type: 'text', text: part.text };
    const type = part.mediaType.startsWith('audio/') ? 'audio' : 'image';
    return { type, mimeType: part.mediaType, data: part.data };
  });
  return {
    content: blocks,
    ...(structured === null ? {} : { structuredContent: structured }),
    ...(state === 'done' ? {} : { isError: true }),
    ...(meta === undefined ? {} : { _meta: meta }),
  };
}
