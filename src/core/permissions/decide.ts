import type { Level, Mode, Tool, ToolCallRequest } from '../tool-call/tool-call.ts';
import type { JudgedPath, PathGuard } from './path-guard.ts';

/** What happens to a call; `judged` are the real paths it may use. */
export type Decision =
  | { readonly verdict: 'allow'; readonly judged: ReadonlyMap<string, string> }
  | {
      readonly verdict: 'ask';
      readonly judged: ReadonlyMap<string, string>;
      /** Shown with the question. */ readonly reason?: string;
    }
  | {
      readonly verdict: 'refuse';
      readonly judged: ReadonlyMap<string, string>;
      /** For the model. */ readonly reason: string;
    };

export type Verdict = Decision['verdict'];

const RANK: Record<Level, number> = { guest: 0, user: 1, admin: 2, owner: 3 };

/** True when a person of this level may use a tool of that one (A5). */
export function mayUse(level: Level, tool: Pick<Tool, 'level'>): boolean {
  return RANK[level] >= RANK[tool.level];
}

/** What a mode says about a tool that stays within the workspace. */
const BY_MODE: Record<Mode, Record<Tool['permission'], Verdict>> = {
  read: { none: 'allow', edit: 'refuse', execute: 'refuse' },
  ask: { none: 'allow', edit: 'ask', execute: 'ask' },
  plan: { none: 'allow', edit: 'refuse', execute: 'refuse' },
  edit: { none: 'allow', edit: 'allow', execute: 'ask' },
  auto: { none: 'allow', edit: 'allow', execute: 'ask' },
};

/**
 * What a mode says about a path in a special place. Nothing here is milder than what the mode says
 * about the tool; the strictest answer counts.
 */
const BY_PLACE: Record<
  Mode,
  Record<Exclude<JudgedPath['place'], 'inside'>, Record<JudgedPath['access'], Verdict>>
> = {
  read: both({ outside: ['ask', 'refuse'], config: ['allow', 'refuse'] }),
  ask: both({ outside: ['ask', 'ask'], config: ['allow', 'ask'] }),
  plan: both({ outside: ['ask', 'refuse'], config: ['allow', 'refuse'] }),
  edit: both({ outside: ['ask', 'ask'], config: ['allow', 'ask'] }),
  auto: both({ outside: ['ask', 'ask'], config: ['allow', 'ask'] }),
};

function both(
  table: Record<'outside' | 'config', readonly [Verdict, Verdict]>,
): Record<Exclude<JudgedPath['place'], 'inside'>, Record<JudgedPath['access'], Verdict>> {
  return {
    outside: { read: table.outside[0], write: table.outside[1] },
    config: { read: table.config[0], write: table.config[1] },
    secret: { read: 'ask', write: table.config[1] },
    forbidden: { read: 'refuse', write: 'refuse' },
  };
}

const STRICTNESS: Record<Verdict, number> = { allow: 0, ask: 1, refuse: 2 };

export interface DecideParts {
  readonly guard: PathGuard;
  /** Asked at each call: a person may change the mode while a run is on. */
  readonly mode: (sessionId: string) => Mode;
  readonly level: () => Level;
  /**
   * Nobody is there to ask: what would be asked about happens, but an edit outside the workspace, which
   * always needs a person's yes, is refused. Only a host without a person sets it.
   */
  readonly unattended?: boolean;
}

/** Decides whether a call runs, is asked about, or is refused; see the tables above. */
export function createDecide(
  parts: DecideParts,
): (tool: Tool, request: ToolCallRequest) => Promise<Decision> {
  return async (tool, { part, context }) => {
    const level = parts.level();
    const mode = parts.mode(context.sessionId);
    if (!mayUse(level, tool)) {
      const reason = `${tool.name} needs the level ${tool.level}, and the level here is ${level}. It was not run; say what you would have done with it.`;
      return { verdict: 'refuse', judged: new Map(), reason };
    }
    const touched = tool.touches?.(part.input, context.roots) ?? [];
    const paths = await Promise.all(
      touched.map((touch) => parts.guard.judge(touch, context.roots)),
    );
    const permission = tool.permissionFor?.(part.input) ?? tool.permission;
    const decision = combine({ name: tool.name, permission }, mode, paths);
    return parts.unattended === true ? withoutPerson(decision, paths) : decision;
  };
}

/** The strictest of what the mode says about the tool and about each path. */
function combine(
  tool: Pick<Tool, 'name' | 'permission'>,
  mode: Mode,
  paths: readonly JudgedPath[],
): Decision {
  const judged = new Map(paths.map(({ path, real }) => [path, real]));
  let verdict = BY_MODE[mode][tool.permission];
  let reason = verdict === 'refuse' ? refusedByMode(tool.name, mode) : undefined;
  for (const path of paths) {
    if (path.place === 'inside') continue;
    const own = BY_PLACE[mode][path.place][path.access];
    if (STRICTNESS[own] < STRICTNESS[verdict] || own === 'allow' || verdict === 'refuse') continue;
    verdict = own;
    reason = own === 'refuse' ? refusedPath(path) : reasonToAsk(path);
  }
  if (verdict === 'refuse')
    return { verdict, judged, reason: reason ?? refusedByMode(tool.name, mode) };
  if (verdict === 'ask') return { verdict, judged, ...(reason === undefined ? {} : { reason }) };
  return { verdict, judged };
}

function withoutPerson(decision: Decision, paths: readonly JudgedPath[]): Decision {
  if (decision.verdict !== 'ask') return decision;
  const { judged } = decision;
  const away = paths.find(({ place, access }) => place === 'outside' && access === 'write');
  if (away === undefined) return { verdict: 'allow', judged };
  return { verdict: 'refuse', judged, reason: refusedPath(away) };
}

function refusedByMode(name: string, mode: Mode): string {
  return `${name} was not run: the permission mode is "${mode}", which allows reading and searching only. Say what you would change; the person can choose another mode in the panel.`;
}

function refusedPath({ path, place, why }: JudgedPath): string {
  if (place === 'outside')
    return `${path} lies outside the workspace, and in this permission mode nothing may be changed there. Work inside the workspace, or ask the person to add the folder to it.`;
  return `${path} may not be used by a tool: ${why ?? 'it is protected'}. Go another way.`;
}

function reasonToAsk({ path, real, place, why }: JudgedPath): string {
  const name = real === path ? path : `${path} (really ${real})`;
  return place === 'outside'
    ? `${name} lies outside the workspace.`
    : `Look closely: ${why ?? 'this file is protected'}.`;
}
