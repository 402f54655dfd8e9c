import type { Child } from '../../core/agents/child.ts';
import type { Children } from '../../core/agents/children.ts';
import { capsOf } from '../../core/budget/caps.ts';
import { taskPrompt } from '../../core/context/prompt/task-prompt.ts';
import type { Instructions } from '../../core/context/prompt/instructions.ts';
import { delegatedTools } from '../../core/permissions/delegation.ts';
import { budgetShare, shareOf } from '../../core/policies/budget-share.ts';
import type { Policy } from '../../core/policy.ts';
import { FIND_TOOL } from '../../core/tool-call/find-tool.ts';
import type { Tool } from '../../core/tool-call/tool-call.ts';
import { USE_TOOL, withUseTool } from '../../core/tool-call/use-tool.ts';
import type { Settings } from '../../domain/settings/settings.ts';

/** Tools for a conversation with the person, or for what outlives a task. */
const OF_CONVERSATIONS = new Set([
  'ask_human',
  'todo',
  'remember',
  'recall',
  'forget',
  'background_command',
  'change_settings',
  'read_skill',
]);

/** The tools of a child, of those that the session at the top is offered: fewer with each level. */
export function childTools(
  offered: readonly Tool[],
  { kind, rights }: Child,
  settings: Settings,
): readonly Tool[] {
  const isLeaf = rights.depth === 0;
  const denied = new Set([
    ...settings('agents.deniedTools'),
    ...(isLeaf ? ['agent', 'write_agent', ...settings('agents.deniedToolsOfLeaves')] : []),
    USE_TOOL,
    FIND_TOOL,
  ]);
  const own = delegatedTools(offered, rights).filter(
    ({ name, sideEffects }) =>
      !denied.has(name) && !OF_CONVERSATIONS.has(name) && (kind === 'write' || !sideEffects),
  );
  return withUseTool(own);
}

/** The time of a child in place of a run's. */
const LAST_WORDS = 0.8;

export function childSettings(settings: Settings): Settings {
  const limit = settings('advanced.subAgentTimeLimitSeconds');
  const own: Partial<Record<string, number>> = {
    'advanced.softTimeLimitSeconds': LAST_WORDS * limit,
    'advanced.hardTimeLimitSeconds': limit,
  };
  return ((key) => own[key] ?? settings(key)) as Settings;
}

/** Ends a child that has used its share of the budget. */
export const childPolicies = (
  settings: Settings,
  child: Child,
  children: Pick<Children, 'used'>,
): readonly Policy[] =>
  [
    budgetShare(shareOf(capsOf(settings), settings('agents.budgetShare')), () =>
      children.used(child.id),
    ),
  ] as readonly Policy[];

/** Files of instructions for a child; others are for the conversation. */
export const CHILD_INSTRUCTIONS: readonly string[] = ['AGENTS.md', 'TOOLS.md'];

export const childPrompt = ({ kind }: Child, { text }: Instructions): readonly string[] =>
  text === '' ? [taskPrompt(kind)] : [taskPrompt(kind), text];
