import type {
  FolderChanges,
  LeafRecord,
  LeftPath,
  RecoveredRestore,
  RestoreFolder,
  Wanted,
  WorkspaceSnapshot,
} from '../../../core/ports/files/workspace-snapshots.ts';
import type { Parked } from './pieces.ts';
import type { Leaf } from '../../../core/restore/turned-back.ts';
import type { Json } from '../../../domain/data/json.ts';
import type { Failure } from '../../../domain/failure.ts';

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

/** The calls to the thread: name → [parameters, result]; those on whole workspaces in turn. */
export interface SnapshotCalls {
  take: [{ readonly roots: readonly string[] }, WorkspaceSnapshot];
  changes: [
    { readonly before: WorkspaceSnapshot; readonly after: WorkspaceSnapshot },
    readonly FolderChanges[] | Parked,
  ];
  /** Of what is parked; the last piece lets go of it. */
  piece: [{ readonly parked: number; readonly from: number }, readonly FolderChanges[]];
  keep: [
    {
      readonly root: string;
      readonly paths: readonly string[];
      /** Each path's content; `undefined`: a folder. */
      readonly leaves: readonly (Leaf | undefined)[];
    },
    readonly (LeafRecord | undefined)[],
  ];
  read: [string, Uint8Array];
  now: [{ readonly root: string; readonly path: string }, Leaf];
  /** Steps of the restore that follows. `first`: forgets what was staged before. */
  stage: [RestoreFolder & { readonly first: boolean }, void];
  /** Does what is staged, if that is all of it. */
  restore: [
    { readonly about: Json; readonly count: number },
    { readonly folders: readonly FolderChanges[] | Parked; readonly left: readonly LeftPath[] },
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
