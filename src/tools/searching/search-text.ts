import * as z from 'zod/mini';
import type { TextMatch, TextSearchRequest } from '../../core/ports/files/search.ts';
import type { JsonObject } from '../../domain/data/json.ts';
import type { Tool, ToolContext } from '../../core/tool-call/tool-call.ts';
import { type DisplayedOutput, defineTool } from '../define-tool.ts';
import { type MatchesDisplay, searchTextFace } from './search-text-face.ts';
import { globOfType } from './file-types.ts';
import { renamed } from '../other-spellings.ts';
import { leftOutNote } from './left-out-note.ts';
import { type SearchPlace, foundPath, searchPlaces, touchesOf } from './search-place.ts';
import type { ToolParts } from '../tool-parts.ts';
import { shownPath } from '../workspace-path.ts';

const schema = z.strictObject({
  pattern: z.string().check(z.minLength(1), z.describe('regular expression')),
  path: z.optional(z.string().check(z.describe('folder or file; default: the workspace'))),
  regex: z.optional(z.boolean().check(z.describe('false: plain text'))),
  case_sensitive: z.optional(
    z.boolean().check(z.describe('default: when the pattern has capitals')),
  ),
  include: z.optional(z.array(z.string()).check(z.describe('globs, e.g. ["*.ts", "src/**"]'))),
  exclude: z.optional(z.array(z.string())),
  counts: z.optional(z.boolean().check(z.describe('only how many lines match in each file'))),
  context: z.optional(z.int().check(z.gte(0), z.lte(20), z.describe('lines around each match'))),
  limit: z.optional(z.int().check(z.gte(1), z.lte(2000), z.describe('default 200'))),
});

type Input = z.output<typeof schema>;

/** Matches, and with `counts` files, that are given when the model names no limit. */
const MATCHES = 200;
const FILES = 500;

/** Of ripgrep and of other products. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  query: 'pattern',
  glob: 'include',
  file_pattern: 'include',
  '-C': 'context',
  head_limit: 'limit',
  max_results: 'limit',
};

export function searchTextTool(parts: ToolParts): Tool {
  return defineTool(searchTextFace, {
    description:
      'Searches the content of files. Binary files are left out, and ignored ones unless their path is named.',
    schema,
    accept: inOurWords,
    sideEffects: false,
    level: 'guest',
    module: 'search',
    permission: 'none',
    touches: ({ path }, roots) => touchesOf(path, roots),
    run: async (input, context) => {
      const places = await searchPlaces(parts.disk, input.path, context, 'any');
      return input.counts === true
        ? counted(parts, input, places, context)
        : matched(parts, input, places, context);
    },
  });
}

/** Mends other products' names; a type of files becomes its globs. */
function inOurWords(input: JsonObject): JsonObject {
  const { type, output_mode: mode, ...rest } = renamed(input, OTHER_NAMES);
  const { '-i': insensitive, '-n': _, ...named } = rest;
  return {
    ...named,
    ...(typeof type === 'string' && named['include'] === undefined
      ? { include: [globOfType(type)] }
      : {}),
    ...(mode === undefined ? {} : { counts: mode === 'count' || mode === 'files_with_matches' }),
    ...(insensitive === undefined ? {} : { case_sensitive: insensitive !== true }),
  };
}

async function matched(
  parts: ToolParts,
  input: Input,
  places: readonly SearchPlace[],
  context: ToolContext,
): Promise<DisplayedOutput<MatchesDisplay>> {
  const limit = input.limit ?? MATCHES;
  const matches: TextMatch[] = [];
  let complete = true;
  const notes: string[] = [];
  for (const place of places) {
    if (matches.length === limit) {
      complete = false;
      break;
    }
    const request = requestOf(input, place.real, limit - matches.length);
    const found = await parts.disk.search.text(request, context.signal);
    for (const match of found.matches)
      matches.push({ ...match, path: foundPath(place, match.path) });
    complete &&= found.complete;
    notes.push(leftOutNote(found.leftOut, context.roots));
  }
  const files = new Set(matches.map((match) => match.path)).size;
  const more = complete
    ? ''
    : `\n[only the first ${limit} matches: narrow the pattern, or name a folder]`;
  const text =
    matches.length === 0
      ? none(input, notes)
      : `${matches.length} matches in ${files} files\n${byFile(matches, context.roots)}${more}`;
  return {
    content: [{ type: 'text', text }],
    files: matches.slice(0, 50).map((match) => ({ path: match.path, line: match.line })),
    display: { kind: 'matches', pattern: input.pattern, matches: matches.length, files, complete },
  };
}

/** Files, each with the number of its lines that match. */
async function counted(
  parts: ToolParts,
  input: Input,
  places: readonly SearchPlace[],
  context: ToolContext,
): Promise<DisplayedOutput<MatchesDisplay>> {
  const limit = input.limit ?? FILES;
  const files: { readonly path: string; readonly lines: number }[] = [];
  let complete = true;
  const notes: string[] = [];
  for (const place of places) {
    const request = requestOf(input, place.real, Math.max(1, limit - files.length));
    const found = await parts.disk.search.counts(request, context.signal);
    files.push(...found.files.map((file) => ({ ...file, path: foundPath(place, file.path) })));
    complete &&= found.complete;
    notes.push(leftOutNote(found.leftOut, context.roots));
  }
  const shown = files.slice(0, limit);
  complete &&= shown.length === files.length;
  const lines = shown.reduce((sum, file) => sum + file.lines, 0);
  const list = shown.map((file) => `${shownPath(file.path, context.roots)}: ${file.lines}`);
  const more = complete
    ? ''
    : `\n[only the first ${limit} files: narrow the pattern, or name a folder]`;
  const text =
    shown.length === 0
      ? none(input, notes)
      : `${lines} lines match in ${shown.length} files\n${list.join('\n')}${more}`;
  return {
    content: [{ type: 'text', text }],
    files: shown.slice(0, 50).map(({ path }) => ({ path })),
    display: {
      kind: 'matches',
      pattern: input.pattern,
      matches: lines,
      files: shown.length,
      complete,
    },
  };
}

function none({ pattern, include }: Input, notes: readonly string[]): string {
  const where = include === undefined ? '' : ` in ${include.join(', ')}`;
  return `No match for ${JSON.stringify(pattern)}${where}.${notes.join('')}`;
}

function requestOf(input: Input, root: string, limit: number): TextSearchRequest {
  const capitals = /\p{Lu}/u.test(input.pattern.replace(/\\./gu, ''));
  return {
    root,
    limit,
    pattern: input.pattern,
    regex: input.regex ?? true,
    caseSensitive: input.case_sensitive ?? capitals,
    context: input.context ?? 0,
    include: input.include,
    exclude: input.exclude,
  };
}

/** One heading a file; `12:` is a match, `12-` a line around one. */
function byFile(matches: readonly TextMatch[], roots: readonly string[]): string {
  const files = new Map<string, Map<number, string>>();
  for (const match of matches) {
    const lines = files.get(match.path) ?? new Map<number, string>();
    files.set(match.path, lines);
    for (const [index, text] of match.before.entries()) {
      const line = match.line - match.before.length + index;
      if (!lines.has(line)) lines.set(line, `${line}-${text}`);
    }
    lines.set(match.line, `${match.line}:${match.text}`);
    for (const [index, text] of match.after.entries()) {
      const line = match.line + 1 + index;
      if (!lines.has(line)) lines.set(line, `${line}-${text}`);
    }
  }
  return [...files]
    .map(([path, lines]) => `${shownPath(path, roots)}\n${inOrder(lines)}`)
    .join('\n\n');
}

/** Gaps between the lines are marked. */
function inOrder(lines: ReadonlyMap<number, string>): string {
  const sorted = [...lines].toSorted(([left], [right]) => left - right);
  const withContext = sorted.some(([line, text]) => text.startsWith(`${line}-`));
  return sorted
    .flatMap(([line, text], index) =>
      withContext && index > 0 && line > (sorted[index - 1]?.[0] ?? 0) + 1 ? ['--', text] : [text],
    )
    .join('\n');
}
