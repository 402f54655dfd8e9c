import * as z from 'zod/mini';
import type { Tool } from '../../core/tool-call/tool-call.ts';
import { defineTool } from '../define-tool.ts';
import { findFilesFace } from './find-files-face.ts';
import { leftOutNote } from './left-out-note.ts';
import { foundPath, searchPlaces, touchesOf } from './search-place.ts';
import type { ToolParts } from '../tool-parts.ts';
import { shownPath } from '../workspace-path.ts';

const schema = z.strictObject({
  pattern: z
    .string()
    .check(
      z.minLength(1),
      z.describe('glob ("**/*.test.ts") or part of a name ("usrctl" finds user-controller.ts)'),
    ),
  path: z.optional(z.string().check(z.describe('folder; default: the workspace'))),
  limit: z.optional(z.int().check(z.gte(1), z.lte(1000), z.describe('default 100'))),
});

export function findFilesTool(parts: ToolParts): Tool {
  return defineTool(findFilesFace, {
    description: 'Finds files by name. Ignored files are left out unless their folder is named.',
    schema,
    sideEffects: false,
    level: 'guest',
    module: 'search',
    permission: 'none',
    touches: ({ path }, roots) => touchesOf(path, roots),
    run: async ({ pattern, path, limit = 100 }, context) => {
      const paths: string[] = [];
      const notes: string[] = [];
      let complete = true;
      for (const place of await searchPlaces(parts.disk, path, context, 'folder')) {
        if (paths.length >= limit) {
          complete = false;
          break;
        }
        const request = {
          root: place.real,
          pattern,
          limit: limit - paths.length,
          countLeftOut: 'if_none_found',
        } as const;
        const found = await parts.disk.search.files(request, context.signal);
        paths.push(...found.paths.map((file) => foundPath(place, file)));
        complete &&= found.complete;
        notes.push(leftOutNote(found.leftOut, context.roots));
      }
      const names = paths.map((file) => shownPath(file, context.roots));
      const text =
        names.length === 0
          ? `No file matches ${JSON.stringify(pattern)}. Try a shorter part of the name, or list_files.${notes.join('')}`
          : `${names.join('\n')}${complete ? '' : `\n[only the first ${limit}: narrow the pattern]`}`;
      return {
        content: [{ type: 'text', text }],
        files: paths.slice(0, 50).map((file) => ({ path: file })),
        display: { kind: 'files', pattern, count: names.length, complete },
      };
    },
  });
}
