import { setImmediate } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { Tool, ToolContext } from '../../core/tool-call/tool-call.ts';
import { resolvePath } from '../../domain/paths.ts';
import { throwIfAborted } from '../../domain/lifetime/abort.ts';
import { defineTool } from '../define-tool.ts';
import { listFilesFace } from './list-files-face.ts';
import { leftOutNote } from './left-out-note.ts';
import { addFile, emptyFolder, treeLines } from './folder-tree.ts';
import { type SearchPlace, searchPlaces, touchesOf } from './search-place.ts';
import type { ToolParts } from '../tool-parts.ts';

/** Lines of the tree. */
const MOST_LINES = 400;
/** Files counted. */
const MOST_FILES = 100_000;
/** Files sorted into the tree before others get a turn. */
const AT_ONCE = 2000;

const schema = z.strictObject({
  path: z.optional(z.string().check(z.describe('folder; default: the workspace'))),
  depth: z.optional(
    z.int().check(z.gte(1), z.lte(20), z.describe('levels; default: as many as fit')),
  ),
});

export function listFilesTool(parts: ToolParts): Tool {
  return defineTool(listFilesFace, {
    description:
      'Shows a folder as a tree, with the number of files below each folder. Ignored files are left out unless their folder is named.',
    schema,
    sideEffects: false,
    level: 'guest',
    module: 'files',
    permission: 'none',
    touches: ({ path }, roots) => touchesOf(path, roots),
    run: async ({ path, depth }, context) => {
      const places = await searchPlaces(parts.disk, path, context, 'folder');
      const listings = await Promise.all(
        places.map((place) => listing(parts, place, depth, context)),
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
  { roots, signal }: ToolContext,
): Promise<Listing> {
  const request = { root: real, pattern: '**/*', limit: MOST_FILES, ordered: false };
  const { paths, complete, leftOut } = await parts.disk.search.files(
    // Of the whole workspace the ignored folders of the first level are shown, and more would take too long to count.
    roots.includes(real) ? request : { ...request, countLeftOut: 'always' },
    signal,
  );
  const tree = emptyFolder();
  for (const [index, file] of paths.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) {
      throwIfAborted(signal);
      await setImmediate();
    }
    addFile(tree, pathInside(real, file));
  }
  for (const { type, name } of await parts.disk.files.list(real)) {
    if (type !== 'directory' || name === '.git' || tree.folders.has(name)) continue;
    if ((await parts.disk.ignored.ruleFor(resolvePath(real, name))) === undefined)
      tree.folders.set(name, emptyFolder());
  }
  const lines = treeLines(tree, depth, MOST_LINES);
  if (!complete) lines.push(`[more than ${MOST_FILES} files: list a folder below]`);
  const name = shown === '.' ? 'The workspace' : shown;
  const count = `${tree.count}${complete ? '' : '+'} files`;
  return {
    text: `${name} (${count})\n${lines.join('\n')}${leftOutNote(leftOut, roots)}\n`,
    count: tree.count,
    complete,
  };
}

/** Like `pathBelow`, for very many paths of which all lie inside. */
function pathInside(root: string, file: string): string {
  const below = file.slice(root.length).replace(/^[\\/]/u, '');
  return root.includes('\\') ? below.replaceAll('\\', '/') : below;
}
