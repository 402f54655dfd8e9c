import { distinct, joined, told, type Told } from '../../domain/text/told.ts';
import { BelayError } from '../../domain/failure.ts';
import type { KnownRule, PermissionRule } from '../../domain/permissions/permission-rule.ts';
import { placedText } from './rules/rule-text.ts';
import { pathBelow, resolvePath } from '../../domain/paths.ts';
import type { JsonObject } from '../../domain/data/json.ts';
import type {
  CommandLine,
  Level,
  Mode,
  Started,
  Tool,
  ToolCallRequest,
  Touch,
} from '../tool-call/tool-call.ts';
import { concernsOf } from './concerns.ts';
import { type Concern, type Decision, STRICTNESS } from './decision.ts';
import { mayUse } from './may-use.ts';
import type { JudgedPath, PathGuard } from './path-guard.ts';
import type { SandboxAnswer, SandboxQuestion } from './sandbox-decision.ts';
import { type CallParts, type JudgedLine, type StartedCode, hostsOf } from './rules/call-parts.ts';
import { mayBeFile, withoutAssignments } from './rules/checks.ts';
import { folderOfPrograms } from './rules/line-folder.ts';
import { allowedBy, caughtBy } from './rules/match.ts';
import type { ChangedFile } from './rules/remembered-approvals.ts';

export type { Decision } from './decision.ts';

/** Judges a command line; the words of its programs are there when it is fully understood. */
export type JudgeLine = (
  line: CommandLine,
  roots: readonly string[],
) => Promise<Omit<JudgedLine, 'text' | 'cwd'>>;

export interface SessionApprovals {
  /** Returns whether the user approved a change of this file in this session; `path` is real. */
  readonly agreed?: (sessionId: string, path: string) => boolean;
  /** Returns whether the user allowed all edits of the session that only the mode requires approval for. */
  readonly allowsEdits?: (sessionId: string) => boolean;
}

export interface DecideParts {
  readonly guard: PathGuard;
  /** Read at each call: the user may change the mode during a run. */
  readonly mode: (sessionId: string) => Mode;
  readonly level: () => Level;
  /** Absent: no command is known to be harmless, and none is understood. */
  readonly judgeLine?: JudgeLine;
  /** SHA-256 in hexadecimal. Undefined: no approval of code is remembered. */
  readonly hash?: (text: string) => string;
  /** The rules in force, asked at each call. Absent: none. */
  readonly rules?: (sessionId: string, roots: readonly string[]) => Promise<readonly KnownRule[]>;
  /** Files that decide what a rule's command runs, and that changed since its approval. */
  readonly changes?: (rule: PermissionRule) => Promise<readonly ChangedFile[]>;
  /** Belay changed this file, and the user has not decided about that yet; absolute. Undefined: no review. */
  readonly unreviewed?: (path: string) => boolean;
  /** Approvals of the user for the rest of a session. Undefined: none. */
  readonly approvals?: SessionApprovals;
  /** The user's home folder, for rules about paths below it. */
  readonly home?: string;
  /**
   * Nobody can be asked: what mode Auto would ask about happens, but no edit outside the workspace.
   * Only a host without a person sets it.
   */
  readonly unattended?: boolean;
  /** Decides whether a call that requires approval runs in the read-only sandbox. Undefined: never. */
  readonly sandbox?: (question: SandboxQuestion) => Promise<SandboxAnswer>;
}

/** Decides about one call; also asked what would happen to a call that nobody makes. */
export type DecideCall = (tool: Tool, request: DecideRequest) => Promise<Decision>;

export interface DecideRequest {
  readonly part: ToolCallRequest['part'];
  readonly context: Pick<ToolCallRequest['context'], 'sessionId' | 'roots'>;
}

/**
 * Decides whether a call runs, requires approval, or is refused: every part (tool, path, program, host) by itself, the
 * strictest answer counts. A rule allows only what would require approval, never configuration that is run, nor what
 * the mode or a guard refuses.
 */
export function createDecide(parts: DecideParts): DecideCall {
  return async (tool, { part, context }) => {
    const level = parts.level();
    const mode = parts.mode(context.sessionId);
    const refuse = (reason: Told): Decision => ({
      verdict: 'refuse',
      judged: new Map(),
      reasons: [reason],
    });
    if (!mayUse(level, tool))
      return refuse(
        told`${tool.name} needs the level ${tool.level}, and the level here is ${level}. It was not run; say what you would have done with it.`,
      );
    const exception = tool.exception?.(part.input);
    if (exception !== undefined && !mayUse(level, { level: 'admin' }))
      return refuse(
        told`This exception needs the level admin, and the level here is ${level}. ${tool.name} was not run; go on without it, or tell the person what they would have to run.`,
      );
    const [made, rules = []] = await Promise.all([
      callParts(tool, { part, context }, parts),
      parts.rules?.(context.sessionId, context.roots),
    ]);
    const call = withoutAgreed(
      made,
      (path) => parts.approvals?.agreed?.(context.sessionId, path) === true,
    );
    const judged = new Map(call.paths.map(({ path, real }) => [path, real]));
    const concerns: Concern[] = [];
    const allowsEdits = parts.approvals?.allowsEdits?.(context.sessionId) === true;
    for (const concern of concernsOf(call, mode, level, allowsEdits))
      concerns.push(await withRules(concern, call, rules, { ...parts, mode: () => mode }));
    const caught = caughtBy(rules, call, parts.home);
    if (caught !== undefined) concerns.push(concernOf(caught, tool.name));
    if (exception !== undefined) concerns.push(exceptionOf(exception, tool.name));
    const alone = parts.unattended === true && mode === 'auto';
    if (alone) return strictest(unattended(concerns), call, judged);
    const decision = strictest(concerns, call, judged);
    if (decision.verdict !== 'ask' || parts.sandbox === undefined) return decision;
    const { input } = part;
    const answer = await parts.sandbox({ tool, input, mode, call, rules, concerns });
    return 'run' in answer ? { verdict: 'allow', judged, readOnly: answer.run } : decision;
  };
}

async function callParts(
  tool: Tool,
  { part: { input }, context: { roots } }: DecideRequest,
  parts: DecideParts,
): Promise<CallParts> {
  const { guard, judgeLine, hash } = parts;
  const touched = tool.touches?.(input, roots) ?? [];
  const started = await startedBy(tool, input, roots);
  const commands = [...(tool.commands?.(input, roots) ?? []), ...started.lines];
  const [paths, lines, folders] = await Promise.all([
    Promise.all(touched.map(async (touch) => guard.judge(touch, roots))),
    Promise.all(
      commands.map(async (line): Promise<JudgedLine> => {
        const { real } = await guard.judge({ path: line.cwd, access: 'read' }, roots);
        const place = { text: line.command, cwd: real };
        if (line.isInput === true) return { ...place, verdict: 'ask' };
        const shown = hash === undefined ? place : { ...place, hash: hash(line.command) };
        const judged = await judgeLine?.({ command: line.command, cwd: real }, roots);
        return judged === undefined
          ? { ...shown, verdict: 'ask' }
          : withFiles({ ...shown, ...judged }, roots, guard);
      }),
    ),
    Promise.all(roots.map(async (path) => guard.folder(path))),
  ]);
  const changed = lines
    .flatMap((line) => line.paths ?? [])
    .filter(({ access }) => access === 'write')
    .map(({ real }): Touch => ({ path: real, access: 'write', below: real }));
  const below = await Promise.all([...touched, ...changed].map((touch) => guard.judgeBelow(touch)));
  const permission = tool.permissionFor?.(input) ?? tool.permission;
  return {
    tool: { ...named(tool), permission },
    roots: folders,
    paths,
    below: below.flat(),
    lines,
    hosts: hostsOf(tool.urls?.(input) ?? []),
    ...(started.code === undefined ? {} : { code: codeOf(started.code, hash) }),
  };
}

/** Adds the words of the programs that require approval and name one existing path inside the workspace. */
async function withFiles(
  line: JudgedLine,
  roots: readonly string[],
  guard: PathGuard,
): Promise<JudgedLine> {
  const folder = folderOfPrograms(line);
  if (folder === undefined || line.verdict !== 'ask') return line;
  const files = new Set<string>();
  for (const words of line.asking ?? line.programs ?? []) {
    const [program, name = ''] = withoutAssignments(words);
    if (program === 'npx' && !(await isInstalledProgram(name, folder, roots, guard))) continue;
    for (const word of words.filter(mayBeFile)) {
      const path = resolvePath(folder, word);
      const { place } = await guard.judge({ path, access: 'read' }, roots);
      if (place === 'inside' && (await guard.exists(path))) files.add(word);
    }
  }
  return { ...line, files };
}

/** Returns whether `npx` runs a program that the project has installed, instead of downloading it. */
async function isInstalledProgram(
  name: string,
  folder: string,
  roots: readonly string[],
  guard: PathGuard,
): Promise<boolean> {
  if (!/^[\w.-]+$/u.test(name)) return false;
  const folders = [folder, ...roots.filter((root) => pathBelow(root, folder) !== undefined)];
  const found = folders.map(async (at) => guard.exists(`${at}/node_modules/.bin/${name}`));
  return (await Promise.all(found)).includes(true);
}

/** A call that cannot work starts nothing: it says so itself, before anybody is asked. */
async function startedBy(
  tool: Tool,
  input: JsonObject,
  roots: readonly string[],
): Promise<Started> {
  try {
    return (await tool.starts?.(input, roots)) ?? { lines: [] };
  } catch (error) {
    if (error instanceof BelayError) return { lines: [] };
    throw error;
  }
}

function codeOf(
  { subject, text }: NonNullable<Started['code']>,
  hash: DecideParts['hash'],
): StartedCode {
  return { subject, ...(hash === undefined ? {} : { hash: hash(text) }) };
}

/** Files that the user allowed to be changed in this session are like any other. */
function withoutAgreed(call: CallParts, agreed: (path: string) => boolean): CallParts {
  const paths = call.paths.map((path): JudgedPath =>
    path.once === true && agreed(path.real) ? { ...path, place: 'inside' } : path,
  );
  return { ...call, paths };
}

/** Applies the rules to a concern. An approval of a program that has changed since does not count. */
async function withRules(
  concern: Concern,
  call: CallParts,
  rules: readonly KnownRule[],
  {
    mode,
    home,
    changes,
    unreviewed,
  }: Pick<DecideParts, 'home' | 'changes' | 'unreviewed'> & { readonly mode: () => Mode },
): Promise<Concern> {
  if (concern.verdict !== 'ask' || concern.unit === undefined) return concern;
  const since: Told[] = [];
  for (let left = rules; ;) {
    const known = allowedBy(left, concern.unit, call, {
      wholeTools: mode() === 'auto',
      ...(home === undefined ? {} : { home }),
    });
    const reasons = [...(concern.reason === undefined ? [] : [concern.reason]), ...since];
    if (known === undefined)
      return since.length === 0 ? concern : { ...concern, reason: joined(reasons, ' ') };
    const changed = (await changes?.(known.rule)) ?? [];
    if (changed.length === 0) return { verdict: 'allow', rule: known };
    since.push(
      known.rule.command === undefined
        ? told`You allowed this here before.`
        : told`You allowed ${known.rule.command} here before.`,
      ...changedText(changed, unreviewed),
    );
    left = left.filter((one) => one !== known);
  }
}

/** Files that are named in a question, of either kind. */
const MOST_NAMED = 5;

function changedText(
  changed: readonly ChangedFile[],
  unreviewed: DecideParts['unreviewed'] = () => false,
): readonly Told[] {
  const own = changed.filter(({ path }) => unreviewed(path));
  const others = changed.filter((one) => !own.includes(one));
  return [
    own.length > 0 &&
      told`Since then Belay changed something it runs, and you have not reviewed it yet: ${namesOf(own)}.`,
    others.length > 0 &&
      told`Since then something it runs has changed, not by a change of Belay that waits for review: ${namesOf(others)}.`,
  ].filter((one) => one !== false);
}

function namesOf(files: readonly ChangedFile[]): Told {
  const more = files.length - MOST_NAMED;
  const named: readonly (string | Told)[] = files.slice(0, MOST_NAMED).map(({ name }) => name);
  return joined([...named, ...(more > 0 ? [told`${more} more`] : [])], ', ');
}

function concernOf(rule: KnownRule, tool: string): Concern {
  if (rule.unreadable !== undefined) return { verdict: 'ask', rule, reason: rule.unreadable };
  const said = placedText(rule);
  return rule.rule.effect === 'deny'
    ? {
        verdict: 'refuse',
        rule,
        reason: told`${tool} was not run: a rule of the person forbids it: “${said}”. Do not get the same effect by other means; say what you need it for.`,
      }
    : { verdict: 'ask', rule, reason: told`A rule says: ${said}.` };
}

/** No rule allows it, no approval of it is remembered, and without a user it does not happen. */
function exceptionOf(reason: Told, tool: string): Concern {
  const unattended = told`${tool} was not run: only a person may allow this exception, and nobody is there. ${reason}`;
  return { verdict: 'ask', reason, unattended };
}

function unattended(concerns: readonly Concern[]): readonly Concern[] {
  return concerns.map((concern) => {
    // A rule's own "ask" waits for the user.
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
  const equal = concerns.filter((concern) => rank(concern) === level);
  // Of equal ones a rule is the most telling.
  const made = equal.find((concern) => concern.rule !== undefined) ?? equal[0];
  const rule = made?.rule === undefined ? {} : { rule: made.rule };
  if (level === STRICTNESS.refuse)
    return { verdict: 'refuse', judged, ...rule, reasons: [made?.reason ?? told`It was refused.`] };
  if (level === STRICTNESS.allow) return { verdict: 'allow', judged, ...rule };
  const asked = concerns.filter((concern) => concern.verdict === 'ask');
  const units = asked.flatMap(({ unit }) => (unit === undefined ? [] : [unit]));
  const once = parts.paths.flatMap((path) =>
    path.place === 'config' && path.once === true ? [path.real] : [],
  );
  const reasons = distinct(asked.flatMap(({ reason }) => reason ?? []));
  return {
    verdict: 'ask',
    judged,
    ...rule,
    ...(reasons.length === 0 ? {} : { reasons }),
    ...(once.length === 0 ? {} : { once }),
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
