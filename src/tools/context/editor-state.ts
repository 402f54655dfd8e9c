import type { Tool } from '../../core/tool-call/tool-call.ts';

/** Tells another agent what the person has before them: open editors, the selection, problems of the file in front. */
export function editorStateTool(state: () => Promise<string>): Tool {
  return {
    name: 'editor_state',
    description:
      'The open editors, the active one first, the selected text, and the problems of the file in front, in the window of VS Code.',
    inputSchema: { type: 'object', properties: {} },
    sideEffects: false,
    level: 'guest',
    module: 'context',
    permission: 'none',
    check: () => ({ input: {} }),
    run: async () => ({ content: [{ type: 'text', text: await state() }] }),
  };
}
