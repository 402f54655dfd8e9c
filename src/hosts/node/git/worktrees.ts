import { execFile } from 'node:child_process';
import type { Stats } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { GitRepository } from '../../../core/ports/commands/git.ts';
import type {
  SkippedFile,
  Worktree,
  WorktreeChange,
  WorktreeChanges,
  Worktrees,
} from '../../../core/ports/commands/worktrees.ts';
import { fault } from '../../../domain/failure.ts';
import { type Told, told } from '../../../domain/text/told.ts';
import { findGit } from './find-git.ts';
import { type NodeGit, filterDriver } from './git.ts';
import { gitEnvironment } from './hardening.ts';

const run = promisify(execFile);

/** Bytes of a file, or of a list of files, that are read. */
const MOST_BYTES = 64 * 2 ** 20;
/** Files of submodules and nested repositories that a copy gets; each is stored once in the repository of the workspace. */
const MAX_NESTED_FILES = 20_000;
/** Ignored files that are named for each folder. */
const MAX_IGNORED_NAMES = 10;
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
  /** Names for the standard input. */
  readonly names?: readonly string[];
}

/** Submodules and nested repositories below a folder, with paths relative to it. */
interface Nested {
  readonly repositories: string[];
  readonly files: string[];
  /** Those whose files could not be listed, or were too many. */
  readonly missing: string[];
}

/** Working copies by `git worktree`, in the folder for temporary files. Nothing of a repository runs for them. */
export class NodeWorktrees implements Worktrees {
  readonly #git: Pick<NodeGit, 'repositoryOf' | 'settings' | 'files'>;
  readonly #environment: Readonly<Record<string, string | undefined>>;

  constructor(
    git: Pick<NodeGit, 'repositoryOf' | 'settings' | 'files'>,
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
      const index = path.join(place, 'index');
      const { base, missing } = await this.#commit(repository, index, signal);
      await this.#run(repository, ['worktree', 'add', '--detach', '--quiet', top, base], {
        cwd: repository.top,
        signal,
      });
      const below = path.relative(repository.top, real);
      await mkdir(path.join(top, below), { recursive: true });
      const lacks = missing.flatMap((one) => belowFolder(below, one) ?? []);
      const copy = { folder: path.join(top, below), top, of: repository.top, base };
      return lacks.length === 0 ? copy : { ...copy, missing: lacks };
    } catch (error) {
      await rm(place, { recursive: true, force: true });
      throw error;
    }
  }

  async changes(
    { folder, top, of, base }: Worktree,
    signal: AbortSignal,
  ): Promise<WorktreeChanges> {
    const repository = await this.#git.repositoryOf(of);
    if (repository === undefined)
      throw fault('tool', told`${of} is no repository any more, so its copy cannot be compared.`);
    // By the repository's own folder: what `.git` in the copy says is nobody's word.
    const copy = { ...repository, top };
    const call = { cwd: top, signal, more: { GIT_INDEX_FILE: path.join(top, '..', 'changes') } };
    await this.#run(copy, ['read-tree', base], call);
    const nested = await this.#stage(copy, call);
    const names = (all: readonly string[]): readonly string[] =>
      all.flatMap((name) => belowFolder(path.relative(top, folder), name) ?? []);
    const listing = ['ls-files', '--others', '--ignored', '--exclude-standard', '-z'];
    // More names than can be read are told by their folders.
    const ignored = await this.#run(copy, listing, call).catch(async () =>
      this.#run(copy, [...listing, '--directory'], call),
    );
    const history = told`the files of the repository are taken over, its history is not`;
    const left: SkippedFile[] = [
      ...names(nested.repositories).map((name) => ({ path: `${name}/.git`, why: history })),
      ...names(nested.missing).map((name) => ({
        path: name,
        why: told`the files of this repository cannot be listed, or are too many`,
      })),
      ...ignoredFiles(names(namesIn(ignored))),
    ];
    const changes: WorktreeChange[] = [];
    const args = ['diff', '--cached', '--raw', '--no-abbrev', '--no-renames', '--no-ext-diff'];
    const fields = namesIn(await this.#run(copy, [...args, '-z', base], call));
    for (let at = 0; at + 1 < fields.length; at += 2) {
      const [raw = '', file = ''] = fields.slice(at, at + 2);
      const [name] = names([file]);
      if (name === undefined) continue;
      const [from = '', to = '', blob = '', other = ''] = raw.slice(1).split(' ');
      const place = path.join(top, file);
      const stat = to === GONE ? undefined : await lstat(place).catch(() => undefined);
      const why = skippedBecause([from, to], stat);
      if (why !== undefined) left.unshift({ path: name, why });
      else if (to !== GONE && (from === EXECUTABLE) !== (to === EXECUTABLE))
        left.unshift({
          path: name,
          why: told`sub-agents do not change whether a file is executable`,
        });
      if (why !== undefined || blob === other) continue;
      const bytes = from === GONE ? undefined : this.#run(copy, ['cat-file', 'blob', blob], call);
      const before = await bytes?.catch(() => undefined);
      changes.push({ path: name, before, after: stat && (await readFile(place)) });
    }
    return { changes, left };
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
  async #commit(
    repository: GitRepository,
    index: string,
    signal: AbortSignal,
  ): Promise<{ readonly base: string; readonly missing: readonly string[] }> {
    const call = { cwd: repository.top, signal, more: { ...AUTHOR, GIT_INDEX_FILE: index } };
    const head = await this.#run(repository, ['rev-parse', '--verify', '--quiet', 'HEAD'], call)
      .then(textOf)
      .catch(() => '');
    if (head !== '') await this.#run(repository, ['read-tree', head], call);
    const { missing } = await this.#stage(repository, call);
    const tree = textOf(await this.#run(repository, ['write-tree'], call));
    const parents = head === '' ? [] : ['-p', head];
    const args = ['commit-tree', tree, ...parents, '-m', 'Working copy of a sub-agent'];
    return { base: textOf(await this.#run(repository, args, call)), missing };
  }

  /**
   * Puts all files into the index of the call as they are on disk. Those of submodules and nested repositories are put
   * there as plain files, since a copy of the repository alone would not have them.
   */
  async #stage(repository: GitRepository, call: Call): Promise<Nested> {
    const run = async (args: readonly string[], names?: readonly string[]): Promise<string[]> =>
      namesIn(await this.#run(repository, args, { ...call, ...(names && { names }) }));
    const links = (await run(['ls-files', '--stage', '-z'])).flatMap((entry) =>
      entry.startsWith('160000 ') ? entry.slice(entry.indexOf('\t') + 1) : [],
    );
    await run(['update-index', '--force-remove', '-z', '--stdin'], links);
    const untracked = await run(['ls-files', '--others', '--exclude-standard', '-z']);
    const others = untracked.flatMap((name) => (name.endsWith('/') ? name.slice(0, -1) : []));
    const without = others.map((name) => `:(exclude,literal)${name}`);
    await run(['add', '--all', '--', '.', ...without]);
    const nested: Nested = { repositories: [], files: [], missing: [] };
    for (const name of new Set([...links, ...others]))
      await this.#list(repository.top, name, nested);
    await run(['update-index', '--add', '--remove', '-z', '--stdin'], nested.files);
    return nested;
  }

  /** Adds the files of a nested repository, and of those in it. */
  async #list(top: string, name: string, nested: Nested): Promise<void> {
    const folder = path.join(top, name);
    const isOwn = (await this.#git.repositoryOf(folder))?.top === folder;
    const files = isOwn ? await this.#git.files(folder, true) : undefined;
    if (files === undefined || nested.files.length + files.length > MAX_NESTED_FILES) {
      nested.missing.push(name);
      return;
    }
    nested.repositories.push(name);
    for (const file of files) {
      const relative = path.relative(top, file).split(path.sep).join('/');
      const stat = await lstat(file).catch(() => undefined);
      if (stat?.isDirectory() === true) await this.#list(top, relative, nested);
      else if (stat !== undefined) nested.files.push(relative);
    }
  }

  async #run(
    at: GitRepository,
    args: readonly string[],
    { cwd, signal, more = {}, names = [] }: Call,
  ): Promise<Buffer> {
    const program = await findGit(this.#environment['PATH'] ?? '', cwd);
    if (program === undefined)
      throw fault('tool', told`git was not found on the PATH, so there is no working copy.`);
    const settings = await this.#git.settings(at, signal);
    const filters = settings.flatMap(({ key }) => filterDriver(key) ?? []);
    const place = [`--git-dir=${at.gitDir}`, `--work-tree=${at.top}`];
    try {
      const running = run(program, ['--no-pager', ...place, ...args], {
        cwd,
        encoding: 'buffer',
        maxBuffer: MOST_BYTES,
        signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST)]),
        windowsHide: true,
        env: { ...gitEnvironment(this.#environment, [...new Set(filters)]), ...more },
      });
      running.child.stdin?.on('error', () => undefined); // its exit says why
      running.child.stdin?.end(names.map((name) => `${name}\0`).join(''));
      return (await running).stdout;
    } catch (error) {
      signal.throwIfAborted();
      const said = String((error as { readonly stderr?: unknown }).stderr ?? error).trim();
      throw fault('tool', told`git ${args[0] ?? ''} failed: ${said.slice(0, 300)}`);
    }
  }
}

const textOf = (output: Buffer): string => output.toString('utf8').trim();

/** Names that git ends with NUL. */
const namesIn = (output: Buffer): string[] =>
  output
    .toString('utf8')
    .split('\0')
    .filter((name) => name !== '');

/** A path of the repository relative to a folder of it; `undefined`: it is not below. */
function belowFolder(folder: string, name: string): string | undefined {
  if (folder === '') return name;
  const prefix = `${folder.split(path.sep).join('/')}/`;
  return name.startsWith(prefix) ? name.slice(prefix.length) : undefined;
}

/** Files that git ignores. A copy begins without any, so they were all made in it. */
function ignoredFiles(files: readonly string[]): readonly SkippedFile[] {
  const why = told`git ignores it`;
  const folders = Map.groupBy(files, (file) => file.slice(0, file.indexOf('/') + 1));
  return [...folders].flatMap(([folder, below]) => {
    const more = folder === '' ? 0 : below.length - MAX_IGNORED_NAMES;
    if (more <= 0) return below.map((name) => ({ path: name, why }));
    const names = below.slice(0, MAX_IGNORED_NAMES).join(', ');
    return { path: `${names} and ${more} more in ${folder}`, why };
  });
}

/** Modes of git: of a file that is not there, and of one that is a program. */
const GONE = '000000';
const EXECUTABLE = '100755';

/** Why a change is not taken over; `undefined`: it is. */
function skippedBecause(modes: readonly string[], stat: Stats | undefined): Told | undefined {
  // A link would bring what it leads to.
  if (stat?.isFile() === false || modes.some((mode) => mode !== GONE && !mode.startsWith('100')))
    return told`it is a symbolic link`;
  const { size } = stat ?? { size: 0 };
  if (size <= MOST_BYTES) return undefined;
  return told`it has ${size} bytes, more than the ${MOST_BYTES} that are taken over`;
}
