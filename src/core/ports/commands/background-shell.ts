import type { ShellRequest } from './shell.ts';

/** A process by its number and its birth, so that a reused number is noticed. */
export interface StartedProcess {
  readonly pid: number;
  readonly birth: string;
}

/** Starts commands that go on beside the run: servers, watchers, programs that are talked to. */
export interface BackgroundShell {
  /**
   * Resolves when the command has begun. Its process group never outlives this process.
   * Fails with `BelayError` when it cannot be started, with AbortError when the signal fires before.
   */
  start(
    request: Pick<
      ShellRequest,
      'command' | 'cwd' | 'signal' | 'onOutput' | 'onStarted' | 'unsandboxed'
    >,
  ): Promise<BackgroundProcess>;
  /** This process, for the record of who started what. */
  self(): Promise<StartedProcess>;
  isAlive(process: StartedProcess): Promise<boolean>;
}

/** A command that goes on. */
export interface BackgroundProcess {
  /** Resolves when the command and all that it left in its session have ended; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Fails with `invalid` when it takes no input any more. */
  write(text: string): Promise<void>;
  /** The end of its input, as Ctrl+D gives it. */
  closeInput(): void;
  /** As Ctrl+C does. */
  interrupt(): void;
  /** Asks it to stop, kills it when it does not. Resolves when the group is gone. */
  stop(): Promise<void>;
  /** It is blocked reading its input, or a terminal; `false` where the system does not tell. */
  waitsForInput(): Promise<boolean>;
}

/** Of exit code and signal exactly one is there, unless the system told neither. */
export interface ProcessEnd {
  readonly exitCode?: number;
  readonly signal?: string;
  /** Left its session on purpose, and was stopped with it. */
  readonly detached?: readonly { readonly pid: number; readonly name: string }[];
}
