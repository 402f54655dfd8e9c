import { setTimeout as sleep } from 'node:timers/promises';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type {
  BackgroundProcess,
  ProcessEnd,
} from '../../../core/ports/commands/background-shell.ts';
import { type BelayError, fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { inputOf, readsInput, startOf } from './command-family.ts';
import { type TakeOutput, CommandOutput } from './command-output.ts';
import { letThrough, release, type StartedCommand } from './command-start.ts';
import {
  groupIsAlive,
  interruptGroup,
  interruptProcesses,
  stopDetached,
  stopGroup,
  stopProcesses,
} from './process-group.ts';
import { processesInside } from '../sandbox/inside.ts';

/** Between two looks at what a command whose shell has ended left in its session, in milliseconds. */
const LOOK = 500;

/** A command that goes on beside the run, with an open input. */
export class NodeBackgroundProcess implements BackgroundProcess {
  readonly ended: Promise<ProcessEnd>;
  readonly #command: StartedCommand;
  readonly #leader: number;
  readonly #start: number;
  readonly #marker: string;
  /** The command's input, once it has been seen behind the gate. */
  #input: string | undefined;
  #over = false;
  /** Processes that had left the session, found when it was stopped. */
  #stopped: Promise<NonNullable<ProcessEnd['detached']>> | undefined;

  /** Lets the command begin. `watched` is disposed of at its end. */
  constructor(command: StartedCommand, marker: string, take: TakeOutput, watched: Disposable) {
    this.#command = command;
    const { child } = command;
    this.#marker = marker;
    this.#leader = child.pid ?? 0;
    this.#start = startOf(this.#leader);
    const exited = new Promise<ProcessEnd>((resolve) => {
      child.once('exit', (code, signal) => {
        resolve({
          ...(code === null ? {} : { exitCode: code }),
          ...(signal === null ? {} : { signal }),
        });
      });
    });
    const output = new CommandOutput(command.outputs, take);
    command.input?.on('error', () => undefined); // it has closed its input
    this.ended = this.#follow(exited, output, watched);
    letThrough(child, true);
  }

  async write(text: string): Promise<void> {
    const { input } = this.#command;
    if (this.#over || input === null || !input.writable) throw noInput();
    await new Promise<void>((resolve, reject) => {
      input.write(text, (error) => {
        if (error === null || error === undefined) resolve();
        else reject(noInput());
      });
    });
  }

  closeInput(): void {
    this.#command.input?.end();
  }

  interrupt(): void {
    if (!this.#over) void this.#interrupt();
  }

  async stop(): Promise<void> {
    await stopProcesses(await this.#inside());
    this.#stopped ??= this.#stopDetached();
    await Promise.all([stopGroup(this.#leader), this.#stopped]);
    await this.ended;
  }

  async waitsForInput(): Promise<boolean> {
    if (this.#over) return false;
    this.#input = inputOf(this.#leader) ?? this.#input;
    return readsInput(this.#leader, this.#input);
  }

  /** As a terminal does; in a sandbox to the command alone, for the sandbox itself would end. */
  async #interrupt(): Promise<void> {
    const inside = await this.#inside();
    if (this.#over) return;
    if (inside.length === 0) interruptGroup(this.#leader, 'SIGINT');
    else interruptProcesses(inside);
  }

  async #inside(): Promise<readonly number[]> {
    return processesInside({ leader: this.#leader, start: this.#start, marker: this.#marker });
  }

  /** A command whose shell has ended (`server &`) goes on while something of it does. */
  async #follow(
    exited: Promise<ProcessEnd>,
    output: CommandOutput,
    watched: Disposable,
  ): Promise<ProcessEnd> {
    const end = await exited;
    while (await groupIsAlive(this.#leader)) await sleep(LOOK, undefined, { ref: false });
    this.#over = true;
    const detached = [...((await this.#stopped) ?? []), ...(await this.#stopDetached())];
    await output.drained();
    watched.dispose();
    release(this.#command);
    return detached.length === 0 ? end : { ...end, detached };
  }

  /** Ends what left the session, as for a command in the foreground. */
  async #stopDetached(): Promise<NonNullable<ProcessEnd['detached']>> {
    return stopDetached({ leader: this.#leader, start: this.#start, marker: this.#marker });
  }
}

function noInput(): BelayError {
  return fault(
    'invalid',
    told`The command takes no input any more: it has ended or closed its input.`,
  );
}
