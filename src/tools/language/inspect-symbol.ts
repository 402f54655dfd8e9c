import * as z from 'zod/mini';
import type { Place, Related, Relation } from '../../core/ports/editor/language.ts';
import type { Tool, ToolContext } from '../../core/tool-call/tool-call.ts';
import { type DisplayedOutput, defineTool } from '../define-tool.ts';
import { type PlacesDisplay, inspectSymbolFace } from './inspect-symbol-face.ts';
import { PATH_NAMES, renamed } from '../other-spellings.ts';
import { absolutePath, shownPath } from '../workspace-path.ts';
import type { LanguageParts } from './language-parts.ts';
import { type LocatedSymbol, locate } from './symbols/located-symbol.ts';
import { requireServer } from './no-server.ts';
import { SourceLines } from './symbols/source-lines.ts';
import { SYMBOL } from './symbols/symbol-schema.ts';
import { visible } from './visible.ts';

/** Places listed; the rest is counted. */
const MOST_PLACES = 100;
const LONGEST_HOVER = 4000;
/** Lines shown of a definition. */
const DEFINITION_LINES = 6;

const schema = z.strictObject({
  ...SYMBOL,
  what: z.enum([
    'definition',
    'references',
    'hover',
    'implementations',
    'type_definition',
    'callers',
    'callees',
  ]),
});

const WORDS: Readonly<Record<Relation, readonly [one: string, many: string]>> = {
  definition: ['definition', 'definitions'],
  type_definition: ['type definition', 'type definitions'],
  implementations: ['implementation', 'implementations'],
  references: ['reference', 'references'],
  callers: ['caller', 'callers'],
  callees: ['call', 'calls'],
};

export function inspectSymbolTool(parts: LanguageParts): Tool {
  return defineTool(inspectSymbolFace, {
    description:
      'Asks the language server about a symbol: exact where search_text guesses. hover: its type and documentation.',
    schema,
    accept: (input) => renamed(input, { ...PATH_NAMES, name: 'symbol', kind: 'what' }),
    sideEffects: false,
    level: 'guest',
    module: 'language',
    permission: 'none',
    touches: ({ path }, roots) => [{ path: absolutePath(path, roots), access: 'read' }],
    run: async ({ what, ...asked }, context) => {
      const symbol = await locate(parts, asked, context);
      return what === 'hover'
        ? hover(parts, symbol, context)
        : related(parts, symbol, { what, context });
    },
  });
}

async function hover(
  parts: LanguageParts,
  symbol: LocatedSymbol,
  context: ToolContext,
): Promise<DisplayedOutput<PlacesDisplay>> {
  const text = await parts.language.servers.hover(placeOf(symbol), context.signal);
  if (text === '') await requireServer(parts, symbol.path, context.roots);
  const said = text === '' ? `Nothing is known of ${symbol.name}.` : text.slice(0, LONGEST_HOVER);
  return {
    content: [
      { type: 'text', text: withNote(symbol, `${symbol.name} (${symbol.shown})\n${said}`) },
    ],
    files: [{ path: symbol.path, line: symbol.line }],
    display: {
      kind: 'places',
      what: 'hover',
      symbol: symbol.name,
      places: text === '' ? 0 : 1,
      files: 1,
    },
  };
}

async function related(
  parts: LanguageParts,
  symbol: LocatedSymbol,
  { what, context }: { readonly what: Relation; readonly context: ToolContext },
): Promise<DisplayedOutput<PlacesDisplay>> {
  const found = await parts.language.servers.related(what, placeOf(symbol), context.signal);
  const { items: places, hidden } = await visible(parts, found, context);
  if (found.length === 0) await requireServer(parts, symbol.path, context.roots);
  const files = new Set(places.map((place) => place.path)).size;
  const [one, many] = WORDS[what];
  const count = `${places.length === 0 ? 'no' : places.length} ${places.length === 1 ? one : many}`;
  const where = files > 1 ? ` in ${files} files` : '';
  const shown = places.slice(0, MOST_PLACES);
  const lines = new SourceLines(parts, context);
  const listed =
    what === 'definition' || what === 'type_definition' || what === 'implementations'
      ? await withBodies(shown, lines, context.roots)
      : await byFile(shown, lines, context.roots);
  const more =
    places.length > shown.length ? `\n[${places.length - shown.length} more are not listed]` : '';
  const text = `${symbol.name} (${symbol.shown}): ${count}${where}${listed === '' ? '' : `\n${listed}`}${more}${hidden}`;
  return {
    content: [{ type: 'text', text: withNote(symbol, text) }],
    files: shown.slice(0, 50).map(({ path, line }) => ({ path, line })),
    display: { kind: 'places', what, symbol: symbol.name, places: places.length, files },
  };
}

function placeOf({ path, line, column }: LocatedSymbol): Place {
  return { path, line, column };
}

function withNote({ note }: LocatedSymbol, text: string): string {
  return note === '' ? text : `[${note}]\n${text}`;
}

/** Each with the lines it begins with; of many only the first. */
async function withBodies(
  places: readonly Related[],
  lines: SourceLines,
  roots: readonly string[],
): Promise<string> {
  const count = places.length > 5 ? 1 : DEFINITION_LINES;
  const blocks = await Promise.all(
    places.map(async ({ path, line }) => {
      const source = await lines.at(path, line, count);
      const numbered = source.map((text, index) => `${line + index}: ${text}`);
      return [`${shownPath(path, roots)}:${line}`, ...numbered].join('\n');
    }),
  );
  return blocks.join('\n\n');
}

/** One heading a file. */
async function byFile(
  places: readonly Related[],
  lines: SourceLines,
  roots: readonly string[],
): Promise<string> {
  const files = new Map<string, Related[]>();
  for (const place of places) files.set(place.path, [...(files.get(place.path) ?? []), place]);
  const blocks = await Promise.all(
    [...files].map(async ([path, found]) => {
      const sorted = found.toSorted((left, right) => left.line - right.line);
      const rows = await Promise.all(
        sorted.map(async ({ line, name }) => {
          const [text = ''] = await lines.at(path, line);
          return `${line}: ${name === undefined ? '' : `${name} · `}${text.trim()}`;
        }),
      );
      return [shownPath(path, roots), ...new Set(rows)].join('\n');
    }),
  );
  return blocks.join('\n\n');
}
