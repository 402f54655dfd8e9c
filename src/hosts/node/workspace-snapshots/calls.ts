import type {
  FolderChanges,
  LeafRecord,
  WorkspaceSnapshot,
} from '../../../core/ports/workspace-snapshots.ts';
import type { Failure } from '../../../domain/failure.ts';

/** What the thread that takes snapshots is started with. */
export interface SnapshotThreadOptions {
  /** Of the objects. */
  readonly folder: string;
  /** Of this process among all that write to it. */
  readonly name: string;
  /** Bytes; larger files are left out. */
  readonly largestFile: number;
  readonly mostFiles: number;
  /** Absolute folders of Belay's own. */
  readonly without: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

/** The calls to the thread: name → [parameters, result]. */
export interface SnapshotCalls {
  take: [{ readonly roots: readonly string[] }, WorkspaceSnapshot];
  changes: [
    { readonly before: WorkspaceSnapshot; readonly after: WorkspaceSnapshot },
    readonly FolderChanges[],
  ];
  keep: [
    { readonly root: string; readonly paths: readonly string[] },
    readonly (LeafRecord | undefined)[],
  ];
  read: [string, Uint8Array];
  sweep: [readonly string[], number];
}

export type SnapshotMethod = keyof SnapshotCalls;

export interface SnapshotRequest {
  readonly id: number;
  readonly method: SnapshotMethod;
  readonly params: unknown;
}

export type SnapshotReply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: Failure };
