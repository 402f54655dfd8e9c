import { inEnglish, joined, told } from '../../domain/text/told.ts';
import * as z from 'zod/mini';
import type { Tool } from '../../core/tool-call/tool-call.ts';
import { fault } from '../../domain/failure.ts';
import { defineTool } from '../define-tool.ts';
import { editNotebookFace } from './edit-notebook-face.ts';
import { editCells } from './edit-cells.ts';
import { editing, fileEdit } from '../editing/file-edit.ts';
import { gathered, PATH_NAMES, renamed } from '../other-spellings.ts';
import type { EditedText, EditPlan } from '../editing/edit-plan.ts';
import type { ToolParts } from '../tool-parts.ts';
import { absolutePath } from '../workspace-path.ts';

const schema = z.strictObject({
  path: z.string().check(z.minLength(1)),
  edits: z
    .array(
      z.strictObject({
        action: z.enum(['replace', 'insert', 'delete']),
        cell: z
          .int()
          .check(
            z.gte(0),
            z.describe('number as read_file shows it; insert: behind it, 0 at the start'),
          ),
        type: z.optional(z.enum(['code', 'markdown', 'raw'])),
        source: z.optional(z.string().check(z.describe('the whole new source'))),
      }),
    )
    .check(
      z.minLength(1),
      z.maxLength(100),
      z.describe('e.g. [{"action":"replace","cell":2,"source":"print(1)"}]'),
    ),
});

type Input = z.output<typeof schema>;

export function editNotebookTool(parts: ToolParts): Tool {
  return defineTool(editNotebookFace, {
    description:
      'Replaces, inserts and deletes cells of a Jupyter notebook that you have read, or changes their type. Ids, metadata and outputs stay. Cell numbers are those before the call.',
    schema,
    accept: (input) =>
      gathered(
        renamed(input, { ...PATH_NAMES, notebook_path: 'path', cell_number: 'cell' }),
        ['action', 'cell', 'type', 'source'],
        'edits',
      ),
    rare: true,
    module: 'notebook',
    available: async () =>
      parts.readState.hasRead(/\.ipynb$/iu) || ((await parts.disk.hasNotebooks?.()) ?? false),
    touches: ({ path, edits }, roots) => [
      {
        path: absolutePath(path, roots),
        access: 'write',
        text: edits.map(({ source = '' }) => source).join('\n'),
      },
    ],
    ...fileEdit(parts, editing(edited, 'find_files looks for it by name.'), requireJson),
  });
}

function edited(text: string, { edits }: Input, shown: string): EditedText {
  const result = editCells(text, edits);
  if (result === undefined) {
    const message = told`${shown} is not a notebook of a form that is known (nbformat 4). Nothing was written; edit_file can change it as text.`;
    throw fault('invalid', message);
  }
  const { problems } = result;
  if (problems.length === edits.length) {
    throw fault('invalid', told`Nothing was written to ${shown}. ${joined(problems, '\n')}`);
  }
  const made = `${edits.length - problems.length} of ${edits.length} edits were made.`;
  return {
    text: result.text,
    notes: problems.length === 0 ? [] : [made, ...problems.map(inEnglish)],
    left: problems.length,
  };
}

/** A merge of lines, or the user's change of the edit, may leave a text that no program reads. */
function requireJson({ after }: EditPlan, shown: string): void {
  try {
    JSON.parse(after);
  } catch (thrown) {
    throw fault(
      'invalid',
      told`${shown} would not be a notebook any more: the result is no JSON. Nothing was written. Read it again, then edit it.`,
      { cause: thrown },
    );
  }
}
