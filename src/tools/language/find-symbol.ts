import { told } from '../../domain/text/told.ts';
import * as z from 'zod/mini';
import { fault } from '../../domain/failure.ts';
import type { Declaration } from '../../core/ports/editor/language.ts';
import type { Tool } from '../../core/tool-call/tool-call.ts';
import { defineTool } from '../define-tool.ts';
import { findSymbolFace } from './find-symbol-face.ts';
import { PATH_NAMES, renamed } from '../other-spellings.ts';
import { absolutePath, shownPath } from '../workspace-path.ts';
import type { LanguageParts } from './language-parts.ts';
import { requireServer } from './no-server.ts';
import { sourceOf } from './symbols/source-lines.ts';
import { visible } from './visible.ts';

const MOST = 200;

const schema = z.strictObject({
  query: z.optional(z.string().check(z.describe('part of a name; needed without path'))),
  path: z.optional(
    z
      .string()
      .check(z.minLength(1), z.describe('file whose outline is wanted; default: the workspace')),
  ),
});

export function findSymbolTool(parts: LanguageParts): Tool {
  return defineTool(findSymbolFace, {
    description:
      'Finds declarations by name, or lists those of a file. Functions, classes, methods and so on, as the language server knows them.',
    schema,
    accept: (input) => renamed(input, { ...PATH_NAMES, name: 'query', symbol: 'query' }),
    sideEffects: false,
    level: 'guest',
    module: 'language',
    permission: 'none',
    rare: true,
    touches: ({ path }, roots) =>
      path === undefined ? [] : [{ path: absolutePath(path, roots), access: 'read' }],
    run: async ({ query = '', path }, context) => {
      const { roots, signal } = context;
      let found: readonly Declaration[];
      if (path === undefined) {
        if (query.trim() === '') {
          throw fault(
            'invalid',
            told`Name a query, a path, or both: find_symbol {"query": "total"}.`,
          );
        }
        // A folder must be open: what the servers know is the workspace.
        absolutePath('.', roots);
        const all = await parts.language.servers.symbols(query, signal);
        found = (await visible(parts, all, context)).items;
      } else {
        const file = absolutePath(path, roots);
        await sourceOf(parts, file, context);
        const outline = await parts.language.servers.outline(file, signal);
        if (outline.length === 0) await requireServer(parts, file, roots);
        found = outline.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()));
      }
      const shown = found.slice(0, MOST);
      const where = path === undefined ? 'the workspace' : path;
      const rows = path === undefined ? shown.map((one) => flat(one, roots)) : shown.map(indented);
      const head =
        found.length === 0
          ? `No declaration${query === '' ? '' : ` like ${JSON.stringify(query)}`} in ${where}.${path === undefined ? ' The servers know the languages that were used in this window; search_text finds the rest.' : ''}`
          : `${found.length} declarations in ${where}`;
      const more = found.length > MOST ? [`[${found.length - MOST} more: narrow the query]`] : [];
      return {
        content: [{ type: 'text', text: [head, ...rows, ...more].join('\n') }],
        files: shown.slice(0, 50).map((one) => ({ path: one.path, line: one.line })),
        display: {
          kind: 'symbols',
          query,
          count: found.length,
          complete: found.length <= MOST,
        },
      };
    },
  });
}

function flat(
  { name, kind, container, path, line }: Declaration,
  roots: readonly string[],
): string {
  return `${shownPath(path, roots)}:${line} ${kind} ${name}${container === '' ? '' : ` in ${container}`}`;
}

function indented({ name, kind, line, depth }: Declaration): string {
  return `${'  '.repeat(depth)}${line}: ${kind} ${name}`;
}
