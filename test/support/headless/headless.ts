import { spawn } from 'node:child_process';
import path from 'node:path';
import type { ChildProcess } from 'node:child_process';
import type { RunEvent } from '../../../src/domain/event.ts';
import { headlessProgram } from './program.ts';

export interface HeadlessOptions {
  readonly modelUrl: string;
  readonly workspace: string;
  readonly data: string;
  readonly arguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The number of the user it runs as. */
  readonly user?: number;
  /** Milliseconds after which its process group is killed with SIGKILL. */
  readonly killAfterMs?: number;
  /** The program; the headless host itself unless given. */
  readonly program?: string;
  /** Hears of each line of standard output as it comes. */
  readonly onLine?: (line: string, running: RunningHeadless) => void;
}

export interface HeadlessResult {
  /** `null` when a signal ended it. */
  readonly code: number | null;
  /** SIGKILL ended it: ours, or its own. */
  readonly killed: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** The last line of standard error: what a person reads. */
  readonly message: string;
}

/** A headless host that runs, in a process group of its own. */
export class RunningHeadless {
  readonly child: ChildProcess;
  /** Resolves when it has ended and all its output has come. */
  readonly ended: Promise<HeadlessResult>;
  stdout = '';
  stderr = '';
  readonly #seen = new Set<() => void>();

  constructor(child: ChildProcess, options: HeadlessOptions) {
    this.child = child;
    let rest = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) options.onLine?.(line, this);
      for (const look of this.#seen) look();
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
      for (const look of this.#seen) look();
    });
    this.ended = new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => {
        resolve({
          code,
          killed: signal === 'SIGKILL',
          stdout: this.stdout,
          stderr: this.stderr,
          message: this.stderr.trim().split('\n').at(-1) ?? '',
        });
        for (const look of this.#seen) look();
      });
    });
  }

  /** Kills the whole process group, as a crash of the machine's session would. */
  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    if (this.child.pid === undefined || this.child.exitCode !== null) return;
    try {
      process.kill(-this.child.pid, signal);
    } catch {
      // it ended by itself in this moment
    }
  }

  /** Resolves when what it printed matches; rejects when it ends before. */
  async prints(pattern: RegExp): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const look = (): void => {
      if (pattern.test(this.stdout) || pattern.test(this.stderr)) resolve();
      else if (this.child.exitCode !== null || this.child.signalCode !== null)
        reject(new Error(`It ended before it printed ${String(pattern)}: ${this.stderr}`));
    };
    this.#seen.add(look);
    look();
    await promise.finally(() => this.#seen.delete(look));
  }
}

/** Starts the bundled headless host in a process group of its own. */
export async function startHeadless(options: HeadlessOptions): Promise<RunningHeadless> {
  const { modelUrl, workspace, data, environment = {} } = options;
  const program = options.program ?? (await headlessProgram());
  const child = spawn(
    process.execPath,
    [
      program,
      '--model-url',
      modelUrl,
      '--workspace',
      workspace,
      '--data',
      data,
      ...(options.arguments ?? []),
    ],
    {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(options.user === undefined ? {} : { uid: options.user, gid: options.user }),
      env: {
        ...process.env,
        ANTHROPIC_API_KEY: 'test-key',
        BELAY_USER_DATA: path.dirname(data),
        ...environment,
      },
    },
  );
  return new RunningHeadless(child, options);
}

/** Starts the bundled headless host with exactly these arguments, in a process group of its own. */
export async function startProgram(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningHeadless> {
  const child = spawn(process.execPath, [await headlessProgram(), ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ANTHROPIC_API_KEY: 'test-key', ...environment },
  });
  return new RunningHeadless(child, { modelUrl: '', workspace: '', data: '' });
}

/** Runs the bundled headless host to its end, or until it is killed. */
export async function headless(options: HeadlessOptions): Promise<HeadlessResult> {
  const running = await startHeadless(options);
  const timer =
    options.killAfterMs === undefined
      ? undefined
      : setTimeout(() => running.kill(), options.killAfterMs);
  try {
    return await running.ended;
  } finally {
    clearTimeout(timer);
  }
}

/** The events that `--json` printed. */
export function eventsOf(result: Pick<HeadlessResult, 'stdout'>): RunEvent[] {
  return result.stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as RunEvent);
}
