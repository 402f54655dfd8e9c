import * as z from 'zod/mini';
import { BelayError } from '../domain/failure.ts';
import type { Tool, ToolContext } from '../core/tool-call/tool-call.ts';
import { defineTool } from './define-tool.ts';
import { gathered, PATH_NAMES, renamed } from './other-spellings.ts';
import { editedText } from './plan-edit.ts';
import { acceptedText, previewOf, requireRead, targetOf, writeEdit } from './propose-edit.ts';
import type { Target } from './propose-edit.ts';
import type { ToolParts } from './tool-parts.ts';
import { absolutePath } from './workspace-path.ts';

const schema = z.strictObject({
  path: z.string().check(z.minLength(1)),
  edits: z
    .array(
      z.strictObject({
        old_string: z
          .string()
          .check(
            z.describe(
              'text as it is in the file, without line numbers, with enough around it to be unique',
            ),
          ),
        new_string: z.string(),
        replace_all: z.optional(z.boolean()),
      }),
    )
    .check(
      z.minLength(1),
      z.maxLength(200),
      z.describe(
        'applied in order, all or none, e.g. [{"old_string": "a = 1", "new_string": "a = 2"}]',
      ),
    ),
});

const OTHER_NAMES = {
  ...PATH_NAMES,
  old_str: 'old_string',
  new_str: 'new_string',
  old_text: 'old_string',
  new_text: 'new_string',
  oldString: 'old_string',
  newString: 'new_string',
};

type Input = z.output<typeof schema>;

export function editFileTool(parts: ToolParts): Tool {
  return defineTool({
    name: 'edit_file',
    description:
      'Replaces text in a file that you have read. Put all changes to a file into one call. Nothing is written unless every edit fits exactly one place (or has replace_all).',
    schema,
    accept: (input) =>
      gathered(renamed(input, OTHER_NAMES), ['old_string', 'new_string', 'replace_all'], 'edits'),
    sideEffects: true,
    level: 'user',
    module: 'edit',
    permission: 'edit',
    touches: ({ path, edits }, roots) => [
      {
        path: absolutePath(path, roots),
        access: 'write',
        text: edits.map(({ new_string }) => new_string).join('\n'),
      },
    ],
    preview: async (input, context) => {
      const target = await editable(parts, input, context);
      return previewOf(target, editedText(target.present.text, input.edits, target.shown));
    },
    run: async (input, context) => {
      const target = await targetOf(parts, input.path, context);
      const accepted = acceptedText(target, context);
      if (accepted !== undefined) return writeEdit(parts, target, accepted, context);
      const fresh = await editable(parts, input, context);
      return writeEdit(
        parts,
        fresh,
        editedText(fresh.present.text, input.edits, fresh.shown),
        context,
      );
    },
  });
}

async function editable(
  parts: ToolParts,
  { path }: Input,
  context: ToolContext,
): Promise<Target & Required<Pick<Target, 'present'>>> {
  const target = await targetOf(parts, path, context);
  const { present } = target;
  if (present === undefined) {
    throw new BelayError({
      code: 'not_found',
      message: `${target.shown} does not exist. Use write_file to create it, or find_files to look for it.`,
    });
  }
  requireRead(parts, target, context.sessionId);
  return { ...target, present };
}
