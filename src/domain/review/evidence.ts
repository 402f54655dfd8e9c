/** A problem as it is kept with the call after which a language server told it. */
export interface KeptProblem {
  /** 1-based. */
  readonly line: number;
  readonly severity: 'error' | 'warning';
  /** At most 200 characters. */
  readonly message: string;
  /** Its author, such as `ts`, and its code; empty when unknown. */
  readonly source: string;
  readonly code: string;
}

/** The errors and warnings of a file that a call changed, before it and after it. */
export interface CheckedFile {
  /** Absolute. */
  readonly path: string;
  /** Milliseconds since the epoch when the servers were asked after the change. */
  readonly at: number;
  /** False: none of them had looked at the file as it was by then; `after` may be old. */
  readonly answered: boolean;
  readonly before: readonly KeptProblem[];
  readonly after: readonly KeptProblem[];
  /** There were more than are kept: new ones cannot be told from old ones. */
  readonly cut?: true;
}

/** Everything on record about a pending change beside its lines. */
export interface ChangeEvidence {
  /** The calls that made it, oldest first. */
  readonly calls: readonly {
    readonly callId: string;
    /** The tool, or the command line. */
    readonly tool: string;
    /** Milliseconds since the epoch. */
    readonly at: number;
    /** The end of what the model said before the call; empty: nothing. */
    readonly said: string;
  }[];
  /** The person's message that it answers. */
  readonly request: {
    readonly sessionId: string;
    /** Empty: it is not known. */
    readonly messageId: string;
    /** How it begins. */
    readonly text: string;
  };
  readonly checks: ChangeChecks;
  /** Test runs that began after it, newest first. */
  readonly tests: readonly ChangeTestRun[];
  /** Why it is not green; empty: it is. */
  readonly doubts: readonly ChangeDoubt[];
}

/** The word of language servers on the file after a change, compared with before it. */
export type ChangeChecks =
  /** `not asked`: nobody asked them; `no answer`: they had not looked at it in time; `unclear`: too many to compare. */
  | { readonly state: 'not asked' }
  | { readonly state: 'no answer' | 'unclear'; readonly at: number }
  | {
      readonly state: 'answered';
      readonly at: number;
      /** Problems that were not there before; at most 30. */
      readonly fresh: readonly KeptProblem[];
    };

export interface ChangeTestRun {
  readonly callId: string;
  readonly command: string;
  /** Milliseconds since the epoch when it began. */
  readonly at: number;
  /** `unclear`: it ended well and no test was counted, or its exit code is that of another command of the line. */
  readonly result: 'passed' | 'failed' | 'unclear';
  /** Absent: it was ended by a signal or a limit of time. */
  readonly exitCode?: number;
  readonly timedOut: boolean;
  /** The exit code is of another command of the line, a pipe's end for example. */
  readonly hidden: boolean;
  /** As its output counts them; absent: it does not. */
  readonly passed?: number;
  readonly failed?: number;
  readonly skipped?: number;
  /** The file is as it was when this began. */
  readonly covers: boolean;
}

/** A reason why a change is not green. */
export type ChangeDoubt =
  /** The user or another program, a command for example, changed lines of it. */
  | 'edited'
  /** Its record was not found. */
  | 'unknown'
  /** A new name goes with it, which nobody looked at. */
  | 'renamed'
  | 'unsaved'
  | 'not checked'
  | 'no answer'
  | 'unclear problems'
  | 'new problems'
  /** The file became another one after the servers were asked. */
  | 'changed since checked'
  /** No test run began after the file's last change. */
  | 'not tested'
  | 'tests failed'
  | 'tests unclear';
