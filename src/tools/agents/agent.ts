import * as z from 'zod/mini';
import { MAX_LEFT_NAMED, reportText } from '../../core/agents/child-report.ts';
import type { ChildKind } from '../../core/agents/child.ts';
import type { Tool, ToolContext } from '../../core/tool-call/tool-call.ts';
import { cleanText } from '../../domain/text/honest-text.ts';
import { type DisplayedOutput, defineTool } from '../define-tool.ts';
import type { ToolParts } from '../tool-parts.ts';
import { type AgentDisplay, agentFace, writeAgentFace } from './agent-face.ts';

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

/** Delegates reading. */
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
    run: async (input, context) => delegate(agents, 'research', input, context),
  });
}

/** Delegates changes, which are made in a working copy and arrive as pending ones. */
export function writeAgentTool({ records: { agents }, settings }: ToolParts): Tool {
  return defineTool(writeAgentFace, {
    description:
      'Gives a task to a sub-agent that changes files in a git worktree of its own. What it changed arrives in the workspace, with its report.',
    schema,
    sideEffects: true,
    resumes: true,
    asksLater: true,
    level: 'user',
    module: 'agents',
    permission: 'edit',
    timeoutMs: Infinity,
    available: () =>
      agents?.writes === true && settings('agents.depth') > 0 && settings('agents.writers'),
    run: async (input, context) => delegate(agents, 'write', input, context),
  });
}

async function delegate(
  agents: ToolParts['records']['agents'],
  kind: ChildKind,
  { title, task }: z.output<typeof schema>,
  context: ToolContext,
): Promise<DisplayedOutput<AgentDisplay>> {
  if (agents === undefined) throw new Error('There are no sub-agents here.');
  const named = cleanText(title).replaceAll(/\s+/gu, ' ').trim();
  const report = await agents.work({ title: named, task, kind }, context);
  const { session, end, stranger, delivered } = report;
  const left = delivered?.left ?? [];
  return {
    content: [{ type: 'text', text: reportText(report) }],
    isError: end.reason !== 'done',
    ...(delivered === undefined ? {} : { files: delivered.arrived.map((path) => ({ path })) }),
    display: {
      kind: 'agent',
      session: report.child.id,
      end: end.reason,
      messages: session?.messageCount ?? 0,
      tokens: (session?.inputTokens ?? 0) + (session?.outputTokens ?? 0),
      cost: session?.cost ?? 0,
      left: left.slice(0, MAX_LEFT_NAMED),
      more: Math.max(0, left.length - MAX_LEFT_NAMED),
      ...(stranger === undefined ? {} : { stranger }),
    },
  };
}
