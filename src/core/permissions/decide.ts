import type { KnownRule } from '../../domain/permission-rule.ts';
import { ruleText } from '../../domain/permission-rule.ts';
import type { CommandLine, Level, Mode, Tool, ToolCallRequest } from '../tool-call/tool-call.ts';
import { concernsOf } from './concerns.ts';
import { STRICTNESS } from './decision.ts';
import type { Concern, Decision } from './decision.ts';
import type { PathGuard } from './path-guard.ts';
import { hostsOf } from './rules/call-parts.ts';
import type { CallParts, JudgedLine } from './rules/call-parts.ts';
import { allowedBy, caughtBy } from './rules/match.ts';

export type { Decision, Verdict } from './decision.ts';

const RANK: Record<Level, number> = { guest: 0, user: 1, admin: 2, owner: 3 };

/** True when a person of this level may use a tool of that one (A5). */
export function mayUse(level: Level, tool: Pick<Tool, 'level'>): boolean {
  return RANK[level] >= RANK[tool.level];
}

/** Judges a command line; the words of its programs are there when it is fully understood. */
export type JudgeLine = (
  line: CommandLine,
  roots: readonly string[],
) => Promise<Omit<JudgedLine, 'text' | 'cwd'>>;

export interface DecideParts {
  readonly guard: PathGuard;
  /** Asked at each call: a person may change the mode while a run is on. */
  readonly mode: (sessionId: string) => Mode;
  readonly level: () => Level;
  /** Absent: no command is known to be harmless, and none is understood. */
  readonly judgeLine?: JudgeLine;
  /** The rules in force, asked at each call. Absent: none. */
  readonly rules?: (sessionId: string, roots: readonly string[]) => Promise<readonly KnownRule[]>;
  /** The person's home folder, for rules about paths below it. */
  readonly home?: string;
  /**
   * Nobody is there to ask: what mode Auto would ask about happens, but an edit outside the workspace, which
   * always needs a person's yes, is refused. Only a host without a person sets it.
   */
  readonly unattended?: boolean;
}

/** Decides about one call; also asked what would happen to a call that nobody makes. */
export type DecideCall = (tool: Tool, request: DecideRequest) => Promise<Decision>;

/** What a decision needs to know of a call. */
export interface DecideRequest {
  readonly part: ToolCallRequest['part'];
  readonly context: Pick<ToolCallRequest['context'], 'sessionId' | 'roots'>;
}

/**
 * Decides whether a call runs, is asked about, or is refused. Every part of it is judged by itself – the
 * tool, each path, each program of a command, each host –, and the strictest answer counts. A rule may
 * make any of them stricter; it allows only what would be asked about, and never configuration that is
 * run, nor what the mode or a guard refuses.
 */
export function createDecide(parts: DecideParts): DecideCall {
  return async (tool, { part, context }) => {
    const level = parts.level();
    const mode = parts.mode(context.sessionId);
    if (!mayUse(level, tool)) {
      const reason = `${tool.name} needs the level ${tool.level}, and the level here is ${level}. It was not run; say what you would have done with it.`;
      return { verdict: 'refuse', judged: new Map(), reason };
    }
    const exception = tool.exception?.(part.input);
    if (exception !== undefined && !mayUse(level, { level: 'admin' })) {
      const reason = `This exception needs the level admin, and the level here is ${level}. ${tool.name} was not run; go on without it, or tell the person what they would have to run.`;
      return { verdict: 'refuse', judged: new Map(), reason };
    }
    const call = await callParts(tool, { part, context }, parts);
    const judged = new Map(call.paths.map(({ path, real }) => [path, real]));
    const rules = (await parts.rules?.(context.sessionId, context.roots)) ?? [];
    const concerns = concernsOf(call, mode, level).map((concern) =>
      withRules(concern, call, rules, mode, parts.home),
    );
    const caught = caughtBy(rules, call, parts.home);
    if (caught !== undefined) concerns.push(concernOf(caught, tool.name));
    if (exception !== undefined) concerns.push(exceptionOf(exception, tool.name));
    const alone = parts.unattended === true && mode === 'auto';
    const away = alone ? unattended(concerns) : concerns;
    return strictest(away, call, judged);
  };
}

async function callParts(
  tool: Tool,
  { part: { input }, context: { roots } }: DecideRequest,
  { guard, judgeLine }: DecideParts,
): Promise<CallParts> {
  const touched = tool.touches?.(input, roots) ?? [];
  const commands = tool.commands?.(input, roots) ?? [];
  const [paths, lines, folders] = await Promise.all([
    Promise.all(touched.map(async (touch) => guard.judge(touch, roots))),
    Promise.all(
      commands.map(async (line): Promise<JudgedLine> => {
        const { real } = await guard.judge({ path: line.cwd, access: 'read' }, roots);
        const place = { text: line.command, cwd: real };
        const judged = await judgeLine?.({ command: line.command, cwd: real }, roots);
        return judged === undefined ? { ...place, verdict: 'ask' } : { ...place, ...judged };
      }),
    ),
    Promise.all(
      roots.map(async (path) => (await guard.judge({ path, access: 'read' }, roots)).real),
    ),
  ]);
  const permission = tool.permissionFor?.(input) ?? tool.permission;
  return {
    tool: { ...named(tool), permission },
    roots: folders,
    paths,
    lines,
    hosts: hostsOf(tool.urls?.(input) ?? []),
  };
}

/** A concern that would be asked about, as the rules have it. */
function withRules(
  concern: Concern,
  call: CallParts,
  rules: readonly KnownRule[],
  mode: Mode,
  home: string | undefined,
): Concern {
  if (concern.verdict !== 'ask' || concern.unit === undefined) return concern;
  const rule = allowedBy(rules, concern.unit, call, {
    wholeTools: mode === 'auto',
    ...(home === undefined ? {} : { home }),
  });
  return rule === undefined ? concern : { verdict: 'allow', rule };
}

function concernOf(rule: KnownRule, tool: string): Concern {
  const said = `${ruleText(rule.rule)} (${rule.source})`;
  return rule.rule.effect === 'deny'
    ? {
        verdict: 'refuse',
        rule,
        reason: `${tool} was not run: a rule of the person forbids it: “${said}”. Do not get the same effect by other means; say what you need it for.`,
      }
    : { verdict: 'ask', rule, reason: `A rule says: ${said}.` };
}

/** No rule allows it, no yes to it is kept, and where nobody is it does not happen. */
function exceptionOf(reason: string, tool: string): Concern {
  const unattended = `${tool} was not run: only a person may allow this exception, and nobody is there. ${reason}`;
  return { verdict: 'ask', reason, unattended };
}

function unattended(concerns: readonly Concern[]): readonly Concern[] {
  return concerns.map((concern) => {
    // What a rule wants to be asked about waits for a person.
    if (concern.verdict !== 'ask' || concern.rule !== undefined) return concern;
    return concern.unattended === undefined
      ? { verdict: 'allow' }
      : { verdict: 'refuse', reason: concern.unattended };
  });
}

function strictest(
  concerns: readonly Concern[],
  parts: CallParts,
  judged: ReadonlyMap<string, string>,
): Decision {
  const rank = ({ verdict }: Concern): number => STRICTNESS[verdict];
  const level = Math.max(0, ...concerns.map(rank));
  const first = concerns.find((concern) => rank(concern) === level);
  // Of equal ones a rule is the most telling, then one with a reason.
  const made =
    concerns.find((concern) => rank(concern) === level && concern.rule !== undefined) ??
    concerns.find((concern) => rank(concern) === level && concern.reason !== undefined) ??
    first;
  const rule = made?.rule === undefined ? {} : { rule: made.rule };
  if (level === STRICTNESS.refuse)
    return { verdict: 'refuse', judged, ...rule, reason: made?.reason ?? 'It was refused.' };
  if (level === STRICTNESS.allow) return { verdict: 'allow', judged, ...rule };
  const asked = concerns.filter((concern) => concern.verdict === 'ask');
  const units = asked.flatMap(({ unit }) => (unit === undefined ? [] : [unit]));
  const reasons = [...new Set(asked.flatMap(({ reason }) => reason ?? []))];
  return {
    verdict: 'ask',
    judged,
    ...rule,
    ...(reasons.length === 0 ? {} : { reason: reasons.join('\n') }),
    ...(units.length === asked.length ? { allowable: { units, parts } } : {}),
  };
}

function named({ name, server, serverTool, hash }: Tool): Omit<CallParts['tool'], 'permission'> {
  return {
    name,
    ...(server === undefined ? {} : { server }),
    ...(serverTool === undefined ? {} : { serverTool }),
    ...(hash === undefined ? {} : { hash }),
  };
}
