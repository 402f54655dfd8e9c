import type { GitSetting } from './git-setting.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { abortError, throwIfAborted } from '../../../domain/lifetime/abort.ts';
import type {
  Git,
  GitRepository,
  GitRequest,
  GitResult,
} from '../../../core/ports/commands/git.ts';
import type { RepositoryInspector } from '../../../core/ports/commands/repository-inspector.ts';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { discoverRepository } from './discover.ts';
import { findGit } from './find-git.ts';
import { gitEnvironment, guardedArguments } from './hardening.ts';
import { repositoryHazards } from './hazards.ts';

const MOST_BYTES = 1_000_000;
/** Milliseconds; a call that only reads and takes longer has gone wrong. */
const LONGEST = 60_000;

/** Bytes of the names of a repository's files, and milliseconds to list them. */
const MOST_NAMES = 50_000_000;
const LONGEST_LISTING = 10_000;

const OBJECT_KINDS = ['commit', 'tree', 'blob'] as const;
type ObjectKind = (typeof OBJECT_KINDS)[number];

/** Every call of git that Belay makes itself goes through here. */
export class NodeGit implements Git, RepositoryInspector {
  readonly #environment: Readonly<Record<string, string | undefined>>;

  /** `environment`: ours, of which the calls get next to nothing. */
  constructor(environment: Readonly<Record<string, string | undefined>> = process.env) {
    this.#environment = environment;
  }

  repositoryOf(folder: string): Promise<GitRepository | undefined> {
    return discoverRepository(folder);
  }

  async run(request: GitRequest): Promise<GitResult> {
    const settings = await this.settings(request.repository, request.signal);
    const filters = settings.flatMap(({ key }) => filterDriver(key) ?? []);
    return this.#call(request, [...new Set(filters)]);
  }

  async hazards(folder: string): Promise<readonly string[]> {
    return repositoryHazards(this, folder);
  }

  async files(folder: string, untracked = false): Promise<readonly string[] | undefined> {
    try {
      const repository = await discoverRepository(folder);
      if (repository === undefined) return undefined;
      const others = untracked ? ['--others', '--exclude-standard'] : [];
      const args = ['ls-files', '-z', '--cached', ...others];
      const signal = AbortSignal.timeout(LONGEST_LISTING);
      const listed = await this.run({ repository, args, signal, maxBytes: MOST_NAMES });
      if (listed.cut || listed.exitCode !== 0) return undefined;
      const names = listed.output.split('\0').filter((name) => name !== '');
      return names.map((name) => path.join(repository.top, name));
    } catch {
      return undefined;
    }
  }

  async filesOf(folder: string, revision: string): Promise<readonly string[] | undefined> {
    const repository = await discoverRepository(folder);
    if (repository === undefined || !isName(revision)) return undefined;
    const found: string[] = [];
    for (const commit of [`${revision}^{commit}`, `${revision}^3`]) {
      const args = ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit];
      const signal = AbortSignal.timeout(LONGEST_LISTING);
      // It only reads objects: no filter of the repository has a part in it.
      const listed = await this.#call({ repository, args, signal, maxBytes: MOST_NAMES }, []);
      if (listed.exitCode !== 0) break;
      const names = listed.output.split('\0').filter((name) => name !== '');
      found.push(...names.map((name) => path.join(repository.top, name)));
    }
    return found.length === 0 ? undefined : found;
  }

  async topOf(folder: string): Promise<string | undefined> {
    return (await discoverRepository(folder))?.top;
  }

  async kindOf(folder: string, revision: string): Promise<ObjectKind | undefined> {
    const repository = await discoverRepository(folder);
    if (repository === undefined || !isName(revision)) return undefined;
    // A path in a revision ends at its own end; of other names tags are followed.
    for (const name of [`${revision}^{}`, revision]) {
      const args = ['cat-file', '-t', name];
      const signal = AbortSignal.timeout(LONGEST_LISTING);
      const asked = await this.run({ repository, args, signal }).catch(() => undefined);
      const kind = asked?.exitCode === 0 ? asked.output.trim() : '';
      const found = OBJECT_KINDS.find((one) => one === kind);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The repository's own configuration, with what it includes. */
  async settings(repository: GitRepository, signal: AbortSignal): Promise<readonly GitSetting[]> {
    const args = ['config', '--list', '--includes', '--show-scope', '-z'];
    const { output, exitCode, cut, errors } = await this.#call(
      { repository, args, signal, maxBytes: MOST_BYTES },
      [],
    );
    if (exitCode !== 0 || cut) {
      const message = told`The configuration of the repository in ${repository.top} cannot be read (${errors.trim().slice(0, 200) || 'too long'}), so git was not asked.`;
      throw fault('tool', message);
    }
    return readSettings(output);
  }

  async #call(
    { repository, args, signal, maxBytes = MOST_BYTES }: GitRequest,
    filters: readonly string[],
  ): Promise<GitResult> {
    throwIfAborted(signal);
    const guarded = guardedArguments(args);
    if (guarded === undefined) throw new Error(`git ${args[0] ?? ''} is not one of our own calls.`);
    const program = await findGit(this.#environment['PATH'] ?? '', repository.top);
    if (program === undefined) {
      const message = told`git was not found on the PATH. Nothing was done; install git, or go without it.`;
      throw fault('tool', message);
    }
    const place = [`--git-dir=${repository.gitDir}`, `--work-tree=${repository.top}`];
    const child = spawn(program, ['--no-pager', ...place, ...guarded], {
      cwd: repository.top,
      env: gitEnvironment(this.#environment, filters),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const limit = AbortSignal.any([signal, AbortSignal.timeout(LONGEST)]);
    const stop = (): void => void child.kill('SIGKILL');
    limit.addEventListener('abort', stop, { once: true });
    const output = new Collected(maxBytes, stop);
    const errors = new Collected(10_000, () => undefined);
    child.stdout.on('data', (chunk: Buffer) => output.add(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.add(chunk));
    try {
      const [code] = (await once(child, 'close')) as [number | null];
      if (signal.aborted) throw abortError();
      return {
        exitCode: code ?? undefined,
        output: output.text(),
        errors: errors.text(),
        cut: output.cut || limit.aborted,
      };
    } finally {
      limit.removeEventListener('abort', stop);
    }
  }
}

/** True for what may be the name of a revision, and no option. */
function isName(revision: string): boolean {
  return revision !== '' && !/^-|[\0\n]/u.test(revision);
}

/** The name of the driver when a setting is one of a filter. */
export function filterDriver(key: string): string | undefined {
  return /^filter\.(.+)\.[^.]+$/su.exec(key)?.[1];
}

/** Output of `config --list --show-scope -z`: scope, NUL, key, LF, value, NUL. */
function readSettings(output: string): readonly GitSetting[] {
  const fields = output.split('\0');
  const settings: GitSetting[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope = '', entry = ''] = [fields[at], fields[at + 1]];
    if (scope === 'command') continue;
    const end = entry.indexOf('\n');
    settings.push(
      end < 0
        ? { key: entry, value: 'true' }
        : { key: entry.slice(0, end), value: entry.slice(end + 1) },
    );
  }
  return settings;
}

/** Output up to a limit. */
class Collected {
  readonly #limit: number;
  readonly #full: () => void;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  cut = false;

  constructor(limit: number, full: () => void) {
    this.#limit = limit;
    this.#full = full;
  }

  add(chunk: Buffer): void {
    if (this.cut) return;
    this.#chunks.push(chunk.subarray(0, this.#limit - this.#size));
    this.#size += chunk.length;
    if (this.#size <= this.#limit) return;
    this.cut = true;
    this.#full();
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
