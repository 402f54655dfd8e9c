import { Children } from '../../core/agents/children.ts';
import type { DeliveryPorts } from '../../core/agents/deliver-changes.ts';
import { SubAgents } from '../../core/agents/sub-agents.ts';
import type { EngineBase } from '../base.ts';
import type { EngineHost } from '../engine-host.ts';

/** Who delegates, and to whom. */
export interface AgentsKit {
  /** Some can change files. */
  readonly writes: boolean;
  readonly children: Children;
  readonly agents: Pick<SubAgents, 'work'>;
  /** Removes working copies without changes of runs that were given up. Never rejects. */
  readonly settleLeft: (roots: readonly string[]) => Promise<void>;
}

/** Composes sub-agents (B13). */
export function composeAgents(
  { settings, clock, log, person, tools }: EngineHost,
  { agent, registry, store, broker, catalog }: EngineBase,
  writes: () => DeliveryPorts,
): AgentsKit {
  const { values, transcripts, recorder, ids, runs } = store;
  const { worktrees } = tools;
  const children = new Children(values, transcripts);
  const agents = new SubAgents({
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
          writing: () => ({ ...writes(), worktrees, runs, log }),
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
  const settleLeft = async (roots: readonly string[]): Promise<void> => {
    try {
      const copies = (await worktrees?.list()) ?? [];
      if (copies.length > 0) await agents.settleLeft(roots, copies);
    } catch (error) {
      log.warn('Working copies that a crash left could not be looked for.', {
        reason: String(error),
      });
    }
  };
  return { children, agents, settleLeft, writes: worktrees !== undefined };
}
