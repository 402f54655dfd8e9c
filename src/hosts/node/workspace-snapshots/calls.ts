import type {
  FolderChanges,
  LeafRecord,
  RecoveredRestore,
  RestoreFolder,
  Wanted,
  WorkspaceSnapshot,
} from '../../../core/ports/workspace-snapshots.ts';
import type { Leaf } from '../../../core/restore/turned-back.ts';
import type { Json } from '../../../domain/json.ts';
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

/**
 * The calls to the thread: name → [parameters, result]. Those that read a whole workspace or change it follow one
 * another; the others are answered in between.
 */
export interface SnapshotCalls {
  take: [{ readonly roots: readonly string[] }, WorkspaceSnapshot];
  changes: [
    { readonly before: WorkspaceSnapshot; readonly after: WorkspaceSnapshot },
    readonly FolderChanges[],
  ];
  keep: [
    {
      readonly root: string;
      readonly paths: readonly string[];
      /** What is at each of them; `undefined`: a folder. */
      readonly leaves: readonly (Leaf | undefined)[];
    },
    readonly (LeafRecord | undefined)[],
  ];
  read: [string, Uint8Array];
  now: [{ readonly root: string; readonly path: string }, Leaf];
  restore: [
    { readonly folders: readonly RestoreFolder[]; readonly about: Json },
    readonly FolderChanges[],
  ];
  recorded: [Json, void];
  recover: [null, readonly RecoveredRestore[]];
  size: [null, number];
  sweep: [{ readonly wanted: Wanted; readonly slack: number }, number | undefined];
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
