import * as z from 'zod/mini';
import { BelayError } from '../domain/failure.ts';
import type { Tool } from '../core/tool-call/tool-call.ts';
import { pathBelow } from '../core/permissions/paths.ts';
import { defineTool } from './define-tool.ts';
import type { ToolParts } from './tool-parts.ts';
import { absolutePath, shownPath } from './workspace-path.ts';

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
    touches: ({ path = '.' }, roots) => [{ path: absolutePath(path, roots), access: 'read' }],
    run: async ({ path: asked = '.', depth }, context) => {
      const path = absolutePath(asked, context.roots);
      const shown = shownPath(path, context.roots);
      const real = context.judged?.get(path) ?? path;
      const stat = await parts.files.stat(real);
      if (stat === undefined)
        throw new BelayError({
          code: 'not_found',
          message: `The folder ${shown} does not exist. list_files without a path shows the workspace.`,
        });
      if (stat.type !== 'directory')
        throw new BelayError({
          code: 'invalid',
          message: `${shown} is a file, not a folder. Use read_file for files.`,
        });
      const found = await parts.search.files(
        { root: real, pattern: '**/*', limit: MOST_FILES },
        context.signal,
      );
      const tree = treeOf(found.paths.flatMap((file) => pathBelow(real, file) ?? []));
      const present = await parts.files.list(real);
      for (const entry of present)
        if (entry.type === 'directory' && entry.name !== '.git' && !tree.folders.has(entry.name))
          tree.folders.set(entry.name, emptyFolder());
      const lines = linesThatFit(tree, depth);
      const more = found.complete ? '' : `\n[more than ${MOST_FILES} files: list a folder below]`;
      const count = `${tree.count}${found.complete ? '' : '+'} files`;
      return {
        content: [
          {
            type: 'text',
            text: `${shown === '.' ? 'The workspace' : shown} (${count})\n${lines.join('\n')}${more}\n`,
          },
        ],
        display: { kind: 'list', path: shown, files: tree.count, complete: found.complete },
      };
    },
  });
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
function linesThatFit(tree: Folder, depth: number | undefined): readonly string[] {
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

function cut(lines: readonly string[]): readonly string[] {
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
