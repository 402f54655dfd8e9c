import type { Child } from '../core/agents/child.ts';
import { Children } from '../core/agents/children.ts';
import type { DeliveryPorts } from '../core/agents/deliver-changes.ts';
import type { SubAgents } from '../core/agents/sub-agents.ts';
import { capsOf } from '../core/budget/caps.ts';
import { taskPrompt } from '../core/context/prompt/task-prompt.ts';
import type { Instructions } from '../core/context/prompt/instructions.ts';
import { delegatedTools } from '../core/permissions/delegation.ts';
import { budgetShare, shareOf } from '../core/policies/budget-share.ts';
import type { Policy } from '../core/policy.ts';
import { FIND_TOOL } from '../core/tool-call/find-tool.ts';
import type { Tool } from '../core/tool-call/tool-call.ts';
import { USE_TOOL, withUseTool } from '../core/tool-call/use-tool.ts';
import { lazyMethods } from '../domain/lazy.ts';
import type { Settings } from '../domain/settings/settings.ts';
import type { EngineBase } from './base.ts';
import type { EngineHost } from './engine-host.ts';

/** Who delegates, and to whom. */
export interface AgentsKit {
  /** Some can change files. */
  readonly writes: boolean;
  readonly children: Children;
  readonly agents: Pick<SubAgents, 'work'>;
}

/** Sub-agents (B13); their code is loaded with the first task. */
export function composeAgents(
  { settings, clock, person, tools }: EngineHost,
  { agent, registry, store, broker, catalog }: EngineBase,
  writes: () => Omit<DeliveryPorts, 'reviewed'>,
): AgentsKit {
  const { values, transcripts, recorder, ids } = store;
  const { worktrees } = tools;
  const children = new Children(values, transcripts);
  const agents = lazyMethods(async () => {
    const { SubAgents: Agents } = await import('../core/agents/sub-agents.ts');
    return new Agents({
      agent,
      sessions: registry,
      children,
      transcripts,
      recorder,
      broker,
      ids,
      values,
      ...(worktrees === undefined
        ? {}
        : {
            writing: () => ({ ...writes(), worktrees, reviewed: person.reviewed === true }),
          }),
      now: () => clock.now(),
      rights: (sessionId, roots) => ({
        mode: registry.optionsOf(sessionId).mode,
        level: person.level(),
        roots,
        depth: settings('agents.depth'),
      }),
      model: (parent) => catalog.lookup(settings('model.taskModel') || parent).id,
    });
  });
  return { children, agents, writes: worktrees !== undefined };
}

/** Tools for a conversation with the person, or for what outlives a task. */
const OF_CONVERSATIONS = new Set([
  'ask_human',
  'todo',
  'remember',
  'recall',
  'forget',
  'background_command',
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
  const limit = settings('agents.timeLimit');
  const own: Partial<Record<string, number>> = {
    'loop.softTimeLimit': LAST_WORDS * limit,
    'loop.hardTimeLimit': limit,
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
