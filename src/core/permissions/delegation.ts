import type { Level, Mode, Tool } from '../tool-call/tool-call.ts';

export interface Rights {
  readonly mode: Mode;
  readonly level: Level;
  /** Names of the tools it is offered; absent: all that the level and the mode have. */
  readonly tools?: readonly string[];
  /** Folders it works in, absolute. */
  readonly roots: readonly string[];
  /** Levels of sessions that it may still delegate to. */
  readonly depth: number;
}

const LEVELS: readonly Level[] = ['guest', 'user', 'admin', 'owner'];
/** By what happens without a question; `plan` and `read` change nothing at all. */
const MODES: readonly Mode[] = ['read', 'plan', 'ask', 'edit', 'auto'];

/** The rights of a delegated session: what was asked for it, as far as its parent has it (B13). */
export function delegatedRights(parent: Rights, asked: Partial<Rights>): Rights {
  const tools = narrower(parent.tools, asked.tools);
  return {
    mode: lower(MODES, parent.mode, asked.mode),
    level: lower(LEVELS, parent.level, asked.level),
    roots: (asked.roots ?? parent.roots).filter((root) =>
      parent.roots.some((own) => root === own || root.startsWith(`${own.replace(/\/$/u, '')}/`)),
    ),
    depth: Math.max(0, Math.min(parent.depth - 1, asked.depth ?? Number.POSITIVE_INFINITY)),
    ...(tools === undefined ? {} : { tools }),
  };
}

/** The tools of a list that a session with these rights is offered. */
export function delegatedTools<Offered extends Pick<Tool, 'name' | 'level' | 'permission'>>(
  offered: readonly Offered[],
  { mode, level, tools }: Rights,
): readonly Offered[] {
  const reads = mode === 'read' || mode === 'plan';
  return offered.filter(
    (tool) =>
      (tools === undefined || tools.includes(tool.name)) &&
      LEVELS.indexOf(level) >= LEVELS.indexOf(tool.level) &&
      (!reads || tool.permission === 'none'),
  );
}

/** The one of two modes that allows less without a question. */
export const lowerMode = (own: Mode, asked: Mode): Mode => lower(MODES, own, asked);

function lower<Step>(order: readonly Step[], own: Step, asked: Step | undefined): Step {
  if (asked === undefined) return own;
  const index = order.indexOf(asked);
  return index === -1 || index > order.indexOf(own) ? own : asked;
}

function narrower(
  own: readonly string[] | undefined,
  asked: readonly string[] | undefined,
): readonly string[] | undefined {
  if (own === undefined || asked === undefined) return own ?? asked;
  return asked.filter((name) => own.includes(name));
}
