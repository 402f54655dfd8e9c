import * as z from 'zod/mini';
import type { Tool } from '../../core/tool-call/tool-call.ts';
import { defineTool } from '../define-tool.ts';
import { editFileFace } from './edit-file-face.ts';
import { editing, fileEdit } from './file-edit.ts';
import { gathered, PATH_NAMES, renamed } from '../other-spellings.ts';
import { applyEdits } from './apply-edits.ts';
import type { ToolParts } from '../tool-parts.ts';
import { absolutePath } from '../workspace-path.ts';

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
        'in order; those that do not fit are left out and named, e.g. [{"old_string": "a = 1", "new_string": "a = 2"}]',
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
  return defineTool(editFileFace, {
    description:
      'Replaces text in a file that you have read. Put all changes to a file into one call. An edit must fit exactly one place (or have replace_all). What the person changed meanwhile is kept.',
    schema,
    accept: (input) =>
      gathered(renamed(input, OTHER_NAMES), ['old_string', 'new_string', 'replace_all'], 'edits'),
    module: 'edit',
    touches: ({ path, edits }, roots) => [
      {
        path: absolutePath(path, roots),
        access: 'write',
        text: edits.map(({ new_string }) => new_string).join('\n'),
      },
    ],
    ...fileEdit(
      parts,
      editing<Input>(
        (text, { edits }, shown) => applyEdits(text, edits, shown),
        'Use write_file to create it, or find_files to look for it.',
      ),
    ),
  });
}
