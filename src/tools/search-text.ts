import * as z from 'zod/mini';
import type { TextMatch, TextSearchRequest } from '../core/ports.ts';
import type { Tool } from '../core/tool-call/tool-call.ts';
import { defineTool } from './define-tool.ts';
import { foundPath, searchPlaces, touchesOf } from './search-place.ts';
import type { ToolParts } from './tool-parts.ts';
import { shownPath } from './workspace-path.ts';

const schema = z.strictObject({
  pattern: z.string().check(z.minLength(1), z.describe('regular expression')),
  path: z.optional(z.string().check(z.describe('folder or file; default: the workspace'))),
  regex: z.optional(z.boolean().check(z.describe('false: plain text'))),
  case_sensitive: z.optional(
    z.boolean().check(z.describe('default: when the pattern has capitals')),
  ),
  include: z.optional(z.array(z.string()).check(z.describe('globs, e.g. ["*.ts"]'))),
  exclude: z.optional(z.array(z.string())),
  context: z.optional(z.int().check(z.gte(0), z.lte(20), z.describe('lines around each match'))),
  limit: z.optional(z.int().check(z.gte(1), z.lte(2000), z.describe('default 200'))),
});

export function searchTextTool(parts: ToolParts): Tool {
  return defineTool({
    name: 'search_text',
    description: 'Searches the content of files. Ignored and binary files are left out.',
    schema,
    sideEffects: false,
    level: 'guest',
    module: 'search',
    permission: 'none',
    touches: ({ path }, roots) => touchesOf(path, roots),
    run: async (input, context) => {
      const limit = input.limit ?? 200;
      const matches: TextMatch[] = [];
      let complete = true;
      for (const place of await searchPlaces(parts, input.path, context, 'any')) {
        if (matches.length === limit) {
          complete = false;
          break;
        }
        const request = requestOf(input, place.real, limit - matches.length);
        const found = await parts.search.text(request, context.signal);
        for (const match of found.matches)
          matches.push({ ...match, path: foundPath(place, match.path) });
        complete &&= found.complete;
      }
      const fileCount = new Set(matches.map((match) => match.path)).size;
      const more = complete
        ? ''
        : `\n[only the first ${limit} matches: narrow the pattern, or name a folder]`;
      const none = `No match for ${JSON.stringify(input.pattern)}${input.include === undefined ? '' : ` in ${input.include.join(', ')}`}.`;
      const text =
        matches.length === 0
          ? none
          : `${matches.length} matches in ${fileCount} files\n${byFile(matches, context.roots)}${more}`;
      return {
        content: [{ type: 'text', text }],
        files: matches.slice(0, 50).map((match) => ({ path: match.path, line: match.line })),
        display: {
          kind: 'matches',
          pattern: input.pattern,
          matches: matches.length,
          files: fileCount,
          complete,
        },
      };
    },
  });
}

function requestOf(input: z.output<typeof schema>, root: string, limit: number): TextSearchRequest {
  const capitals = /\p{Lu}/u.test(input.pattern.replace(/\\./gu, ''));
  return {
    root,
    limit,
    pattern: input.pattern,
    regex: input.regex ?? true,
    caseSensitive: input.case_sensitive ?? capitals,
    context: input.context ?? 0,
    ...(input.include === undefined ? {} : { include: input.include }),
    ...(input.exclude === undefined ? {} : { exclude: input.exclude }),
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
