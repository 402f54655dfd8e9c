import type { KnownRule } from '../../domain/permissions/permission-rule.ts';
import type { JsonObject } from '../../domain/data/json.ts';
import { pathBelow } from '../../domain/paths.ts';
import type { IgnoredPaths } from '../ports/files/ignored.ts';
import type {
  ReadOnlyRun,
  ReadOnlySandbox,
  SandboxLack,
} from '../ports/commands/read-only-sandbox.ts';
import type { Mode, Tool } from '../tool-call/tool-call.ts';
import type { Concern } from './decision.ts';
import type { JudgedPath } from './path-guard.ts';
import type { CallParts } from './rules/call-parts.ts';

/**
 * Reasons why the sandbox does not decide about a call.
 *
 * - `mode`: only Edit and Auto run commands without approval
 * - `call`: the call cannot run read-only
 * - `approval`: more than the judge of command lines requires approval
 * - `path`: the line certainly writes a file, or reads one that is hidden in the sandbox
 * - `git`: the line names git, whose files are not visible in the sandbox
 * - `rule`: a program could go around a rule of the user
 * - `files`: the workspace has too many files to find its secrets, or too many secrets
 */
export type SandboxObstacle =
  | SandboxLack
  | 'mode'
  | 'call'
  | 'approval'
  | 'path'
  | 'git'
  | 'rule'
  | 'files';

export type SandboxAnswer = { readonly run: ReadOnlyRun } | { readonly obstacle: SandboxObstacle };

export interface SandboxQuestion {
  readonly tool: Pick<Tool, 'canRunReadOnly'>;
  readonly input: JsonObject;
  readonly mode: Mode;
  readonly call: CallParts;
  readonly rules: readonly KnownRule[];
  readonly concerns: readonly Concern[];
}

export interface SandboxDecisionParts {
  readonly sandbox: ReadOnlySandbox;
  readonly ignored: Pick<IgnoredPaths, 'ruleFor' | 'ruleForAny'>;
}

/** Decides whether a call runs in the read-only sandbox instead of requiring approval, and if not, why. */
export async function decideBySandbox(
  { sandbox, ignored }: SandboxDecisionParts,
  question: SandboxQuestion,
): Promise<SandboxAnswer> {
  const { roots } = question.call;
  const obstacle = findObstacle(question) ?? (await sandbox.findLack(roots));
  if (obstacle !== undefined) return { obstacle };
  const hidden = await sandbox.listHidden(roots, ignored);
  return hidden === undefined ? { obstacle: 'files' } : { run: { hidden } };
}

function findObstacle({
  tool,
  input,
  mode,
  call,
  rules,
  concerns,
}: SandboxQuestion): SandboxObstacle | undefined {
  if (mode !== 'edit' && mode !== 'auto') return 'mode';
  if (tool.canRunReadOnly?.(input) !== true) return 'call';
  const isInside = call.paths.every(({ place }) => place === 'inside');
  if (!isInside || concerns.some((one) => one.verdict !== 'allow' && !isByJudgeAlone(one)))
    return 'approval';
  const paths = call.lines.flatMap((line) => line.paths ?? []);
  if (paths.some(failsInSandbox)) return 'path';
  if (call.lines.some(({ text }) => /\bgit\b/iu.test(text))) return 'git';
  return rules.some((known) => mayBeAvoided(known, call)) ? 'rule' : undefined;
}

/** Returns whether no more than the judge of command lines requires approval, if every path of the call is inside. */
function isByJudgeAlone({ verdict, rule, unit }: Concern): boolean {
  const isOfLine = unit === undefined || unit.kind === 'program' || unit.kind === 'line';
  return verdict === 'ask' && rule === undefined && isOfLine;
}

function failsInSandbox({ access, place }: JudgedPath): boolean {
  return access === 'write' || (place !== 'inside' && place !== 'outside');
}

/** A program may start a denied command, or read a denied path outside the workspace, without naming it. */
function mayBeAvoided({ rule }: KnownRule, { roots, lines }: CallParts): boolean {
  if (rule.off === true || rule.effect === 'allow') return false;
  if (rule.command === undefined && rule.path === undefined) return false;
  const folder = rule.in?.replace(/[\\/]\*\*$/u, '');
  return (
    folder === undefined ||
    [...roots, ...lines.map(({ cwd }) => cwd)].some((one) => pathBelow(folder, one) !== undefined)
  );
}
