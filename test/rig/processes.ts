import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The repository's top folder, absolute. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

/**
 * Every process of a tree carries this variable, so that a stray one can be found when its parent is gone.
 * It lists the marks of all trees the process belongs to.
 */
const marker = 'BELAY_RIG_TREE';

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly stdio?: StdioOptions;
}

/** Runs a command to its end. Resolves with its exit code (1 when a signal ended it). */
export function run(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: options.env ?? process.env,
      stdio: options.stdio ?? ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Runs a command to its end and keeps what it printed. */
export function capture(
  command: string,
  args: readonly string[],
  options: Omit<RunOptions, 'stdio'> = {},
): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Trees that have been started and not stopped. */
const running = new Set<ProcessTree>();

/** A long-running process with all its descendants, which end together. */
export class ProcessTree {
  readonly child: ChildProcess;
  private readonly mark = randomUUID();

  constructor(command: string, args: readonly string[], options: RunOptions = {}) {
    const env = options.env ?? process.env;
    this.child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: { ...env, [marker]: [env[marker], this.mark].filter(Boolean).join(' ') },
      stdio: options.stdio ?? ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    running.add(this);
  }

  /** Ids of the living processes of the tree. A terminal's shell leads a session of its own, but is found too. */
  living(): number[] {
    const { pid } = this.child;
    if (pid === undefined) return [];
    if (process.platform === 'linux') return markedProcesses(this.mark);
    return descendants(pid);
  }

  /** Ids of the living processes whose command line contains `text` (Linux only). */
  livingWith(text: string): number[] {
    return this.living().filter((pid) => commandLine(pid).includes(text));
  }

  /** Ends the whole tree: asks first, then insists after `patience` milliseconds. */
  async stop(patience = 3000): Promise<void> {
    running.delete(this);
    const { pid } = this.child;
    if (pid === undefined) return;
    if (process.platform === 'win32') {
      spawnSync('taskkill', ['/pid', String(pid), '/T', '/F']);
      return;
    }
    const known = new Set(this.living());
    signal(-pid, 'SIGTERM');
    for (const one of known) signal(one, 'SIGTERM');
    const deadline = Date.now() + patience;
    const left = (): number[] => [...new Set([...this.living(), ...[...known].filter(alive)])];
    while (left().length > 0 && Date.now() < deadline) await delay(50);
    for (const one of left()) signal(one, 'SIGKILL');
    while (left().length > 0) await delay(20);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // it has ended by itself
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch {
    return false;
  }
}

function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').trim().startsWith('Z');
  } catch {
    return true;
  }
}

/** The command line of a process, its arguments with blanks between; empty when it is gone (Linux only). */
export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function markedProcesses(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(text) && !isZombie(pid);
      } catch {
        return false; // ended meanwhile, or another user's
      }
    });
}

function descendants(ancestor: number): number[] {
  const rows = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number));
  const found = alive(ancestor) ? [ancestor] : [];
  const seen = new Set([ancestor]);
  for (let grown = true; grown;) {
    grown = false;
    for (const [pid, parent] of rows) {
      if (pid === undefined || parent === undefined || seen.has(pid) || !seen.has(parent)) continue;
      seen.add(pid);
      found.push(pid);
      grown = true;
    }
  }
  return found;
}

/** Stops every process tree that this process has started: for `onEnd`. */
export async function stopEverything(): Promise<void> {
  await Promise.all([...running].map((tree) => tree.stop()));
}

/**
 * Runs `stop` once when this process is asked to end (Ctrl-C, a closed terminal, the death of the process that
 * started it) and exits afterwards.
 */
export function onEnd(stop: (reason: string) => Promise<void>): void {
  let ending = false;
  const end = (reason: string, code: number): void => {
    if (ending) return;
    ending = true;
    // Ctrl-C reaches the helpers too (the bundler, npm): that they break off is no news.
    process.on('uncaughtException', () => undefined);
    stop(reason).then(
      () => process.exit(code),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', () => end('SIGINT', 130));
  process.on('SIGTERM', () => end('SIGTERM', 143));
  process.on('SIGHUP', () => end('SIGHUP', 129));
  if (process.channel) {
    process.on('disconnect', () => end('the starting process has gone', 1));
    process.channel.unref();
  }
}
