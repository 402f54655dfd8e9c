import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A repository that has git run a program in as many ways as there are; each leaves a file. */
export class HostileRepository {
  readonly base: string;
  readonly ws: string;
  /** Everything that ran wrote its name here. */
  readonly canaries: string;

  private constructor(base: string) {
    this.base = base;
    this.ws = path.join(base, 'ws');
    this.canaries = path.join(base, 'canaries');
  }

  /** An ordinary repository with two commits and a change. */
  static async make(): Promise<HostileRepository> {
    const base = realpathSync(await mkdtemp(path.join(tmpdir(), 'belay-hostile-')));
    const made = new HostileRepository(base);
    await mkdir(made.ws);
    await mkdir(made.canaries);
    made.git('init', '--quiet', '--initial-branch=main');
    await made.write('src/a.ts', 'one\n');
    await made.write('b.bin', 'one\n');
    made.git('add', '.');
    made.git('commit', '--quiet', '-m', 'first');
    await made.write('src/a.ts', 'two\n');
    made.git('commit', '--quiet', '-am', 'second');
    await made.write('src/a.ts', 'three\n');
    await made.write('b.bin', 'three\n');
    return made;
  }

  /** A command that leaves a file with this name. */
  trap(name: string): string {
    return `touch ${path.join(this.canaries, name)}; cat`;
  }

  /** Sets git's configuration of the repository, as somebody who made it would. */
  config(key: string, value: string, folder = this.ws): void {
    this.#git(folder, ['config', '--add', key, value]);
  }

  git(...args: readonly string[]): string {
    return this.#git(this.ws, args);
  }

  async write(name: string, content: string): Promise<void> {
    const file = path.join(this.ws, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  async script(name: string, trap: string): Promise<string> {
    const file = path.join(this.ws, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, `#!/bin/sh\n${this.trap(trap)}\n`);
    await chmod(file, 0o755);
    return file;
  }

  remove(): Promise<void> {
    return rm(this.base, { recursive: true, force: true });
  }

  /** Only for setting the scene: nothing of it is under test. */
  #git(cwd: string, args: readonly string[]): string {
    const who = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'protocol.file.allow=always'];
    const quiet = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
    return execFileSync('git', [...who, ...quiet, ...args], {
      cwd,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: this.base, GIT_CONFIG_NOSYSTEM: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
}
