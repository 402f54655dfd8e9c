import type { JudgedPath } from '../path-guard.ts';
import { ChoosingFiles } from './choosing-files.ts';
import { type Risk, createRisk } from '../risks.ts';
import type { Harmless } from './finding.ts';
import { findGitProblem } from './git/git-risks.ts';
import type { CommandJudgeParts } from './judge-parts.ts';
import { type JudgedUses, PathUses } from './path-uses.ts';
import { type Problem, findPlaceProblem } from './place-problem.ts';
import { readFinding } from './program.ts';
import { findProtectedWord } from './protected-words.ts';
import type { ShellCommand, ShellNode, ShellRedirect } from './shell/shell-syntax.ts';

export interface PartFinding {
  /** The words of the program; empty for a redirection. */
  readonly words: readonly string[];
  /** The words of the program that it calls, if it only calls another. */
  readonly inner?: readonly string[];
  /** It gets input that its words do not name. */
  readonly fed: boolean;
  /** Its only problem is that it changes files of the workspace as the file tools do. */
  readonly edits: boolean;
  /** Files that it does not name decide what it reads or runs. */
  readonly searches: boolean;
  readonly verdict: 'allow' | 'ask' | 'refuse';
  readonly risks: readonly Risk[];
  /** No rule about its words may allow it. */
  readonly always: boolean;
  /** An approval of the exact line may allow it: it concerns no protected file. */
  readonly exact: boolean;
  readonly paths: readonly JudgedPath[];
}

type Part = Pick<PartFinding, 'words' | 'always'> &
  Partial<Pick<PartFinding, 'inner' | 'fed' | 'searches'>> & { readonly writes?: boolean };

/** Judges the commands of a line in order. All of them run in one folder, which a leading `cd` may choose. */
export class CommandWalk {
  readonly #parts: CommandJudgeParts;
  readonly #roots: readonly string[];
  readonly #findings: PartFinding[] = [];
  readonly #uses: PathUses;
  readonly #choosers: ChoosingFiles;

  constructor(parts: CommandJudgeParts, roots: readonly string[], keepsStreams: boolean) {
    this.#parts = parts;
    this.#roots = roots;
    this.#uses = new PathUses(parts, roots, keepsStreams);
    this.#choosers = new ChoosingFiles(parts, roots);
  }

  async judge(node: ShellNode, cwd: string): Promise<readonly PartFinding[]> {
    await this.#judgeNode(node, cwd, false);
    return this.#findings;
  }

  /** @param fed its input comes from a pipe */
  async #judgeNode(node: ShellNode, folder: string, fed: boolean): Promise<void> {
    switch (node.kind) {
      case 'command':
        await this.#judgeCommand(node, folder, fed);
        return;
      case 'pipeline':
        for (const [index, one] of node.nodes.entries())
          await this.#judgeNode(one, folder, fed || index > 0);
        return;
      case 'prefixed':
        await this.#judgeNode(node.node, folder, fed);
        return;
      case 'subshell':
        await this.#judgeNode(node.body, folder, fed);
        return;
      case 'list':
        await this.#judgeList(node, folder, fed);
        return;
      default:
        node satisfies never;
    }
  }

  async #judgeList(
    { nodes, operators }: Extract<ShellNode, { kind: 'list' }>,
    folder: string,
    fed: boolean,
  ): Promise<void> {
    let at = folder;
    for (const [index, node] of nodes.entries()) {
      const enters = node.kind === 'command' ? await this.#judgeCommand(node, at, fed) : undefined;
      if (node.kind !== 'command') await this.#judgeNode(node, at, fed);
      if (enters === undefined) {
        if (changesFolder(node)) this.#addQuestion(exactly(createRisk('unknown-folder')));
        continue;
      }
      if (index > 0 || operators[0] !== '&&')
        this.#addQuestion(exactly(createRisk('unknown-folder')));
      else at = (await this.#enter(enters, at)) ?? at;
    }
  }

  /** Returns the folder behind a leading `cd`, which must be certain: later commands run even if `cd` fails. */
  async #enter({ enters }: Harmless, folder: string): Promise<string | undefined> {
    if (enters === undefined) return undefined;
    const { files } = this.#parts;
    const real = new Set<string>();
    for (const path of await this.#uses.findPaths(enters, folder))
      real.add(await files.realpath(path));
    const [only, more] = real;
    const stat = only === undefined ? undefined : await files.stat(only).catch(() => undefined);
    if (only !== undefined && more === undefined && stat?.type === 'directory') return only;
    this.#addQuestion(exactly(createRisk('unknown-folder')));
    return undefined;
  }

  /** Returns the finding of a `cd`. */
  async #judgeCommand(
    command: ShellCommand,
    folder: string,
    fed: boolean,
  ): Promise<Harmless | undefined> {
    const finding = readFinding(command);
    const words = command.words.map(({ value }) => value);
    await this.#judgeRedirects(command.redirects, folder);
    const { problems, paths } =
      finding.kind === 'harmless'
        ? await this.#judgeHarmless(finding, folder)
        : { problems: await this.#findUnknownProblems(finding.risks, words, folder), paths: [] };
    const inner = finding.inner === undefined ? {} : { inner: finding.inner };
    const always = finding.kind !== 'unknown' || problems.length > finding.risks.length;
    const isHarmless = finding.kind === 'harmless';
    const writes = isHarmless && paths.some(({ access }) => access === 'write');
    const changed = isHarmless ? finding.uses.filter(({ as }) => as === 'write') : [];
    const searches =
      isHarmless &&
      !writes &&
      (finding.chosenBy !== undefined || finding.uses.some(({ below }) => below));
    const part = { words, always, writes, searches, fed: fed || command.fed, ...inner };
    const change = createRisk('changes', changed.map(({ word }) => word.text).join(', '));
    if (words.length > 0 || problems.length > 0) this.#add(part, { problems, paths }, change);
    return isHarmless && finding.enters !== undefined ? finding : undefined;
  }

  async #judgeHarmless(finding: Harmless, folder: string): Promise<JudgedUses> {
    const { uses, git, program, chosenBy = [] } = finding;
    const entered =
      git?.folder && (await this.#uses.judge([{ word: git.folder, as: 'names' }], folder));
    const problems: Problem[] = [...(entered?.problems ?? [])];
    const paths: JudgedPath[] = [...(entered?.paths ?? [])];
    const places = git?.folder ? await this.#uses.findPaths(git.folder, folder) : [folder];
    for (const place of places) {
      const judged = await this.#uses.judge(uses, place);
      problems.push(...judged.problems);
      paths.push(...judged.paths);
      const shown = git && (await findGitProblem(this.#parts, place, git, this.#roots));
      if (shown !== undefined) problems.push(shown);
    }
    const chosen =
      program === undefined ? undefined : await this.#choosers.find(program, chosenBy, folder);
    if (chosen !== undefined) problems.push({ verdict: 'ask', risk: chosen });
    return { problems, paths };
  }

  /** Protected files among the words of a program that the table does not have require approval each time. */
  async #findUnknownProblems(
    risks: readonly Risk[],
    words: readonly string[],
    folder: string,
  ): Promise<readonly Problem[]> {
    const place = { folder, roots: this.#roots };
    const found = await findProtectedWord(this.#parts, words, place);
    const problems: readonly Problem[] = risks.map(exactly);
    return found === undefined ? problems : [...problems, { verdict: 'ask', risk: found }];
  }

  async #judgeRedirects(redirects: readonly ShellRedirect[], folder: string): Promise<void> {
    for (const { access, target, text } of redirects) {
      if (target.patterns !== undefined || target.exitCode !== undefined) {
        this.#addQuestion({ verdict: 'ask', risk: createRisk('unknown-files', text) });
        continue;
      }
      const problems: Problem[] = [];
      const paths: JudgedPath[] = [];
      const all = await this.#uses.findPaths(target, folder);
      const files = all.filter((path) => !this.#uses.isHarmlessStream(path, access));
      for (const path of files) {
        const judged = await this.#parts.guard.judge({ path, access }, this.#roots);
        paths.push(judged);
        const problem = findPlaceProblem(judged, target.text);
        if (problem !== undefined) problems.push(problem);
      }
      // A pattern of a later command may stand for the new name.
      if (access === 'write' && /(?:^|\/)-[^/]*$/u.test(target.value))
        problems.push({ verdict: 'ask', risk: createRisk('option-name', target.text) });
      const writes = access === 'write' && files.length > 0;
      this.#add(
        { words: [], always: true, writes },
        { problems, paths },
        createRisk('writes', target.text),
      );
    }
  }

  #addQuestion(problem: Problem): void {
    this.#add({ words: [], always: true }, { problems: [problem], paths: [] }, problem.risk);
  }

  /** @param change what the user reads if it only changes files as the file tools do */
  #add(
    { words, inner, always, writes = false, fed = false, searches = false }: Part,
    { problems, paths }: JudgedUses,
    change: Risk,
  ): void {
    const edits = writes && problems.length === 0;
    const all: readonly Problem[] = edits ? [exactly(change)] : problems;
    const refused = all.find(({ verdict }) => verdict === 'refuse');
    this.#findings.push({
      words,
      ...(inner === undefined ? {} : { inner }),
      edits,
      fed,
      searches,
      verdict: refused?.verdict ?? all[0]?.verdict ?? 'allow',
      always: always && !edits && all.length > 0,
      exact: all.every(({ exact }) => exact === true),
      paths,
      risks: refused === undefined ? all.map(({ risk }) => risk) : [refused.risk],
    });
  }
}

function exactly(risk: Risk): Problem {
  return { verdict: 'ask', risk, exact: true };
}

/** Checks for a `cd` in a pipeline or behind `!` or `time`, which shells treat differently. */
function changesFolder(node: ShellNode): boolean {
  if (node.kind === 'prefixed') return changesFolder(node.node);
  if (node.kind === 'pipeline') return node.nodes.some(changesFolder);
  if (node.kind !== 'command') return false;
  const finding = readFinding(node);
  return finding.kind === 'harmless' && finding.enters !== undefined;
}
