import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { abortError, throwIfAborted } from '../../../domain/lifetime/abort.ts';
import { BoundedOutput } from '../../../core/background/bounded-output.ts';
import { promptIn } from '../../../core/background/ready-line.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { Log } from '../../../core/ports/log.ts';
import type { Shell, ShellRequest, ShellResult } from '../../../core/ports/commands/shell.ts';
import { type Job, type JobEnd, JobFolder } from '../../../window/terminal/job.ts';
import { shownLine } from '../../../window/terminal/runner.ts';

/** Milliseconds that shell integration may take to come up; then the plain process is used. */
const INTEGRATION = 6000;
/** Milliseconds in which the runner must have begun. */
const BEGINNING = 5000;
/** Milliseconds in which the rest of the output is read after the end. */
const REST = 1500;
/** Milliseconds of silence behind a question after which the terminal is shown to the person. */
const QUIET = 3000;
/** Milliseconds after a failure in which no terminal is tried. */
const RETRY = 600_000;

/** The terminal's part of the system; the same that plain commands use. */
export interface TerminalSystem {
  /** The environment of commands; nothing of ours is in it. */
  environment(): Record<string, string>;
  processBirth(pid: number): Promise<string | undefined>;
  stopGroup(leader: number): Promise<void>;
  /** Stops what a command that has ended left behind; `true`: something had to be stopped. */
  stopLeftBehind(leader: number): Promise<boolean>;
  /** The variable that every process of a command inherits, and a value that no other command has. */
  marker(): { readonly name: string; readonly value: string };
  /** When a process began, in ticks. */
  startOf(leader: number): number;
  /** Stops what a command had detached from its session; gives what was found. */
  stopDetached(command: {
    readonly leader: number;
    readonly start: number;
    readonly marker: string;
  }): Promise<NonNullable<ShellResult['detached']>>;
  /** Calls `stop` when the request is canceled or out of time, until it is disposed of. */
  limits(
    request: Pick<ShellRequest, 'signal' | 'timeoutMs'>,
    stop: () => void,
  ): Disposable & { readonly timedOut: boolean };
  /** Sees to it that the group does not outlive us. */
  guard(leader: number): Disposable;
}

export interface IntegratedShellParts {
  readonly plain: Shell;
  readonly system: TerminalSystem;
  readonly log: Log;
  /** A folder of its own, absolute. */
  readonly folder: string;
  readonly enabled: () => boolean;
  /** The plain shell runs commands in a sandbox, which a terminal does not have. */
  readonly sandboxed: () => boolean;
}

/** A terminal that is ours, with its job. */
interface Place {
  readonly terminal: vscode.Terminal;
  readonly integration: vscode.TerminalShellIntegration;
  readonly job: Job;
}

/**
 * Runs commands in terminals of VS Code, where the person sees them, can type into them and interrupt
 * them. Exit code and signal are exact, the environment is the small one, the group dies with the run. Where
 * no terminal with shell integration comes up in time, the plain process is used, and the result says so.
 */
export class IntegratedShell implements Shell, Disposable {
  readonly #parts: IntegratedShellParts;
  readonly #jobs: JobFolder;
  readonly #idle: Place[] = [];
  #made = 0;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: IntegratedShellParts) {
    this.#parts = parts;
    this.#jobs = new JobFolder(parts.folder);
  }

  async run(request: ShellRequest): Promise<ShellResult> {
    const { plain, enabled, log } = this.#parts;
    // Commands are written for bash here; what Windows' shells make of them is another language.
    if (!enabled() || process.platform === 'win32') return plain.run(request);
    if (
      request.readOnly !== undefined ||
      (this.#parts.sandboxed() && request.unsandboxed !== true)
    ) {
      const note = 'It ran as a plain process in the sandbox, not in a terminal.';
      return withNote(await plain.run(request), note);
    }
    throwIfAborted(request.signal);
    let place: Place | undefined;
    try {
      if (performance.now() - this.#failedAt > RETRY) place = await this.#place(request.cwd);
    } catch (error) {
      log.warn('No terminal could be opened.', { reason: String(error) });
    }
    if (place === undefined) {
      const note = 'It ran as a plain process, because no terminal with shell integration came up.';
      return withNote(await plain.run(request), note);
    }
    return new TerminalRun(place, request, this.#parts.system).ended(() => this.#free(place));
  }

  dispose(): void {
    for (const { terminal } of this.#idle.splice(0)) terminal.dispose();
    this.#jobs.dispose();
  }

  /** A free terminal, or a new one; `undefined` when it has no shell integration. */
  async #place(cwd: string): Promise<Place | undefined> {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.terminal.exitStatus === undefined) return idle;
    }
    await this.#jobs.prepare();
    this.#made += 1;
    const job = this.#jobs.job(`${process.pid}-${this.#made}`);
    const environment = this.#parts.system.environment();
    const terminal = vscode.window.createTerminal({
      name: 'Belay',
      iconPath: new vscode.ThemeIcon('terminal'),
      shellPath: '/bin/bash',
      cwd,
      isTransient: true,
      strictEnv: true,
      env: {
        ...environment,
        TERM: 'xterm-256color',
        PATH: `${this.#jobs.programs}:${environment['PATH'] ?? '/usr/bin:/bin'}`,
        BELAY_NODE: process.execPath,
        BELAY_RUNNER: this.#jobs.runner,
        BELAY_JOB: job.path,
      },
    });
    const integration = await integrationOf(terminal);
    if (integration !== undefined) return { terminal, integration, job };
    this.#failedAt = performance.now();
    terminal.dispose();
    return undefined;
  }

  /** One is kept for the next command. */
  #free(place: Place): void {
    if (place.terminal.exitStatus !== undefined) return;
    if (this.#idle.length === 0) this.#idle.push(place);
    else place.terminal.dispose();
  }
}

function withNote(result: ShellResult, note: string): ShellResult {
  return { ...result, notes: [...(result.notes ?? []), note] };
}

async function integrationOf(
  terminal: vscode.Terminal,
): Promise<vscode.TerminalShellIntegration | undefined> {
  if (terminal.shellIntegration !== undefined) return terminal.shellIntegration;
  const came = Promise.withResolvers<vscode.TerminalShellIntegration | undefined>();
  const listening = [
    vscode.window.onDidChangeTerminalShellIntegration((event) => {
      if (event.terminal === terminal) came.resolve(event.shellIntegration);
    }),
    vscode.window.onDidCloseTerminal((closed) => {
      if (closed === terminal) came.resolve(undefined);
    }),
  ];
  const late = setTimeout(() => came.resolve(undefined), INTEGRATION);
  try {
    return await came.promise;
  } finally {
    clearTimeout(late);
    for (const one of listening) one.dispose();
  }
}

/** One command in a terminal. */
class TerminalRun {
  readonly #place: Place;
  readonly #request: ShellRequest;
  readonly #system: TerminalSystem;
  readonly #kept = new BoundedOutput();
  readonly #over = new AbortController();
  #tail = '';
  #lastOutput = performance.now();
  #timedOut = false;
  #closed = false;

  constructor(place: Place, request: ShellRequest, system: TerminalSystem) {
    this.#place = place;
    this.#request = request;
    this.#system = system;
  }

  async ended(free: () => void): Promise<ShellResult> {
    const { terminal, integration, job } = this.#place;
    const { command, cwd, signal, onStarted } = this.#request;
    const env = { ...this.#system.environment(), TERM: 'xterm-256color' };
    const marker = this.#system.marker();
    await job.give({ command, cwd, env, marker });
    const closing = vscode.window.onDidCloseTerminal((closed) => {
      if (closed !== terminal) return;
      this.#closed = true;
      this.#over.abort();
    });
    let leader: number | undefined;
    let start = 0;
    let guard: Disposable | undefined;
    const stopDetached = async (): Promise<NonNullable<ShellResult['detached']>> =>
      this.#system.stopDetached({ leader: leader ?? 0, start, marker: marker.value });
    try {
      const execution = integration.executeCommand(shownLine(command));
      const reading = this.#read(execution);
      leader = await job.runner(BEGINNING, signal);
      if (leader === undefined) return await this.#notBegun();
      start = this.#system.startOf(leader);
      guard = this.#system.guard(leader);
      await onStarted?.({ pid: leader, birth: (await this.#system.processBirth(leader)) ?? '' });
      throwIfAborted(signal);
      await this.#followed(leader, job);
      await Promise.race([reading, sleep(REST)]);
      const stopped = await this.#system.stopLeftBehind(leader);
      const detached = await stopDetached();
      if (signal.aborted) throw abortError();
      return this.#result(await job.end(), stopped, detached);
    } catch (thrown) {
      if (leader !== undefined) {
        await this.#system.stopGroup(leader);
        await stopDetached();
      }
      throw thrown;
    } finally {
      this.#over.abort();
      closing.dispose();
      guard?.dispose();
      await job.clear();
      free();
    }
  }

  /** Lets it begin; resolves when it has ended, was stopped, or its terminal is gone. */
  async #followed(leader: number, job: Job): Promise<void> {
    const stop = (): void =>
      void this.#system.stopGroup(leader).then(() => setTimeout(() => this.#over.abort(), 500));
    const limits = this.#system.limits(this.#request, stop);
    const asking = setInterval(() => this.#showQuestion(), QUIET);
    try {
      await job.letThrough();
      await job.ended(this.#over.signal);
    } finally {
      this.#timedOut = limits.timedOut;
      limits.dispose();
      clearInterval(asking);
    }
  }

  /** A command that asks is brought to the person, who can answer it there. */
  #showQuestion(): void {
    if (performance.now() - this.#lastOutput < QUIET || promptIn(this.#tail) === undefined) return;
    this.#place.terminal.show(true);
  }

  async #read(execution: vscode.TerminalShellExecution): Promise<void> {
    for await (const data of execution.read()) {
      const text = withoutMarks(data);
      if (text === '') continue;
      this.#lastOutput = performance.now();
      this.#tail = (this.#tail + text).slice(-400);
      this.#kept.add(text);
      await this.#request.onOutput(text);
    }
  }

  #result(
    end: JobEnd | undefined,
    childrenStopped: boolean,
    detached: NonNullable<ShellResult['detached']>,
  ): ShellResult {
    // Without a word of the runner it was killed together with the command.
    const known = end ?? { signal: this.#closed ? 'SIGHUP' : 'SIGKILL' };
    const notes = [
      ...(this.#closed ? ['The person closed its terminal.'] : []),
      ...(known.signal === 'SIGINT' && !this.#timedOut
        ? ['It was interrupted in the terminal, where the person can.']
        : []),
    ];
    return {
      exitCode: known.exitCode,
      ...(known.signal === undefined ? {} : { signal: known.signal }),
      output: this.#kept.toString(),
      total: this.#kept.total,
      timedOut: this.#timedOut,
      childrenStopped: childrenStopped && !this.#timedOut,
      ...(detached.length === 0 || this.#timedOut ? {} : { detached }),
      ...(notes.length === 0 ? {} : { notes }),
    };
  }

  /** The terminal took the line and nothing began: the person may be typing in it. Nothing was run. */
  async #notBegun(): Promise<ShellResult> {
    throwIfAborted(this.#request.signal);
    this.#place.terminal.dispose();
    const said = 'The terminal did not start the command; it was not run. Try it again.';
    return Promise.resolve({
      exitCode: undefined,
      output: '',
      total: 0,
      timedOut: false,
      childrenStopped: false,
      notes: [said],
    });
  }
}

/** The marks of shell integration are not output; other sequences are cleaned where the model reads them. */
function withoutMarks(data: string): string {
  // oxlint-disable-next-line no-control-regex
  return data.replaceAll(/\u001b\]633;[^\u0007\u001b]*(?:\u0007|\u001b\\)/gu, '');
}
