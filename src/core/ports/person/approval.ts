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
  /** For edits: the change of each file, in order. Nothing on disk changes before the approval. */
  readonly edits?: readonly PlannedEdit[];
  /** *Allow All Edits in This Session* is offered: only the mode requires the approval. */
  readonly offersAllEdits?: boolean;
  /** The user may leave files out of the approval. */
  readonly isSelectable?: boolean;
  /** Rules that the approval may be remembered as, narrowest first; undefined: it counts once. */
  readonly keep?: readonly PermissionRule[];
  /** A plain *Allow* is remembered for the project, until the scripts change. */
  readonly remembersCheck?: boolean;
  /** SHA-256 of what was shown; the answer must carry it. */
  readonly hash: string;
}

/** The change of one file as it will be written. */
export interface PlannedEdit {
  /** Absolute. */
  readonly path: string;
  /** The path as the user sees it. */
  readonly name: string;
  /** Empty when the file does not exist yet. */
  readonly before: string;
  /** Empty when the file is deleted. */
  readonly after: string;
  readonly creates: boolean;
  readonly deletes?: boolean;
  /** The file is moved there. */
  readonly movesTo?: Pick<PlannedEdit, 'path' | 'name'>;
}

export interface ApprovalAnswer {
  readonly questionId: string;
  readonly hash: string;
  readonly allowed: boolean;
  /**
   * Remembers the approval as the question's rules, for the session or the project; `edits` allows all edits
   * of the session that only the mode requires approval for.
   */
  readonly keep?: 'session' | 'project' | 'edits';
  /** Goes to the model. */
  readonly reason?: string;
  /** Texts that the user changed before allowing, by path. */
  readonly edited?: ReadonlyMap<string, string>;
  /** Paths that the user left out of the approval. */
  readonly without?: readonly string[];
}
