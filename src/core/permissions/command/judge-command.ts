import { told, type Told } from '../../../domain/text/told.ts';
import { normalizePath, resolvePath } from '../../../domain/paths.ts';
import type { CommandJudgeParts } from './judge-parts.ts';
import type { JudgedPath } from '../path-guard.ts';
import { type PartFinding, CommandWalk } from './command-walk.ts';
import { type Risk, createRisk, describeRisks, sortRisks } from '../risks.ts';
import { findProtectedWord } from './protected-words.ts';
import { findPlaceProblem } from './place-problem.ts';
import { keepsStandardStreams } from './standard-streams.ts';

/** A command line, and the folder in which it runs: absolute and real. */
export interface CommandPlace {
  readonly command: string;
  readonly cwd: string;
}

export interface JudgedCommand {
  /** `allow`: it only reads, and only what may be read without a question. `refuse`: never. */
  readonly verdict: 'allow' | 'ask' | 'refuse';
  /** Why it requires approval or is refused, the gravest first. */
  readonly risks?: readonly Risk[];
  /** The sentences about its risks, for the user. */
  readonly reason?: Told;
  /** The words of each program that it starts; undefined if the line is not understood. */
  readonly programs?: readonly (readonly string[])[];
  /** Those of `programs` that are not known to be harmless. */
  readonly asking?: readonly (readonly string[])[];
  /** Those of `asking` that get input: a text, a file, or the output of another program. */
  readonly fed?: readonly (readonly string[])[];
  /** It requires approval each time, whatever a rule says, unless `edits` is true and the mode allows edits. */
  readonly always?: boolean;
  /** For `always`: an approval of this exact line may cover it. */
  readonly exact?: boolean;
  /** Its only problem is that it changes files of the workspace as the file tools do. */
  readonly edits?: boolean;
  readonly paths?: readonly JudgedPath[];
}

/**
 * Judges a command line as the shell reads it. It is allowed only if every command and flag is known to do no more
 * than read, and each path may be read. Everything else requires approval.
 */
export async function judgeCommand(
  parts: CommandJudgeParts,
  { command, cwd }: CommandPlace,
  roots: readonly string[],
): Promise<JudgedCommand> {
  if (parts.platform === 'windows') return ask([createRisk('unclear')]);
  // The grammar is read from disk when the first command comes.
  const { parseShell } = await import('./shell/shell-syntax.ts');
  const node = parseShell(command);
  if (node === undefined) {
    const repository = await findRepositoryTarget(parts, { command, cwd }, roots);
    if (repository !== undefined) return refuse(repository);
    const words = command.trim().split(/\s+/u);
    const found = await findProtectedWord(parts, words, { folder: cwd, roots });
    const unclear = createRisk('unclear');
    return found === undefined ? ask([unclear]) : { ...ask([unclear, found]), always: true };
  }
  const walk = new CommandWalk(parts, roots, keepsStandardStreams(command));
  const findings = await walk.judge(node, cwd);
  return summary(findings);
}

/** Finds a redirection into a repository's own files, also in a line that is not understood. */
async function findRepositoryTarget(
  { guard }: CommandJudgeParts,
  { command, cwd }: CommandPlace,
  roots: readonly string[],
): Promise<Risk | undefined> {
  for (const [, target = ''] of command.matchAll(/>[>|&]?\s*([\w./-]*\.git\/[\w./-]+)/gu)) {
    const path = normalizePath(resolvePath(cwd, target));
    const problem = findPlaceProblem(await guard.judge({ path, access: 'write' }, roots), target);
    if (problem?.verdict === 'refuse') return problem.risk;
  }
  return undefined;
}

function summary(findings: readonly PartFinding[]): JudgedCommand {
  const programs = findings.flatMap(({ words }) => (words.length === 0 ? [] : [words]));
  const paths = findings.flatMap((finding) => finding.paths);
  const refused = findings.find(({ verdict }) => verdict === 'refuse');
  if (refused !== undefined) return { ...refuse(...refused.risks), programs, paths };
  const asked = findings.filter(({ verdict }) => verdict === 'ask');
  if (asked.length === 0) return { verdict: 'allow', programs, paths };
  // A scan shows the files before the line changes them.
  const isStale = asked.some((one) => one.edits) && findings.some(({ searches }) => searches);
  const edits = !isStale && asked.every((one) => one.edits);
  // No rule about a program covers the file that its output is written to.
  const always = isStale || asked.some((one) => one.always || one.words.length === 0);
  const named = asked.filter(({ words }) => words.length > 0);
  const fed = named.flatMap((one) => (one.fed ? [one.inner ?? one.words] : []));
  return {
    ...ask(asked.flatMap(({ risks }) => risks)),
    programs,
    asking: named.map(({ words, inner }) => inner ?? words),
    ...(fed.length === 0 ? {} : { fed }),
    paths,
    ...(always ? { always: true } : {}),
    ...(always && !isStale && asked.every((one) => one.exact) ? { exact: true } : {}),
    ...(edits ? { edits: true } : {}),
  };
}

function ask(risks: readonly Risk[]): JudgedCommand {
  return { verdict: 'ask', risks: sortRisks(risks), reason: describeRisks(risks) };
}

function refuse(...risks: readonly Risk[]): JudgedCommand {
  const reason = told`This command is not run. ${describeRisks(risks)}`;
  return { verdict: 'refuse', risks, reason };
}
