import * as z from 'zod/mini';
import { reportText } from '../../core/agents/child-report.ts';
import type { Tool } from '../../core/tool-call/tool-call.ts';
import { cleanText } from '../../domain/text/honest-text.ts';
import { defineTool } from '../define-tool.ts';
import type { ToolParts } from '../tool-parts.ts';
import { agentFace } from './agent-face.ts';

const schema = z.strictObject({
  title: z.string().check(z.minLength(1), z.maxLength(80), z.describe('3 to 6 words')),
  task: z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(100_000),
      z.describe('all it must know; it sees nothing else'),
    ),
});

export function agentTool({ records: { agents }, settings }: ToolParts): Tool {
  return defineTool(agentFace, {
    description:
      'Gives a task to a sub-agent, which reads and searches by itself and answers with a report. For questions that need many files; several in one turn work at the same time.',
    schema,
    sideEffects: false,
    resumes: true,
    level: 'user',
    module: 'agents',
    permission: 'none',
    timeoutMs: Infinity,
    available: () => agents !== undefined && settings('agents.depth') > 0,
    run: async ({ title, task }, context) => {
      if (agents === undefined) throw new Error('There are no sub-agents here.');
      const order = {
        title: cleanText(title).replaceAll(/\s+/gu, ' ').trim(),
        task,
        kind: 'research',
      } as const;
      const report = await agents.work(order, context);
      const { session, end, stranger } = report;
      return {
        content: [{ type: 'text', text: reportText(report) }],
        isError: end.reason !== 'done',
        display: {
          kind: 'agent' as const,
          session: report.child.id,
          end: end.reason,
          messages: session?.messageCount ?? 0,
          tokens: (session?.inputTokens ?? 0) + (session?.outputTokens ?? 0),
          cost: session?.cost ?? 0,
          ...(stranger === undefined ? {} : { stranger }),
        },
      };
    },
  });
}
