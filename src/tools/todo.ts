import * as z from 'zod/mini';
import type { Tool } from '../core/tool-call/tool-call.ts';
import { makeVisible } from '../domain/text/honest-text.ts';
import { type TodoItem, MOST_TODOS, TODO_LENGTH, TODO_STATUSES } from '../domain/session/todo.ts';
import { defineTool } from './define-tool.ts';
import { todoFace } from './todo-face.ts';
import type { ToolParts } from './tool-parts.ts';

const schema = z.strictObject({
  items: z
    .array(
      z.strictObject({
        text: z.string().check(z.minLength(1), z.maxLength(TODO_LENGTH)),
        status: z.enum(TODO_STATUSES),
      }),
    )
    .check(
      z.maxLength(MOST_TODOS),
      z.describe('the whole list, one item active: [{"text":"Find the cause","status":"active"}]'),
    ),
});

export function todoTool(parts: ToolParts): Tool {
  return defineTool(todoFace, {
    description:
      'Keeps the list of steps that the person sees and may edit. For work of several steps: send the whole list at the start and after each step.',
    schema,
    rare: true,
    // A second writing of the same list changes nothing.
    sideEffects: false,
    level: 'guest',
    module: 'human',
    permission: 'none',
    run: async ({ items }, { sessionId, runId }) => {
      const shown = items.map(({ text, status }) => ({ text: makeVisible(text), status }));
      const written = await parts.records.todos.writeByModel(sessionId, runId, shown);
      const done = written.items.filter(({ status }) => status === 'done').length;
      const list = listText(written.items);
      const text = written.kept
        ? list
        : `Not written: the person has changed the list since you last saw it. Theirs is below; send yours again with their changes in it.\n${list}`;
      return {
        content: [{ type: 'text', text }],
        ...(written.kept ? {} : { isError: true }),
        display: { kind: 'todo', done, total: written.items.length },
      };
    },
  });
}

const MARK = { open: '[ ]', active: '[>]', done: '[x]' } as const;

const listText = (items: readonly TodoItem[]): string =>
  items.length === 0
    ? 'The list is empty.'
    : items.map(({ text, status }) => `${MARK[status]} ${text}`).join('\n');
