import { joined, told, type Told } from '../../../domain/text/told.ts';
import { resolvePath } from '../../../domain/paths.ts';
import type { JudgedPath } from '../path-guard.ts';
import type { Finding, GitUse, Harmless, PathUse } from './finding.ts';
import { gitProblem } from './git/git-problem.ts';
import type { CommandJudgeParts } from './judge-parts.ts';
import { type JudgedUses, type Problem, PathUses, problemOfPath } from './path-uses.ts';
import { findingOf } from './program.ts';
import { protectedWord } from './protected-words.ts';
import type { ShellCommand, ShellNode, ShellRedirect } from './shell/shell-syntax.ts';
import type { ShellWord } from './shell/shell-word.ts';

export interface PartFinding {
  /** Empty: a redirection of a group. */
  readonly words: readonly string[];
  /** The words of the program that it calls, where it only calls another. */
  readonly inner?: readonly string[];
  /** Some of its words are not known. */
  readonly open: boolean;
  /** It is given something to read, which its words do not tell. */
  readonly fed: boolean;
  /** Asked about for nothing but files of the workspace that it makes or moves as the tools for files do. */
  readonly edits: boolean;
  readonly verdict: 'allow' | 'ask' | 'refuse';
  readonly reason?: Told;
  /** No rule may allow it. */
  readonly always: boolean;
  readonly paths: readonly JudgedPath[];
}

/** The folders that a command may find itself in, when the one before succeeded or failed. */
interface Folders {
  readonly success: ReadonlySet<string>;
  readonly failure: ReadonlySet<string>;
}

/** Goes through a command line in the order in which the shell would, with the folders it may be in. */
export class CommandWalk {
  readonly #parts: CommandJudgeParts;
  readonly #roots: readonly string[];
  readonly #findings: PartFinding[] = [];
  readonly #uses: PathUses;
  #fed = false;

  constructor(parts: CommandJudgeParts, roots: readonly string[], keepsStreams: boolean) {
    this.#parts = parts;
    this.#roots = roots;
    this.#uses = new PathUses(parts, roots, keepsStreams);
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
        return this.#pipeline(node.nodes, folders);
      case 'loop':
        return this.#loop(node.bodies, folders);
      case 'group': {
        for (const redirect of node.redirects) await this.#groupRedirect(redirect, folders);
        const before = this.#fed;
        this.#fed ||= node.fed;
        const inner = await this.#node(node.body, folders);
        this.#fed = before;
        return node.subshell ? { success: folders, failure: folders } : inner;
      }
      case 'list':
        return this.#list(node, folders);
      default:
        return node satisfies never;
    }
  }

  /** Each in a process of its own; in some shells the last one is not. */
  async #pipeline(nodes: readonly ShellNode[], folders: ReadonlySet<string>): Promise<Folders> {
    let last: Folders = { success: folders, failure: folders };
    let names: Names | undefined;
    const before = this.#fed;
    for (const node of nodes) {
      const finding = node.kind === 'command' ? findingOf(node) : undefined;
      last =
        node.kind === 'command' && finding !== undefined
          ? await this.#command(node, folders, { finding, names })
          : await this.#node(node, folders);
      names = namesAfter(finding, names);
      this.#fed = true;
    }
    this.#fed = before;
    return this.#either(last, folders);
  }

  /** Its rounds are not known: each begins in the same folder. */
  async #loop(bodies: readonly ShellNode[], folders: ReadonlySet<string>): Promise<Folders> {
    for (const body of bodies) {
      const { success, failure } = await this.#node(body, folders);
      const elsewhere = [...success, ...failure].some((folder) => !folders.has(folder));
      if (elsewhere)
        this.#add(
          { words: [], always: true },
          {
            problems: [{ verdict: 'ask', reason: told`a loop or a branch changes the folder` }],
            paths: [],
          },
        );
    }
    return { success: folders, failure: folders };
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
    this.#add({ words: [], always: true }, await this.#redirects([redirect], folders));
  }

  async #command(
    command: ShellCommand,
    folders: ReadonlySet<string>,
    { finding, names }: { readonly finding: Finding; readonly names?: Names | undefined } = {
      finding: findingOf(command),
    },
  ): Promise<Folders> {
    const words = command.words.map(({ value }) => value);
    const redirected = await this.#redirects(command.redirects, folders);
    const paths = [...redirected.paths];
    const problems = [...redirected.problems];
    if (finding.kind === 'harmless') {
      const used = await this.#harmless(finding, folders, names);
      paths.push(...used.paths);
      problems.push(...used.problems);
    } else {
      problems.push(...(await this.#unknown(finding, words, folders)));
    }
    const inner = finding.inner === undefined ? {} : { inner: finding.inner };
    const always = finding.kind !== 'unknown' || problems.length > 1;
    const writes = finding.kind === 'harmless' && finding.uses.some(({ as }) => as === 'write');
    const fed = this.#fed || command.fed;
    const open =
      finding.kind === 'unknown' && command.words.some(({ filled }) => filled === 'text');
    this.#add({ words, always, writes, fed, open, ...inner }, { problems, paths });
    const stay: Folders = { success: folders, failure: folders };
    return finding.kind === 'harmless' && finding.enters !== undefined
      ? this.#enter(finding.enters, folders)
      : stay;
  }

  async #harmless(
    finding: Harmless,
    folders: ReadonlySet<string>,
    names: Names | undefined,
  ): Promise<JudgedUses> {
    const { uses, git, unless = [], fromInput } = finding;
    const problems: Problem[] = [];
    const ask = (reason: Told | undefined): void => {
      if (reason !== undefined) problems.push({ verdict: 'ask', reason });
    };
    const handed: PathUse[] = [];
    if (fromInput !== undefined) {
      if (names === undefined) ask(told`which files it is given cannot be told`);
      else if (fromInput !== 'raw' && names.places.some(({ value }) => /[\s"'\\]/u.test(value)))
        ask(told`names with blanks are taken apart`);
      for (const word of names?.places ?? [])
        handed.push({
          word,
          as: 'content',
          below: { hidden: true, links: 'files', ...names?.reach, handed: fromInput },
        });
    }
    const used = await this.#uses.judge([...uses, ...handed], folders);
    problems.push(...used.problems);
    for (const folder of folders) ask(await this.#chosenBy(unless, folder));
    if (git !== undefined) problems.push(...(await this.#git(git, folders)));
    return { problems, paths: used.paths };
  }

  /** One of the files with which a program becomes another one, in a folder or above. */
  async #chosenBy(names: readonly string[], folder: string): Promise<Told | undefined> {
    if (names.length === 0) return undefined;
    for (let at = folder; ; at = resolvePath(at, '..')) {
      for (const name of names) {
        const file = `${at === '/' ? '' : at}/${name}`;
        if ((await this.#parts.files.stat(file).catch(() => undefined)) !== undefined)
          return told`${file} says which program it is`;
      }
      if (at === '/' || resolvePath(at, '..') === at) return undefined;
    }
  }

  async #git(git: GitUse, folders: ReadonlySet<string>): Promise<readonly Problem[]> {
    const places =
      git.folder === undefined ? [...folders] : await this.#uses.pathsOf(git.folder, folders);
    const problems: Problem[] = [];
    for (const place of places) {
      const problem = await gitProblem(this.#parts, place, git, this.#roots);
      if (problem !== undefined) problems.push(problem);
    }
    return problems;
  }

  /** Nobody knows what it does with its words: what is protected is asked about each time. */
  async #unknown(
    { reason }: Extract<Finding, { reason: Told }>,
    words: readonly string[],
    folders: ReadonlySet<string>,
  ): Promise<readonly Problem[]> {
    const problems: Problem[] = [{ verdict: 'ask', reason }];
    for (const folder of folders) {
      const found = await protectedWord(this.#parts, words, { folder, roots: this.#roots });
      if (found !== undefined) problems.push({ verdict: 'ask', reason: found });
    }
    return problems;
  }

  #add(
    part: {
      readonly words: readonly string[];
      readonly always: boolean;
      readonly writes?: boolean;
      readonly fed?: boolean;
      readonly open?: boolean;
      readonly inner?: readonly string[];
    },
    { problems, paths }: JudgedUses,
  ): void {
    const { words, inner, writes = false, fed = false, open = false } = part;
    const edits = writes && problems.length === 0;
    const all: readonly Problem[] = edits
      ? [{ verdict: 'ask', reason: told`${words[0] ?? ''} changes files` }]
      : problems;
    const refused = all.find(({ verdict }) => verdict === 'refuse');
    const [first] = all;
    this.#findings.push({
      words,
      ...(inner === undefined ? {} : { inner }),
      edits,
      fed,
      open,
      verdict: refused?.verdict ?? first?.verdict ?? 'allow',
      always: part.always && !edits && first !== undefined,
      paths,
      ...(first === undefined
        ? {}
        : {
            reason:
              refused?.reason ??
              joined(
                all.map(({ reason }) => reason),
                '; ',
              ),
          }),
    });
  }

  async #redirects(
    redirects: readonly ShellRedirect[],
    folders: ReadonlySet<string>,
  ): Promise<JudgedUses> {
    const problems: Problem[] = [];
    const paths: JudgedPath[] = [];
    for (const { access, target, text } of redirects) {
      if (target.value === '/dev/null') continue;
      if (target.glob !== undefined || target.filled !== undefined) {
        problems.push({ verdict: 'ask', reason: told`where ${text} leads to is not known` });
        continue;
      }
      for (const path of await this.#uses.pathsOf(target, folders)) {
        if (this.#uses.isHarmlessStream(path, access)) continue;
        const judged = await this.#parts.guard.judge({ path, access }, this.#roots);
        paths.push(judged);
        const problem = problemOfPath(judged, target.text);
        if (problem !== undefined) problems.push(problem);
        else if (access === 'write')
          problems.push({ verdict: 'ask', reason: told`${text} writes a file` });
      }
    }
    return { problems, paths };
  }

  async #enter(word: ShellWord, folders: ReadonlySet<string>): Promise<Folders> {
    const entered = new Set<string>();
    // From a folder behind a link `cd ..` leads back to where the link is.
    for (const path of await this.#uses.pathsOf(word, folders))
      entered.add(path).add(await this.#parts.files.realpath(path));
    return { success: entered, failure: folders };
  }
}

type Names = NonNullable<Harmless['lists']>;

function namesAfter(finding: Finding | undefined, before: Names | undefined): Names | undefined {
  if (finding?.kind !== 'harmless') return undefined;
  return finding.lists ?? (finding.passes === true ? before : undefined);
}
