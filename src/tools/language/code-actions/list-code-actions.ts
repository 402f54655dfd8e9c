import * as z from 'zod/mini';
import type { CodeAction } from '../../../core/ports/editor/language.ts';
import type { Tool } from '../../../core/tool-call/tool-call.ts';
import { defineTool } from '../../define-tool.ts';
import { listCodeActionsFace } from './list-code-actions-face.ts';
import { PATH_NAMES, renamed } from '../../other-spellings.ts';
import { absolutePath } from '../../workspace-path.ts';
import { ACTION_PLACE, actionsAt } from './code-actions.ts';
import type { LanguageParts } from '../language-parts.ts';

const MOST = 50;

const schema = z.strictObject(ACTION_PLACE);

export function listCodeActionsTool(parts: LanguageParts): Tool {
  return defineTool(listCodeActionsFace, {
    description:
      'Lists quick fixes, refactorings and source actions such as organize imports. apply_code_action applies one by its title.',
    schema,
    accept: (input) => renamed(input, PATH_NAMES),
    sideEffects: false,
    level: 'guest',
    module: 'language',
    permission: 'none',
    rare: true,
    touches: ({ path }, roots) => [{ path: absolutePath(path, roots), access: 'read' }],
    run: async (input, context) => {
      const actions = await actionsAt(parts, input, context);
      const where = `${input.path}${input.line === undefined ? '' : `:${input.line}`}`;
      const rows = actions.slice(0, MOST).map(rowOf);
      const more = actions.length > MOST ? [`[${actions.length - MOST} more: name a kind]`] : [];
      const text =
        actions.length === 0
          ? `The editor offers nothing for ${where}${input.kind === undefined ? '' : ` of the kind ${input.kind}`}.`
          : [`${actions.length} actions for ${where}`, ...rows, ...more].join('\n');
      return {
        content: [{ type: 'text', text }],
        files: [
          {
            path: absolutePath(input.path, context.roots),
            ...(input.line === undefined ? {} : { line: input.line }),
          },
        ],
        display: { kind: 'actions', count: actions.length },
      };
    },
  });
}

function rowOf({ title, kind, preferred, changes, disabled }: CodeAction): string {
  const facts = [
    ...(kind === '' ? [] : [kind]),
    ...(preferred ? ['preferred'] : []),
    ...(disabled === undefined ? [] : [`not now: ${disabled}`]),
    ...(changes === undefined && disabled === undefined
      ? ['only in the editor: it runs a command or asks the person']
      : []),
    ...(changes !== undefined && changes.length > 1 ? [`${changes.length} files`] : []),
  ];
  return `- ${title}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}
