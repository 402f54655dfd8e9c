import * as z from 'zod/mini';
import type { Tool } from '../core/tool-call/tool-call.ts';
import { pathBelow } from '../core/permissions/paths.ts';
import { defineTool } from './define-tool.ts';
import { searchPlaces, touchesOf } from './search-place.ts';
import type { SearchPlace } from './search-place.ts';
import type { ToolParts } from './tool-parts.ts';

/** Lines of the tree. */
const MOST_LINES = 400;
/** Files counted. */
const MOST_FILES = 50_000;

const schema = z.strictObject({
  path: z.optional(z.string().check(z.describe('folder; default: the workspace'))),
  depth: z.optional(
    z.int().check(z.gte(1), z.lte(20), z.describe('levels; default: as many as fit')),
  ),
});

/** A folder of the tree. */
interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: string[];
  count: number;
}

export function listFilesTool(parts: ToolParts): Tool {
  return defineTool({
    name: 'list_files',
    description:
      'Shows a folder as a tree, with the number of files below each folder. Ignored files are left out.',
    schema,
    sideEffects: false,
    level: 'guest',
    module: 'files',
    permission: 'none',
    touches: ({ path }, roots) => touchesOf(path, roots),
    run: async ({ path, depth }, context) => {
      const places = await searchPlaces(parts, path, context, 'folder');
      const listings = await Promise.all(
        places.map((place) => listing(parts, place, depth, context.signal)),
      );
      return {
        content: [{ type: 'text', text: listings.map(({ text }) => text).join('\n') }],
        display: {
          kind: 'list',
          path: places.map(({ shown }) => shown).join(', '),
          files: listings.reduce((sum, { count }) => sum + count, 0),
          complete: listings.every(({ complete }) => complete),
        },
      };
    },
  });
}

interface Listing {
  readonly text: string;
  readonly count: number;
  readonly complete: boolean;
}

async function listing(
  parts: ToolParts,
  { real, shown }: SearchPlace,
  depth: number | undefined,
  signal: AbortSignal,
): Promise<Listing> {
  const request = { root: real, pattern: '**/*', limit: MOST_FILES };
  const { paths, complete } = await parts.search.files(request, signal);
  const tree = treeOf(paths.flatMap((file) => pathBelow(real, file) ?? []));
  for (const { type, name } of await parts.files.list(real)) {
    if (type === 'directory' && name !== '.git' && !tree.folders.has(name)) {
      tree.folders.set(name, emptyFolder());
    }
  }
  const lines = linesThatFit(tree, depth);
  if (!complete) lines.push(`[more than ${MOST_FILES} files: list a folder below]`);
  const name = shown === '.' ? 'The workspace' : shown;
  const count = `${tree.count}${complete ? '' : '+'} files`;
  return { text: `${name} (${count})\n${lines.join('\n')}\n`, count: tree.count, complete };
}

function emptyFolder(): Folder {
  return { folders: new Map(), files: [], count: 0 };
}

function treeOf(paths: readonly string[]): Folder {
  const root = emptyFolder();
  for (const path of paths) {
    const parts = path.split('/');
    const name = parts.pop() ?? '';
    let folder = root;
    folder.count += 1;
    for (const part of parts) {
      const inner = folder.folders.get(part) ?? emptyFolder();
      folder.folders.set(part, inner);
      inner.count += 1;
      folder = inner;
    }
    folder.files.push(name);
  }
  return root;
}

/** As many levels as asked for, or as fit into the lines there are. */
function linesThatFit(tree: Folder, depth: number | undefined): string[] {
  if (depth !== undefined) return cut(linesOf(tree, depth, ''));
  let best = linesOf(tree, 1, '');
  for (let levels = 2; levels <= 20; levels += 1) {
    const lines = linesOf(tree, levels, '');
    if (lines.length > MOST_LINES) break;
    if (lines.length === best.length) break;
    best = lines;
  }
  return cut(best);
}

function cut(lines: string[]): string[] {
  if (lines.length <= MOST_LINES) return lines;
  return [
    ...lines.slice(0, MOST_LINES),
    `[${lines.length - MOST_LINES} more lines: list a folder below, or fewer levels]`,
  ];
}

function linesOf(folder: Folder, levels: number, indent: string): string[] {
  const lines: string[] = [];
  for (const [name, inner] of [...folder.folders].toSorted(([left], [right]) =>
    left < right ? -1 : 1,
  )) {
    lines.push(`${indent}${name}/ (${inner.count === 0 ? 'empty or ignored' : inner.count})`);
    if (levels > 1) lines.push(...linesOf(inner, levels - 1, `${indent}  `));
  }
  for (const file of folder.files.toSorted()) lines.push(`${indent}${file}`);
  return lines;
}
