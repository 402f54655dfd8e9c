import * as z from 'zod/mini';
import type { Tool } from '../core/tool-call/tool-call.ts';
import { makeVisible } from '../core/tool-call/text-hygiene.ts';
import { defineTool } from './define-tool.ts';
import type { ToolParts } from './tool-parts.ts';

const schema = z.strictObject({
  question: z.string().check(z.minLength(1)),
  choices: z.optional(
    z
      .array(z.string())
      .check(z.maxLength(8), z.describe('offered as buttons; they may answer freely as well')),
  ),
});

export function askHumanTool(parts: ToolParts): Tool {
  return defineTool({
    name: 'ask_human',
    description:
      'Asks the person a question and waits for the answer. Only for what they alone can decide.',
    schema,
    sideEffects: false,
    level: 'guest',
    module: 'human',
    permission: 'none',
    timeoutMs: Infinity,
    run: async ({ question, choices = [] }, context) => {
      const id = parts.ids.next('question');
      const asked = { question: makeVisible(question), choices: choices.map(makeVisible) };
      const { sessionId, runId, callId } = context;
      context.emit({ type: 'agent_run.waiting', for: 'question', questionId: id });
      let answer: string;
      try {
        answer = await parts.human.ask({ id, sessionId, runId, callId, ...asked }, context.signal);
      } finally {
        context.emit({ type: 'agent_run.answered', questionId: id });
      }
      const text = answer.trim() === '' ? '[The person gave an empty answer.]' : answer;
      return { content: [{ type: 'text', text }], display: { kind: 'answer', ...asked, answer } };
    },
  });
}
