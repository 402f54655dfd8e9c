import { execFile } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { sizeOf } from './trees.ts';

const execute = promisify(execFile);

/** What a person without Belay would do: git, with nobody's configuration. */
export class GitBaseline {
  readonly #workTree: string;
  readonly #folder: string;

  /** @param folder the repository's own */
  constructor(workTree: string, folder = path.join(workTree, '.git')) {
    this.#workTree = workTree;
    this.#folder = folder;
  }

  async initialize(): Promise<void> {
    await this.#git('init', '--quiet');
  }

  /** Everything is in the repository afterwards. */
  async commit(): Promise<void> {
    await this.#git('add', '--all');
    await this.#git('commit', '--quiet', '--allow-empty', '--message', 'x');
  }

  /** Leaves out what is new. @returns the commit; `HEAD` when nothing has changed */
  async stash(): Promise<string> {
    return (await this.#git('stash', 'create')) || 'HEAD';
  }

  /** With what is new, by an index of its own, so that the person's stays as it is. */
  async stashAll(): Promise<string> {
    const index = { GIT_INDEX_FILE: this.#ownIndex };
    await this.#run(index, 'add', '--all');
    return (await this.#run(index, 'stash', 'create')) || 'HEAD';
  }

  async status(): Promise<void> {
    await this.#git('status', '--porcelain');
  }

  /** Once, before `stashAll`. */
  copyIndex(): void {
    copyFileSync(path.join(this.#folder, 'index'), this.#ownIndex);
  }

  async restore(commit: string, files: readonly string[]): Promise<void> {
    const below = files.map((file) => path.relative(this.#workTree, file));
    await this.#git('restore', `--source=${commit}`, '--worktree', '--', ...below);
  }

  /** Bytes of its objects, not of the blocks that they take. */
  get bytes(): number {
    return sizeOf(path.join(this.#folder, 'objects')).bytes;
  }

  get #ownIndex(): string {
    return path.join(this.#folder, 'index-of-checkpoints');
  }

  #git(...args: string[]): Promise<string> {
    return this.#run({}, ...args);
  }

  async #run(environment: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
    const settings = ['gc.auto=0', 'user.name=bench', 'user.email=bench@example.org'];
    const { stdout } = await execute('git', [...settings.flatMap((one) => ['-c', one]), ...args], {
      cwd: this.#workTree,
      env: {
        ...process.env,
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_CONFIG_SYSTEM: '/dev/null',
        GIT_DIR: this.#folder,
        GIT_WORK_TREE: this.#workTree,
        ...environment,
      },
    });
    return stdout.trim();
  }
}
