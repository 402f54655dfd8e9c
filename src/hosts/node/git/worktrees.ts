import { execFile } from 'node:child_process';
import { lstat, mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { GitRepository } from '../../../core/ports/commands/git.ts';
import type {
  Worktree,
  WorktreeChange,
  Worktrees,
} from '../../../core/ports/commands/worktrees.ts';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { findGit } from './find-git.ts';
import { type NodeGit, filterDriver } from './git.ts';
import { gitEnvironment } from './hardening.ts';

const run = promisify(execFile);

/** Bytes of a file, or of a list of files, that are read. */
const MOST_BYTES = 64 * 2 ** 20;
/** Names of the folder of a copy, and of the copy in it. */
const PREFIX = 'belay-agent-';
const COPY = 'work';
/** Milliseconds of one call. */
const LONGEST = 120_000;

/** Who makes the commit that a copy begins with; it is on no branch. */
const AUTHOR = {
  GIT_AUTHOR_NAME: 'Belay',
  GIT_AUTHOR_EMAIL: 'belay@localhost',
  GIT_COMMITTER_NAME: 'Belay',
  GIT_COMMITTER_EMAIL: 'belay@localhost',
};

interface Call {
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly more?: Readonly<Record<string, string>>;
}

/** Working copies by `git worktree`, in the folder for temporary files. Nothing of a repository runs for them. */
export class NodeWorktrees implements Worktrees {
  readonly #git: Pick<NodeGit, 'repositoryOf' | 'settings'>;
  readonly #environment: Readonly<Record<string, string | undefined>>;

  constructor(
    git: Pick<NodeGit, 'repositoryOf' | 'settings'>,
    environment: Readonly<Record<string, string | undefined>> = process.env,
  ) {
    this.#git = git;
    this.#environment = environment;
  }

  async create(folder: string, name: string, signal: AbortSignal): Promise<Worktree | undefined> {
    const real = await realpath(folder);
    const repository = await this.#git.repositoryOf(real);
    if (repository === undefined) return undefined;
    const place = await realpath(await mkdtemp(path.join(os.tmpdir(), `${PREFIX}${name}-`)));
    const top = path.join(place, COPY);
    try {
      const base = await this.#commit(repository, path.join(place, 'index'), signal);
      await this.#run(repository, ['worktree', 'add', '--detach', '--quiet', top, base], {
        cwd: repository.top,
        signal,
      });
      const below = path.join(top, path.relative(repository.top, real));
      await mkdir(below, { recursive: true });
      return { folder: below, top, of: repository.top, base };
    } catch (error) {
      await rm(place, { recursive: true, force: true });
      throw error;
    }
  }

  async changes(
    { folder, top, of, base }: Worktree,
    signal: AbortSignal,
  ): Promise<readonly WorktreeChange[]> {
    const repository = await this.#git.repositoryOf(of);
    if (repository === undefined)
      throw fault('tool', told`${of} is no repository any more, so its copy cannot be compared.`);
    // By the repository's own folder: what `.git` in the copy says is nobody's word.
    const copy = { ...repository, top };
    const call = { cwd: top, signal, more: { GIT_INDEX_FILE: path.join(top, '..', 'changes') } };
    await this.#run(copy, ['read-tree', base], call);
    await this.#run(copy, ['add', '--all', '--', '.'], call);
    const args = ['diff', '--cached', '--name-only', '--no-renames', '--no-ext-diff', '-z', base];
    const listed = await this.#run(copy, args, call);
    const below = path.relative(top, folder).split(path.sep).join('/');
    const names = listed
      .toString('utf8')
      .split('\0')
      .filter((one) => one !== '' && (below === '' || one.startsWith(`${below}/`)));
    const changes: WorktreeChange[] = [];
    for (const one of names) {
      const file = path.join(top, one);
      const kind = await lstat(file).catch(() => undefined);
      // A link would bring what it leads to.
      if (kind !== undefined && !kind.isFile()) continue;
      const before = await this.#run(copy, ['cat-file', 'blob', `${base}:${one}`], call).catch(
        () => undefined,
      );
      const after = kind === undefined ? undefined : await readFile(file);
      changes.push({ path: below === '' ? one : one.slice(below.length + 1), before, after });
    }
    return changes;
  }

  async list(): Promise<readonly string[]> {
    const folder = await realpath(os.tmpdir());
    const names = (await readdir(folder)).filter((name) => name.startsWith(PREFIX));
    return names.map((name) => path.join(folder, name, COPY));
  }

  async remove({ top, of }: Worktree): Promise<void> {
    const repository = await this.#git.repositoryOf(of);
    const signal = AbortSignal.timeout(LONGEST);
    if (repository !== undefined)
      await this.#run(repository, ['worktree', 'remove', '--force', top], {
        cwd: repository.top,
        signal,
      }).catch(() => undefined);
    await rm(path.dirname(top), { recursive: true, force: true });
    if (repository !== undefined)
      await this.#run(repository, ['worktree', 'prune'], { cwd: repository.top, signal }).catch(
        () => undefined,
      );
  }

  /** A commit of the files as they are on disk; the person's index and branches stay as they are. */
  async #commit(repository: GitRepository, index: string, signal: AbortSignal): Promise<string> {
    const call = { cwd: repository.top, signal, more: { ...AUTHOR, GIT_INDEX_FILE: index } };
    const head = await this.#run(repository, ['rev-parse', '--verify', '--quiet', 'HEAD'], call)
      .then(textOf)
      .catch(() => '');
    if (head !== '') await this.#run(repository, ['read-tree', head], call);
    await this.#run(repository, ['add', '--all', '--', '.'], call);
    const tree = textOf(await this.#run(repository, ['write-tree'], call));
    const parents = head === '' ? [] : ['-p', head];
    const args = ['commit-tree', tree, ...parents, '-m', 'Working copy of a sub-agent'];
    return textOf(await this.#run(repository, args, call));
  }

  async #run(
    at: GitRepository,
    args: readonly string[],
    { cwd, signal, more = {} }: Call,
  ): Promise<Buffer> {
    const program = await findGit(this.#environment['PATH'] ?? '', cwd);
    if (program === undefined)
      throw fault('tool', told`git was not found on the PATH, so there is no working copy.`);
    const settings = await this.#git.settings(at, signal);
    const filters = settings.flatMap(({ key }) => filterDriver(key) ?? []);
    const place = [`--git-dir=${at.gitDir}`, `--work-tree=${at.top}`];
    try {
      const { stdout } = await run(program, ['--no-pager', ...place, ...args], {
        cwd,
        encoding: 'buffer',
        maxBuffer: MOST_BYTES,
        signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST)]),
        windowsHide: true,
        env: { ...gitEnvironment(this.#environment, [...new Set(filters)]), ...more },
      });
      return stdout;
    } catch (error) {
      signal.throwIfAborted();
      const said = String((error as { readonly stderr?: unknown }).stderr ?? error).trim();
      throw fault('tool', told`git ${args[0] ?? ''} failed: ${said.slice(0, 300)}`);
    }
  }
}

const textOf = (output: Buffer): string => output.toString('utf8').trim();
