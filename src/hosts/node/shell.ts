import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { abortError, throwIfAborted } from '../../core/abort.ts';
import type { Shell, ShellRequest, ShellResult } from '../../core/ports.ts';
import { BelayError } from '../../domain/failure.ts';
import { BoundedOutput } from './bounded-output.ts';
import { commandEnvironment } from './command-environment.ts';
import { ProcessGuard } from './process-guard.ts';
import { groupIsAlive, processBirth, stopGroup } from './process-group.ts';
import { systemCode } from './system-failure.ts';

/** How long children of a command that has ended may go on before they are stopped, in milliseconds. */
const CHILDREN_GRACE = 300;
/** How long output may be silent, after the group is gone, before somebody else's hold on it is ignored. */
const PIPE_GRACE = 250;

/**
 * The gate: a shell that waits for a line on its fourth stream before it becomes the command's shell.
 * Until then the command can do nothing, so the record of its process group is on disk first; when we
 * die before that, the gate ends. Both output streams are one pipe: the order of arrival is exact.
 */
const GATE = 'IFS= read -r _ <&3 || exit 125; exec 3<&-; exec "$1" -c "$2" 2>&1';

/**
 * Runs commands as process groups of their own that never outlive us, with no input, a built-up
 * environment and bounded output. Also for hosts with a terminal of their own, as the fallback.
 */
export class NodeShell implements Shell {
  readonly #guard = new ProcessGuard();
  readonly #environment: () => Record<string, string>;

  /** `environment`: what commands get; by default what they need of ours. */
  constructor(environment: () => Record<string, string> = () => commandEnvironment(process.env)) {
    this.#environment = environment;
  }

  async run(request: ShellRequest): Promise<ShellResult> {
    throwIfAborted(request.signal);
    const child = await this.#start(request);
    const leader = child.pid ?? 0;
    const watched = this.#guard.watch(leader);
    try {
      await announce(leader, request);
      return await new RunningCommand(child, leader, request).ended();
    } catch (thrown) {
      await stopGroup(leader);
      throw thrown;
    } finally {
      watched.dispose();
      release(child);
    }
  }

  /** Lets go of the guard process; commands still running are killed. */
  dispose(): void {
    this.#guard.dispose();
  }

  async #start({ command, cwd }: ShellRequest): Promise<ChildProcess> {
    if (!existsSync(cwd)) {
      throw new BelayError({
        code: 'not_found',
        message: `The folder ${cwd} does not exist, so the command was not run.`,
      });
    }
    const { program, args, stdio } =
      process.platform === 'win32' ? windowsCommand(command) : posixCommand(command);
    try {
      const child = spawn(program, args, {
        cwd,
        env: this.#environment(),
        detached: process.platform !== 'win32',
        windowsHide: true,
        windowsVerbatimArguments: true,
        stdio,
      });
      await once(child, 'spawn');
      return child;
    } catch (thrown) {
      throw startFailure(cwd, thrown);
    }
  }
}

/** A command that has been let through the gate. */
class RunningCommand {
  readonly #child: ChildProcess;
  readonly #leader: number;
  readonly #request: ShellRequest;
  readonly #output = new BoundedOutput();
  readonly #closed: Promise<unknown>;
  readonly #exited: Promise<readonly [number | null, NodeJS.Signals | null]>;
  #lastOutput = performance.now();
  #timedOut = false;

  constructor(child: ChildProcess, leader: number, request: ShellRequest) {
    this.#child = child;
    this.#leader = leader;
    this.#request = request;
    const { promise, resolve } =
      Promise.withResolvers<readonly [number | null, NodeJS.Signals | null]>();
    child.once('exit', (code, signal) => resolve([code, signal]));
    this.#exited = promise;
    this.#closed = once(child, 'close');
    this.#closed.catch(() => undefined);
    if (child.stdout !== null) this.#collect(child.stdout);
    if (process.platform === 'win32' && child.stderr !== null) this.#collect(child.stderr);
  }

  async ended(): Promise<ShellResult> {
    const { signal, timeoutMs } = this.#request;
    const stop = (): void => void stopGroup(this.#leader);
    signal.addEventListener('abort', stop, { once: true });
    const deadline = Number.isFinite(timeoutMs)
      ? setTimeout(
          () => {
            this.#timedOut = true;
            stop();
          },
          Math.min(timeoutMs, 2 ** 31 - 1),
        )
      : undefined;
    try {
      letThrough(this.#child);
      if (signal.aborted) stop();
      const [code, by] = await this.#exited;
      const stopped = await this.#stopChildren();
      await this.#drain();
      if (signal.aborted) throw abortError();
      return {
        exitCode: code ?? undefined,
        ...(by === null ? {} : { signal: by }),
        output: this.#output.toString(),
        total: this.#output.total,
        timedOut: this.#timedOut,
        childrenStopped: stopped && !this.#timedOut,
      };
    } finally {
      clearTimeout(deadline);
      signal.removeEventListener('abort', stop);
    }
  }

  /** What the command started and left behind ends with it. `true`: something had to be stopped. */
  async #stopChildren(): Promise<boolean> {
    if (process.platform === 'win32') return false;
    const until = performance.now() + CHILDREN_GRACE;
    while (performance.now() < until) {
      if (!(await groupIsAlive(this.#leader))) return false;
      await sleep(20);
    }
    await stopGroup(this.#leader);
    return true;
  }

  /** All output has been read, or only a process that left the group holds the pipe. */
  async #drain(): Promise<void> {
    const closing = this.#closed.then(() => 'closed' as const);
    for (;;) {
      if ((await Promise.race([closing, sleep(PIPE_GRACE)])) === 'closed') return;
      if (performance.now() - this.#lastOutput >= PIPE_GRACE) return;
    }
  }

  #collect(stream: Readable): void {
    const decoder = new TextDecoder();
    const take = (text: string): void => {
      if (text === '') return;
      this.#lastOutput = performance.now();
      this.#output.add(text);
      this.#request.onOutput(text);
    };
    stream.on('data', (chunk: Buffer) => take(decoder.decode(chunk, { stream: true })));
    stream.on('end', () => take(decoder.decode()));
    stream.on('error', () => undefined); // the reading end is gone: `close` tells
  }
}

/** Makes the process known before the command may begin. */
async function announce(leader: number, { onStarted, signal }: ShellRequest): Promise<void> {
  if (onStarted === undefined) return;
  const birth = await processBirth(leader);
  await onStarted({ pid: leader, birth: birth ?? '' });
  throwIfAborted(signal);
}

function letThrough(child: ChildProcess): void {
  const gate =
    process.platform === 'win32' ? child.stdin : (child.stdio[3] as Writable | null | undefined);
  gate?.on('error', () => undefined); // it has ended already
  gate?.end('go\n');
}

function release(child: ChildProcess): void {
  for (const stream of child.stdio) stream?.destroy();
  child.removeAllListeners();
  child.on('error', () => undefined);
  child.unref();
}

type Start = {
  readonly program: string;
  readonly args: readonly string[];
  readonly stdio: ('ignore' | 'pipe')[];
};

function posixCommand(command: string): Start {
  const shell = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
  return {
    program: '/bin/sh',
    args: ['-c', GATE, 'sh', shell, command],
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  };
}

/** The gate of Windows: the first line of input is read before the command; then the input ends. */
function windowsCommand(command: string): Start {
  const shell = process.env['ComSpec'] ?? 'cmd.exe';
  return {
    program: shell,
    args: ['/d', '/s', '/c', `"set /p BELAY_GATE=& ${command}"`],
    stdio: ['pipe', 'pipe', 'pipe'],
  };
}

function startFailure(cwd: string, thrown: unknown): BelayError {
  const code = systemCode(thrown);
  const message =
    code === 'E2BIG'
      ? 'The command is too long for the system. Write it to a file and run that.'
      : code === 'EACCES' || code === 'ENOTDIR'
        ? `The command cannot be run in ${cwd}: it is not a folder that may be entered.`
        : `The command could not be started (${code ?? String(thrown)}).`;
  return new BelayError({ code: 'tool', message }, { cause: thrown });
}
