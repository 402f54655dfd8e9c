import { type ChildProcess, execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import spawn from 'cross-spawn';

export interface ServerProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Milliseconds a server gets to end by itself after its input closed, and after it was asked to end. */
const patience = { afterInput: 500, afterTerm: 1500 };
/** Milliseconds until the pipes of an ended process are closed, should another process still hold them. */
const pipeGrace = 200;

/** A local server as one process group, which ends with it, and with us. */
export class ServerProcess {
  readonly child: ChildProcess;
  /** Resolves when the process has ended, or could not start; never rejects. */
  readonly ended: Promise<ProcessExit>;
  #exit: ProcessExit | undefined;

  /** Check `started` next: a command that is not there shows only later. */
  constructor(options: ServerProcessOptions) {
    this.child = spawn(options.command, [...options.args], {
      cwd: options.cwd,
      env: { ...options.environment },
      stdio: 'pipe',
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const { promise, resolve } = Promise.withResolvers<ProcessExit>();
    this.ended = promise;
    const end = (exit: ProcessExit): void => {
      this.#exit ??= exit;
      forget(this);
      resolve(exit);
    };
    this.child.on('error', () => {
      if (this.child.pid === undefined) end({ code: null, signal: null });
    });
    this.child.once('exit', (code, signal) => {
      // The server's own processes must not outlive it.
      this.kill('SIGKILL');
      setTimeout(() => this.#closePipes(), pipeGrace).unref();
      end({ code, signal });
    });
    if (this.child.pid !== undefined) remember(this);
  }

  /** Resolves when the process runs; rejects with the system's error (`ENOENT`, `EACCES` …). */
  async started(): Promise<void> {
    if (this.child.pid !== undefined) return;
    const { promise, reject } = Promise.withResolvers<never>();
    this.child.once('error', reject);
    await promise;
  }

  get exit(): ProcessExit | undefined {
    return this.#exit;
  }

  /** Ends the whole group: closes the input, asks, insists. Resolves when the process has ended. */
  async stop(): Promise<void> {
    if (this.child.pid === undefined) return;
    this.child.stdin?.end();
    await this.endsWithin(patience.afterInput);
    if (this.#exit === undefined) this.kill('SIGTERM');
    await this.endsWithin(patience.afterTerm);
    if (this.#exit === undefined) this.kill('SIGKILL');
    await this.ended;
  }

  kill(signal: NodeJS.Signals): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    if (process.platform === 'win32') {
      execFile('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true }, () => {});
      return;
    }
    try {
      process.kill(-pid, signal);
    } catch {
      // ESRCH: nothing of the group is left.
    }
  }

  /** Resolves when the process has ended, or after the time. */
  async endsWithin(milliseconds: number): Promise<void> {
    const timer = new AbortController();
    const wait = delay(milliseconds, undefined, { signal: timer.signal }).catch(() => {});
    await Promise.race([this.ended, wait]);
    timer.abort();
  }

  #closePipes(): void {
    this.child.stdin?.destroy();
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
  }
}

const living = new Set<ServerProcess>();

function remember(server: ServerProcess): void {
  if (living.size === 0) process.once('exit', endAll);
  living.add(server);
}

function forget(server: ServerProcess): void {
  living.delete(server);
  if (living.size === 0) process.off('exit', endAll);
}

function endAll(): void {
  for (const server of living) server.kill('SIGKILL');
}
