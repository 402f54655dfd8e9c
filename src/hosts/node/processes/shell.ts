import type { ChildProcess } from 'node:child_process';
import { abortError, throwIfAborted } from '../../../domain/lifetime/abort.ts';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { BoundedOutput } from '../../../core/background/bounded-output.ts';
import type { Shell, ShellRequest, ShellResult } from '../../../core/ports/commands/shell.ts';
import type {
  BackgroundProcess,
  BackgroundShell,
} from '../../../core/ports/commands/background-shell.ts';
import type { StartedProcess } from '../../../domain/run.ts';
import { NodeBackgroundProcess } from './background-process.ts';
import { commandEnvironment } from './command-environment.ts';
import { newMarker, startOf } from './command-family.ts';
import { CommandLimits } from './command-limits.ts';
import { CommandOutput } from './command-output.ts';
import { announce, letThrough, release, startBehindGate } from './command-start.ts';
import type { StartedCommand, StartRequest } from './command-start.ts';
import { ProcessGuard } from './process-guard.ts';
import {
  processBirth,
  stopDetached,
  stopGroup,
  stopLeftBehind,
  stopProcesses,
} from './process-group.ts';
import type { CommandSandbox, SandboxedStart } from '../sandbox/command-sandbox.ts';
import { processesInside } from '../sandbox/inside.ts';

/** Runs commands as groups that never outlive us: no input, bounded output. */
export class NodeShell implements Shell, BackgroundShell {
  readonly #guard = new ProcessGuard();
  readonly #environment: () => Record<string, string>;

  readonly #sandbox: CommandSandbox | undefined;

  /** `environment`: that of commands. `sandbox`: used where it is switched on. */
  constructor(
    environment: () => Record<string, string> = () => commandEnvironment(process.env),
    sandbox?: CommandSandbox,
  ) {
    this.#environment = environment;
    this.#sandbox = sandbox;
  }

  async run(request: ShellRequest): Promise<ShellResult> {
    throwIfAborted(request.signal);
    const marker = newMarker();
    const { started, sandboxed } = await this.#begin(request, marker, 'none');
    const leader = started.child.pid ?? 0;
    const watched = this.#guard.watch(leader);
    try {
      await announce(leader, request);
      const command = new RunningCommand(started, { leader, marker, request });
      return withNote(await command.ended(), sandboxed);
    } catch (thrown) {
      await stopGroup(leader);
      throw thrown;
    } finally {
      watched.dispose();
      release(started);
    }
  }

  async start(request: Parameters<BackgroundShell['start']>[0]): Promise<BackgroundProcess> {
    throwIfAborted(request.signal);
    const marker = newMarker();
    const { started } = await this.#begin(request, marker, 'open');
    const leader = started.child.pid ?? 0;
    const watched = this.#guard.watch(leader);
    try {
      await announce(leader, request);
      return new NodeBackgroundProcess(started, marker, request.onOutput, watched);
    } catch (thrown) {
      await stopGroup(leader);
      watched.dispose();
      release(started);
      throw thrown;
    }
  }

  async self(): Promise<StartedProcess> {
    return { pid: process.pid, birth: (await processBirth(process.pid)) ?? '' };
  }

  async isAlive({ pid, birth }: StartedProcess): Promise<boolean> {
    return (await processBirth(pid)) === birth;
  }

  async #begin(
    request: Pick<ShellRequest, 'command' | 'cwd' | 'signal' | 'unsandboxed' | 'readOnly'>,
    marker: string,
    input: StartRequest['input'],
  ): Promise<{ readonly started: StartedCommand; readonly sandboxed: SandboxedStart | undefined }> {
    const environment = this.#environment();
    const sandboxed = await this.#sandbox?.startOf(request, environment);
    if (request.readOnly !== undefined && sandboxed === undefined)
      throw fault('tool', told`The command was not run: it may run in the sandbox only.`);
    const { command, cwd } = request;
    const start = { command, cwd, environment, marker, input, ...sandboxed };
    return { started: await startBehindGate(start), sandboxed };
  }

  /** Lets go of the guard process; commands still running are killed. */
  dispose(): void {
    this.#guard.dispose();
    this.#sandbox?.dispose();
  }
}

function withNote(result: ShellResult, sandboxed: SandboxedStart | undefined): ShellResult {
  const note = sandboxed?.note(result.exitCode, result.output);
  return note === undefined ? result : { ...result, notes: [...(result.notes ?? []), note] };
}

/** Only Linux tells which processes had detached themselves. */
function notFoundNote(command: string): Pick<ShellResult, 'notes'> {
  if (process.platform === 'linux' || !/\b(?:setsid|nohup|disown|start)\b/iu.test(command))
    return {};
  const note =
    'Processes that it detached (setsid, nohup, disown, start) cannot be found on this system: they may go on after it.';
  return { notes: [note] };
}

interface Begun {
  readonly leader: number;
  readonly marker: string;
  readonly request: ShellRequest;
}

class RunningCommand {
  readonly #child: ChildProcess;
  readonly #begun: Begun;
  readonly #leaderStart: number;
  readonly #kept = new BoundedOutput();
  readonly #output: CommandOutput;
  readonly #exited: Promise<readonly [number | null, NodeJS.Signals | null]>;

  constructor({ child, outputs }: StartedCommand, begun: Begun) {
    this.#child = child;
    this.#begun = begun;
    this.#leaderStart = startOf(begun.leader);
    const { promise, resolve } =
      Promise.withResolvers<readonly [number | null, NodeJS.Signals | null]>();
    child.once('exit', (code, signal) => resolve([code, signal]));
    this.#exited = promise;
    this.#output = new CommandOutput(outputs, (text) => {
      this.#kept.add(text);
      return begun.request.onOutput(text);
    });
  }

  async ended(): Promise<ShellResult> {
    const { request } = this.#begun;
    const { signal } = request;
    const stop = (): void => void this.#stop();
    const limits = new CommandLimits(request, stop);
    try {
      letThrough(this.#child);
      if (signal.aborted) stop();
      const [code, by] = await this.#exited;
      const stopped = await stopLeftBehind(this.#begun.leader);
      const detached = await this.#stopDetached();
      await this.#output.drained();
      if (signal.aborted) throw abortError();
      return {
        exitCode: code ?? undefined,
        ...(by === null ? {} : { signal: by }),
        output: this.#kept.toString(),
        total: this.#kept.total,
        timedOut: limits.timedOut,
        childrenStopped: stopped && !limits.timedOut,
        ...(detached.length === 0 || limits.timedOut ? {} : { detached }),
        ...notFoundNote(request.command),
      };
    } finally {
      limits.dispose();
    }
  }

  /** Signals go to processes inside: the sandbox itself would end at once and kill them. */
  async #stop(): Promise<void> {
    const { leader, marker } = this.#begun;
    await stopProcesses(await processesInside({ leader, marker, start: this.#leaderStart }));
    await stopGroup(leader);
  }

  /** Ends and tells what left the session (`setsid`, `nohup` with it). */
  async #stopDetached(): Promise<NonNullable<ShellResult['detached']>> {
    const { leader, marker } = this.#begun;
    return stopDetached({ leader, marker, start: this.#leaderStart });
  }
}
