import { rmSync } from 'node:fs';
import { access, chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RUNNER, RUNNER_COMMAND, RUNNER_NAME } from './runner.ts';

/** Between two looks for a file of the runner, in milliseconds. */
const LOOK = 15;

/** How a command ended, exactly. */
export interface JobEnd {
  readonly exitCode?: number;
  readonly signal?: string;
}

/** The folder where the runner and its jobs are; private to the person. */
export class JobFolder {
  readonly path: string;
  #ready: Promise<void> | undefined;

  constructor(folder: string) {
    this.path = folder;
  }

  get runner(): string {
    return path.join(this.path, 'runner.cjs');
  }

  get programs(): string {
    return path.join(this.path, 'bin');
  }

  async prepare(): Promise<void> {
    this.#ready ??= this.#prepare();
    await this.#ready;
  }

  dispose(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  job(name: string): Job {
    return new Job(path.join(this.path, name));
  }

  async #prepare(): Promise<void> {
    await mkdir(this.programs, { recursive: true, mode: 0o700 });
    await writeFile(this.runner, RUNNER, { mode: 0o600 });
    const program = path.join(this.programs, RUNNER_NAME);
    await writeFile(program, RUNNER_COMMAND);
    await chmod(program, 0o700);
  }
}

/** The files by which a terminal and Belay tell each other about the command in it. */
export class Job {
  /** Beginning of the names of its files. */
  readonly path: string;

  constructor(file: string) {
    this.path = file;
  }

  async give(order: {
    readonly command: string;
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    /** A variable that every process of the command inherits; the number of the runner is put behind its value. */
    readonly marker: { readonly name: string; readonly value: string };
  }): Promise<void> {
    await this.clear();
    await writeFile(`${this.path}.json`, JSON.stringify(order), { mode: 0o600 });
  }

  /** The number of the runner, which leads the group; `undefined` after `ms`. */
  async runner(ms: number, signal: AbortSignal): Promise<number | undefined> {
    const until = performance.now() + ms;
    while (performance.now() < until && !signal.aborted) {
      const text = await readFile(`${this.path}.pid`, 'utf8').catch(() => '');
      if (text !== '') return Number(text);
      await sleep(LOOK);
    }
    return undefined;
  }

  async letThrough(): Promise<void> {
    await writeFile(`${this.path}.go`, '');
  }

  /** `undefined`: it was killed before it could say. */
  async end(): Promise<JobEnd | undefined> {
    const text = await readFile(`${this.path}.end`, 'utf8').catch(() => '');
    return text === '' ? undefined : (JSON.parse(text) as JobEnd);
  }

  /** Resolves when the runner has written how the command ended, or the signal fires. */
  async ended(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const there = await access(`${this.path}.end`).then(
        () => true,
        () => false,
      );
      if (there) return;
      await sleep(LOOK * 3);
    }
  }

  async clear(): Promise<void> {
    await Promise.all(
      ['.json', '.pid', '.go', '.end'].map(async (name) =>
        rm(`${this.path}${name}`, { force: true }),
      ),
    );
  }
}
