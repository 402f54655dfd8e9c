import type { ShellRequest } from './shell.ts';
import type { StartedProcess } from '../../../domain/run.ts';

/** Starts commands that go on beside the run: servers, watchers, programs that are talked to. */
export interface BackgroundShell {
  /** Resolves when the command, whose group never outlives this process, has begun. */
  start(
    request: Pick<
      ShellRequest,
      'command' | 'cwd' | 'signal' | 'onOutput' | 'onStarted' | 'unsandboxed'
    >,
  ): Promise<BackgroundProcess>;
  self(): Promise<StartedProcess>;
  isAlive(process: StartedProcess): Promise<boolean>;
}

export interface BackgroundProcess {
  /** Resolves when the command and all that it left in its session have ended; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  write(text: string): Promise<void>;
  closeInput(): void;
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
