import type { Json, JsonObject } from '../../domain/json.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';
import type { ServerResultView } from '../../protocol/view.ts';
import { listOf, maybeCount, read, text } from '../../tools/face/fields.ts';

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
}

/** Reads the display of a result; `undefined`: it is not that of a server. */
export function serverResult(display: JsonObject = {}): ServerResult | undefined {
  if (display['kind'] !== 'mcp') return undefined;
  const known = read({ server: text, resources: listOf(RESOURCE) }, display);
  return { ...known, structured: display['structured'] ?? null };
}

export function serverResultView(display: JsonObject | undefined): ServerResultView | null {
  const found = serverResult(display);
  if (found === undefined) return null;
  const resources = found.resources.map(({ name, uri }) => ({
    name: makeVisible(name),
    uri: makeVisible(uri),
  }));
  return { structured: found.structured, resources };
}
