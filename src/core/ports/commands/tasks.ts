/** Tasks of the editor: what `tasks.json` and extensions offer to run. */
export interface Tasks {
  /** In a stable order; looking for them takes a moment, the answer of some seconds ago may be given. */
  list(): Promise<readonly TaskInfo[]>;
  /** Runs one to its end or, when it watches, until it has begun. Fails with `not_found`. */
  run(id: string, signal: AbortSignal): Promise<TaskEnd>;
}

export interface TaskInfo {
  readonly id: string;
  /** `npm`, `workspace`, `typescript` … */
  readonly source: string;
  readonly group?: 'build' | 'test' | 'clean' | 'rebuild';
  readonly detail?: string;
  /** The command line that it runs, where the editor tells it; absent: what it does is an extension's. */
  readonly command?: string;
  /** The folder that it runs in, absolute; absent: the workspace's. */
  readonly cwd?: string;
  /** All that is known of it, as text: with another one it is another task. */
  readonly definition: string;
  readonly background: boolean;
}

export interface TaskEnd {
  /** Absent: the editor told none, or the task goes on. */
  readonly exitCode?: number;
  readonly running: boolean;
  /** New findings of its problem matchers, at most some; `path:line: message`. */
  readonly problems: readonly TaskProblem[];
}

export interface TaskProblem {
  /** Absolute. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly severity: 'error' | 'warning' | 'information';
  readonly message: string;
}
