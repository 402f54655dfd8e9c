import { told } from '../../domain/text/told.ts';
import * as z from 'zod/mini';
import { fault } from '../../domain/failure.ts';
import type { Tool, ToolContext } from '../../core/tool-call/tool-call.ts';
import { defineTool } from '../define-tool.ts';
import { writeFileFace } from './write-file-face.ts';
import { fileEdit } from './file-edit.ts';
import { PATH_NAMES, renamed } from '../other-spellings.ts';
import { type EditPlan, type Target, planFileEdit } from './edit-plan.ts';
import type { ToolParts } from '../tool-parts.ts';
import { absolutePath } from '../workspace-path.ts';

const schema = z.strictObject({
  path: z.string().check(z.minLength(1)),
  content: z.string().check(z.describe('the whole content')),
});

type Input = z.output<typeof schema>;

export function writeFileTool(parts: ToolParts): Tool {
  return defineTool(writeFileFace, {
    description:
      'Creates a file, with its folders, or replaces all of one that you have read. For changes to a file use edit_file.',
    schema,
    accept: (input) => renamed(input, { ...PATH_NAMES, contents: 'content', text: 'content' }),
    module: 'edit',
    touches: ({ path, content }, roots) => [
      { path: absolutePath(path, roots), access: 'write', text: content },
    ],
    ...fileEdit(parts, plan),
  });
}

async function plan(
  parts: ToolParts,
  target: Target,
  { content }: Input,
  { sessionId }: ToolContext,
): Promise<EditPlan> {
  if (target.present?.text === contentFor(target, content)) {
    throw fault('invalid', told`${target.shown} has this content already. Nothing was written.`);
  }
  return planFileEdit(parts, target, sessionId, () => ({ text: contentFor(target, content) }));
}

/** A file whose lines all end with CR LF keeps them, whatever the model wrote. */
function contentFor({ present }: Target, content: string): string {
  const crlf =
    present !== undefined && present.text.includes('\r\n') && !/(?:^|[^\r])\n/u.test(present.text);
  return crlf ? content.replaceAll(/\r?\n/gu, '\r\n') : content;
}
