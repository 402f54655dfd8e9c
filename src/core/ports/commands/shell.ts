import type { StartedProcess } from '../../../domain/run.ts';
import type { ReadOnlyRun } from './read-only-sandbox.ts';

export interface Shell {
  /** Never rejects for the command's own failure; rejects with AbortError after the group is gone. */
  run(request: ShellRequest): Promise<ShellResult>;
}

export interface ShellRequest {
  readonly command: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** A promise makes the command wait until it resolves. */
  readonly onOutput: (text: string) => void | Promise<void>;
  /** Told as soon as the process group exists, before the command can do anything that matters. */
  readonly onStarted?: (process: StartedProcess) => Promise<void>;
  /** A person allowed this command outside the sandbox that is on. */
  readonly unsandboxed?: boolean;
  /** Nobody approved the command: it runs in the read-only sandbox, or fails. */
  readonly readOnly?: ReadOnlyRun;
}

export interface ShellResult {
  readonly exitCode: number | undefined;
  readonly signal?: string;
  /** stdout and stderr in the order of arrival, bounded; `total` is the number of characters seen. */
  readonly output: string;
  readonly total: number;
  readonly timedOut: boolean;
  /** Processes that the command left in its group had to be stopped. */
  readonly childrenStopped: boolean;
  /** Processes that had left its session on purpose and were stopped; absent when there were none. */
  readonly detached?: readonly { readonly pid: number; readonly name: string }[];
  /** Sentences for the model about how it ran. */
  readonly notes?: readonly string[];
}
