import { isAbsolutePath, normalizePath, parentOf } from '../paths.ts';
import type { JudgedPath } from '../path-guard.ts';
import type { GitUse, PathUse } from './finding.ts';
import { contentsKeptBack } from './git-contents.ts';
import { expandGlob } from './glob.ts';
import type { CommandJudgeParts } from './judge-command.ts';
import { findingOf } from './program.ts';
import { searchBelow } from './search-below.ts';
import type { ShellCommand, ShellNode, ShellRedirect } from './shell-syntax.ts';
import type { ShellWord } from './shell-word.ts';

/** What was found out about one simple command or one redirection. */
export interface PartFinding {
  /** Empty: a redirection of a group. */
  readonly words: readonly string[];
  readonly verdict: 'allow' | 'ask' | 'refuse';
  readonly reason?: string;
  /** No rule may allow it. */
  readonly always: boolean;
  readonly paths: readonly JudgedPath[];
}

/** The folders that a command may find itself in, when the one before succeeded or failed. */
interface Folders {
  readonly success: ReadonlySet<string>;
  readonly failure: ReadonlySet<string>;
}

interface Problem {
  readonly verdict: 'ask' | 'refuse';
  readonly reason: string;
}

/** Goes through a command line in the order in which the shell would, with the folders it may be in. */
export class CommandWalk {
  readonly #parts: CommandJudgeParts;
  readonly #roots: readonly string[];
  readonly #findings: PartFinding[] = [];

  constructor(parts: CommandJudgeParts, roots: readonly string[]) {
    this.#parts = parts;
    this.#roots = roots;
  }

  async judge(node: ShellNode, cwd: string): Promise<readonly PartFinding[]> {
    await this.#node(node, new Set([cwd]));
    return this.#findings;
  }

  async #node(node: ShellNode, folders: ReadonlySet<string>): Promise<Folders> {
    switch (node.kind) {
      case 'command':
        return this.#command(node, folders);
      case 'negated': {
        const { success, failure } = await this.#node(node.node, folders);
        const both = new Set([...success, ...failure]);
        return { success: both, failure: both };
      }
      case 'pipeline':
        // Each in a process of its own; in some shells the last one is not.
        for (const one of node.nodes.slice(0, -1)) await this.#node(one, folders);
        return this.#either(await this.#last(node.nodes, folders), folders);
      case 'group': {
        for (const redirect of node.redirects) await this.#groupRedirect(redirect, folders);
        const inner = await this.#node(node.body, folders);
        return node.subshell ? { success: folders, failure: folders } : inner;
      }
      case 'list':
        return this.#list(node, folders);
      default:
        return node satisfies never;
    }
  }

  async #last(nodes: readonly ShellNode[], folders: ReadonlySet<string>): Promise<Folders> {
    const last = nodes.at(-1);
    return last === undefined ? { success: folders, failure: folders } : this.#node(last, folders);
  }

  #either({ success, failure }: Folders, folders: ReadonlySet<string>): Folders {
    const all = new Set([...success, ...failure, ...folders]);
    return { success: all, failure: all };
  }

  async #list(
    { nodes, operators }: Extract<ShellNode, { kind: 'list' }>,
    folders: ReadonlySet<string>,
  ): Promise<Folders> {
    let state: Folders = { success: folders, failure: folders };
    for (const [index, node] of nodes.entries()) {
      const operator = index === 0 ? ';' : operators[index - 1];
      const both = new Set([...state.success, ...state.failure]);
      if (operator === '&&') {
        const next = await this.#node(node, state.success);
        state = { success: next.success, failure: new Set([...state.failure, ...next.failure]) };
      } else if (operator === '||') {
        const next = await this.#node(node, state.failure);
        state = { success: new Set([...state.success, ...next.success]), failure: next.failure };
      } else {
        state = await this.#node(node, both);
      }
    }
    return state;
  }

  async #groupRedirect(redirect: ShellRedirect, folders: ReadonlySet<string>): Promise<void> {
    const { problems, paths } = await this.#redirects([redirect], folders);
    this.#add([], problems, paths, true);
  }

  async #command(command: ShellCommand, folders: ReadonlySet<string>): Promise<Folders> {
    const words = command.words.map(({ value }) => value);
    const finding = findingOf(command);
    const redirected = await this.#redirects(command.redirects, folders);
    const paths = [...redirected.paths];
    const problems = [...redirected.problems];
    if (finding.kind === 'harmless') {
      const used = await this.#uses(finding.uses, folders);
      paths.push(...used.paths);
      problems.push(...used.problems);
      if (finding.git !== undefined)
        problems.push(...(await this.#repositoryProblems(finding.git, folders)));
    } else {
      problems.push({ verdict: 'ask', reason: finding.reason });
    }
    const onlyUnknown = finding.kind === 'unknown' && problems.length === 1;
    this.#add(words, problems, paths, !onlyUnknown);
    const stay: Folders = { success: folders, failure: folders };
    return finding.kind === 'harmless' && finding.enters !== undefined
      ? this.#enter(finding.enters, folders)
      : stay;
  }

  #add(
    words: readonly string[],
    problems: readonly Problem[],
    paths: readonly JudgedPath[],
    always: boolean,
  ): void {
    const refused = problems.find(({ verdict }) => verdict === 'refuse');
    const [first] = problems;
    const reason = refused?.reason ?? problems.map((problem) => problem.reason).join('; ');
    this.#findings.push({
      words,
      verdict: refused?.verdict ?? first?.verdict ?? 'allow',
      always: always && first !== undefined,
      paths,
      ...(first === undefined ? {} : { reason }),
    });
  }

  async #redirects(
    redirects: readonly ShellRedirect[],
    folders: ReadonlySet<string>,
  ): Promise<{ problems: readonly Problem[]; paths: readonly JudgedPath[] }> {
    const problems: Problem[] = [];
    const paths: JudgedPath[] = [];
    for (const { access, target, text } of redirects) {
      if (target.value === '/dev/null') continue;
      if (target.glob !== undefined || target.exitCode !== undefined) {
        problems.push({ verdict: 'ask', reason: `where ${text} leads to is not known` });
        continue;
      }
      for (const path of await this.#pathsOf(target, folders)) {
        const judged = await this.#parts.guard.judge({ path, access }, this.#roots);
        paths.push(judged);
        const problem = problemOfPath(judged, target.text);
        if (problem !== undefined) problems.push(problem);
        else if (access === 'write')
          problems.push({ verdict: 'ask', reason: `${text} writes a file` });
      }
    }
    return { problems, paths };
  }

  async #uses(
    uses: readonly PathUse[],
    folders: ReadonlySet<string>,
  ): Promise<{ problems: readonly Problem[]; paths: readonly JudgedPath[] }> {
    const problems: Problem[] = [];
    const paths: JudgedPath[] = [];
    for (const { word, below } of uses) {
      const found = await this.#expanded(word, folders);
      if (typeof found === 'string') {
        problems.push({ verdict: 'ask', reason: found });
        continue;
      }
      for (const path of found) {
        const judged = await this.#parts.guard.judge({ path, access: 'read' }, this.#roots);
        paths.push(judged);
        const problem = problemOfPath(judged, word.text);
        if (problem !== undefined) problems.push(problem);
        else if (below !== undefined) {
          const reached = await searchBelow(this.#parts, judged.real, below);
          if (reached !== undefined) problems.push({ verdict: 'ask', reason: reached });
        }
      }
    }
    return { problems, paths };
  }

  /** The files that a word stands for; a text says why they cannot be told. */
  async #expanded(
    word: ShellWord,
    folders: ReadonlySet<string>,
  ): Promise<readonly string[] | string> {
    if (word.glob === undefined) return this.#pathsOf(word, folders);
    const paths = new Set<string>();
    for (const folder of folders) {
      const matches = await expandGlob(this.#parts.files, word.glob, folder);
      if (matches === undefined) return `${word.text} stands for too many files to look at`;
      for (const match of matches) {
        if (match.startsWith('-')) return `${word.text} stands for ${match}, which is an option`;
        paths.add(isAbsolutePath(match) ? match : `${folder}/${match}`);
      }
    }
    return [...paths];
  }

  /**
   * The absolute paths that a word may mean: as it is written, and, where it goes up behind a link, as the
   * system takes it, which follows the link first.
   */
  async #pathsOf({ value, home }: ShellWord, folders: ReadonlySet<string>): Promise<string[]> {
    const bases = home === true ? [this.#parts.home ?? ''] : [...folders];
    const rest = home === true ? value.slice(1) : value;
    const paths = new Set<string>();
    for (const base of bases) {
      // Without a known home folder it is judged as one outside of everything.
      const path = home === true || !isAbsolutePath(rest) ? `${base}/${rest}` : rest;
      paths.add(normalizePath(path));
      if (/(?:^|\/)\.\.(?:\/|$)/u.test(path)) paths.add(await this.#physical(path));
    }
    return [...paths];
  }

  async #physical(path: string): Promise<string> {
    let at = '/';
    for (const component of path.split('/')) {
      if (component === '' || component === '.') continue;
      if (component === '..') at = parentOf(await this.#parts.files.realpath(at));
      else at = at.endsWith('/') ? `${at}${component}` : `${at}/${component}`;
    }
    return at;
  }

  async #enter(word: ShellWord, folders: ReadonlySet<string>): Promise<Folders> {
    const entered = new Set<string>();
    for (const path of await this.#pathsOf(word, folders))
      entered.add(await this.#parts.files.realpath(path));
    return { success: entered, failure: folders };
  }

  async #repositoryProblems(
    { folder: word, contents }: GitUse,
    folders: ReadonlySet<string>,
  ): Promise<readonly Problem[]> {
    const places = word === undefined ? [...folders] : await this.#pathsOf(word, folders);
    const problems: Problem[] = [];
    for (const place of places) {
      const hazards = await this.#parts.repositories?.hazards(place);
      if (hazards === undefined)
        problems.push({ verdict: 'ask', reason: 'what git would run here is not known' });
      else if (hazards.length > 0)
        problems.push({
          verdict: 'ask',
          reason: `the repository has git run something of its own: ${hazards.slice(0, 3).join(', ')}`,
        });
      else if (contents !== undefined) {
        const reached = await contentsKeptBack(this.#parts, place, contents);
        if (reached !== undefined) problems.push({ verdict: 'ask', reason: reached });
      }
    }
    return problems;
  }
}

function problemOfPath({ place, real, why }: JudgedPath, text: string): Problem | undefined {
  const name = text === real ? text : `${text} (${real})`;
  switch (place) {
    case 'inside':
      return undefined;
    case 'outside':
      return { verdict: 'ask', reason: `${name} lies outside the workspace` };
    case 'forbidden':
      return { verdict: 'refuse', reason: `${name} may not be used: ${why ?? 'it is protected'}` };
    case 'config':
    case 'secret':
      return { verdict: 'ask', reason: `${name}: ${why ?? 'it is protected'}` };
    default:
      return place satisfies never;
  }
}
