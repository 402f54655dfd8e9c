import type { Told } from '../../../domain/text/told.ts';
import type { PermissionRule } from '../../../domain/permissions/permission-rule.ts';

export interface Approver {
  /** Resolves with the decision; rejects with AbortError when the signal fires. */
  approve(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer>;
}

/** Exactly what will happen, for the person to judge. */
export interface ApprovalQuestion {
  readonly id: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly callId: string;
  readonly tool: string;
  /** One line: "Run a command", "Edit src/a.ts". */
  readonly title: string;
  /** The command, the URL, the arguments, and nothing else: with invisible characters made visible. */
  readonly detail: string;
  /** `detail` is sentences for people, not something that is run or sent to the letter. */
  readonly prose?: boolean;
  /** For the question: "In /home/me/app." */
  readonly where?: string;
  /** Absent: the mode asks about everything of this kind. */
  readonly reason?: string;
  /** The sentences of `reason` with their values apart, where they are known: those are translated. */
  readonly told?: readonly Told[];
  /** For edits: nothing on disk changes before the yes. */
  readonly edit?: ProposedEdit;
  /** Rules that a yes may be kept as, narrowest first; absent: it is asked each time. */
  readonly keep?: readonly PermissionRule[];
  /** A yes counts for the same call in this project, until its scripts change: it is shown with the question. */
  readonly askedOnce?: boolean;
  /** SHA-256 of what was shown; the answer must carry it. */
  readonly hash: string;
}

export interface ProposedEdit {
  /** Absolute. */
  readonly path: string;
  /** Empty when the file does not exist yet. */
  readonly before: string;
  readonly after: string;
  readonly creates: boolean;
}

export interface ApprovalAnswer {
  readonly questionId: string;
  readonly hash: string;
  readonly allowed: boolean;
  /** With a yes: keeps it as the question's rules, for the session or in the person's settings. */
  readonly keep?: 'session' | 'settings';
  /** Goes to the model. */
  readonly reason?: string;
  /** The proposal as the person changed it before accepting. */
  readonly editedAfter?: string;
}
