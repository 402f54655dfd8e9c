import { distinct, joined, told, type Told } from '../../../domain/text/told.ts';
import type { CommandJudgeParts } from './judge-parts.ts';
import type { JudgedPath } from '../path-guard.ts';
import { type PartFinding, CommandWalk } from './command-walk.ts';
import { protectedWord, roughPieces } from './protected-words.ts';
import { UnknownSyntax } from './shell/shell-syntax.ts';
import { keepsStandardStreams } from './standard-streams.ts';

/** A command line, and the folder it would run in: absolute and real. */
export interface CommandPlace {
  readonly command: string;
  readonly cwd: string;
}

export interface JudgedCommand {
  /** `allow`: it only reads, and only what may be read without a question. `refuse`: never. */
  readonly verdict: 'allow' | 'ask' | 'refuse';
  /** For the person, as a sentence. */
  readonly reason?: Told;
  /** The words of each program that it starts; absent: the line is not understood completely. */
  readonly programs?: readonly (readonly string[])[];
  /** Those of `programs` that are not known to be harmless. */
  readonly asking?: readonly (readonly string[])[];
  /** Those of `asking` that are given something to read, a text or what another program prints. */
  readonly fed?: readonly (readonly string[])[];
  /** It needs a yes each time, whatever a rule says. */
  readonly always?: boolean;
  /** All that it is asked about are files of the workspace that it makes or moves as the tools for files do. */
  readonly edits?: boolean;
  readonly paths?: readonly JudgedPath[];
}

/**
 * Judges a command line as the shell would read it (security, rule 3): allowed only when every
 * simple command and flag is known to do no more than read, and each path may be read. All else
 * asks.
 */
export async function judgeCommand(
  parts: CommandJudgeParts,
  { command, cwd }: CommandPlace,
  roots: readonly string[],
): Promise<JudgedCommand> {
  if (parts.platform === 'windows')
    return { verdict: 'ask', reason: told`What this shell would do cannot be told beforehand.` };
  // The grammar is read from disk when the first command comes.
  const { parseShell } = await import('./shell/shell-syntax.ts');
  const node = parseShell(command);
  if (node instanceof UnknownSyntax) {
    const found = await protectedWord(parts, roughPieces(command), { folder: cwd, roots });
    const reason = told`What it does cannot be told: it has ${node.reason}.`;
    return found === undefined
      ? { verdict: 'ask', reason }
      : {
          verdict: 'ask',
          reason: joined([reason, told`Look closely: ${found}.`], ' '),
          always: true,
        };
  }
  const walk = new CommandWalk(parts, roots, keepsStandardStreams(command));
  const findings = await walk.judge(node, cwd);
  return summary(findings);
}

function summary(findings: readonly PartFinding[]): JudgedCommand {
  const programs = findings.flatMap(({ words }) => (words.length === 0 ? [] : [words]));
  const paths = findings.flatMap((finding) => finding.paths);
  const refused = findings.find(({ verdict }) => verdict === 'refuse');
  if (refused !== undefined)
    return {
      verdict: 'refuse',
      reason: told`This command is not run: ${refused.reason ?? told`it is protected`}.`,
      programs,
      paths,
    };
  const asked = findings.filter(({ verdict }) => verdict === 'ask');
  if (asked.length === 0) return { verdict: 'allow', programs, paths };
  const always = asked.some((one) => one.always) ? { always: true as const } : {};
  // With words that are not known it may be any program, as in a line that is not understood.
  if (asked.some(({ open }) => open))
    return { verdict: 'ask', reason: sentence(asked), paths, ...always };
  const named = asked.filter(({ words }) => words.length > 0);
  const fed = named.flatMap((one) => (one.fed ? [one.inner ?? one.words] : []));
  return {
    verdict: 'ask',
    reason: sentence(asked),
    programs,
    asking: named.map(({ words, inner }) => inner ?? words),
    ...(fed.length === 0 ? {} : { fed }),
    paths,
    ...always,
    ...(asked.every(({ edits }) => edits) ? { edits: true } : {}),
  };
}

function sentence(findings: readonly PartFinding[]): Told {
  const reasons = distinct(findings.flatMap(({ reason }) => reason ?? []));
  return told`Why it is asked about: ${joined(reasons.slice(0, 4), '; ')}.`;
}
