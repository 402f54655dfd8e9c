import { told } from '../domain/text/told.ts';
import * as z from 'zod/mini';
import { fault } from '../domain/failure.ts';
import type { Tool } from '../core/tool-call/tool-call.ts';
import { defineTool } from './define-tool.ts';
import { readResultFace } from './read-result-face.ts';
import type { ToolParts } from './tool-parts.ts';

/** Characters of a page that its own first and last lines take. */
const FRAME = 300;

const schema = z.strictObject({
  result_id: z.string().check(z.minLength(1)),
  offset: z.optional(z.int().check(z.gte(0), z.describe('characters; default 0'))),
  length: z.optional(z.int().check(z.gte(1))),
});

export function readResultTool(parts: ToolParts): Tool {
  return defineTool(readResultFace, {
    description: 'Pages through a result that was too long to be shown whole.',
    schema,
    sideEffects: false,
    level: 'guest',
    module: 'files',
    permission: 'none',
    run: async ({ result_id, offset = 0, length }, context) => {
      const most = parts.settings('advanced.maxToolResultChars') - FRAME;
      const page = await parts.commands.blobs.result(
        context.sessionId,
        result_id,
        offset,
        Math.min(length ?? most, most),
      );
      if (page === undefined) {
        const message = told`There is no result ${JSON.stringify(result_id)} in this session. Use the result_id that the notice in the cut result names, or run the tool again.`;
        throw fault('not_found', message);
      }
      const { text, total } = page;
      if (text === '')
        throw fault(
          'invalid',
          told`The result ${result_id} has ${String(total)} characters; there is nothing at offset ${String(offset)}.`,
        );
      const end = offset + text.length;
      const rest =
        end < total
          ? `\n[The next page begins at offset ${end}.]`
          : '\n[This is the end of the result.]';
      return {
        content: [
          {
            type: 'text',
            text: `[Characters ${offset} to ${end} of ${total} of ${result_id}]\n${text}${rest}`,
          },
        ],
        display: { kind: 'page', resultId: result_id, offset, length: text.length, total },
      };
    },
  });
}
