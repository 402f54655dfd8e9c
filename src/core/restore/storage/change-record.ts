import type { FolderChanges } from '../../ports/files/workspace-snapshots.ts';

/** One call's changes of the workspace, kept with the session. */
export type ChangeRecord = {
  readonly callId: string;
  readonly tool: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly folders: readonly FolderChanges[];
  /** The snapshot before was not ready in time: what is recorded as "before" may be wrong. */
  readonly uncertain: boolean;
  /** Absolute: files or folders that could not be kept before it, or not in time; they are not taken back. */
  readonly unkept?: readonly string[];
  /** Of a restore, when it began, milliseconds since the epoch: a crash does not put it on record twice. */
  readonly began?: number;
  /**
   * Belay's own code wrote these changes. Absent: they were found by comparing the workspace before and after the call,
   * so some may be the work of the user or of another program.
   */
  readonly exact?: boolean;
  /** It changed beside the calls, while a command ran in the background. */
  readonly during?: boolean;
  /** Of such a change: the person's last message before it. */
  readonly since?: string;
};
