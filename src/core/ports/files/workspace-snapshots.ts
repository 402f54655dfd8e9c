import type { Told } from '../../../domain/text/told.ts';
import type { Json } from '../../../domain/data/json.ts';
import type { Leaf } from '../../restore/turned-back.ts';

export type LeafRecord =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'file';
      /** SHA-256, hexadecimal. */
      readonly hash: string;
      /** Bytes. */
      readonly size: number;
      /** Permission bits. */
      readonly mode: number;
    }
  | { readonly kind: 'link'; readonly target: string };

export type PathChange = {
  /** Below the folder, with `/`. */
  readonly path: string;
  readonly before: LeafRecord;
  readonly after: LeafRecord;
};

/** Changes in one folder of the workspace. */
export type FolderChanges = {
  /** Absolute and real. */
  readonly root: string;
  readonly changes: readonly PathChange[];
  /**
   * Paths that only one of the two snapshots holds, because the other one ignores them, finds them too large or cannot read
   * them: neither created nor deleted. Below the folder, with `/`; folders end with `/`.
   */
  readonly unkept?: readonly string[];
};

/** `special`: no regular file, or its name is no text. */
export type LeftOutReason = 'ignored' | 'large' | 'unreadable' | 'special' | 'too_many';

export type LeftOut = {
  /** Bytes; larger files are left out. */
  readonly largestFile: number;
  readonly mostFiles: number;
  readonly reasons: readonly {
    readonly why: LeftOutReason;
    /** Of a folder that is ignored as a whole: 1. */
    readonly count: number;
    /** The first of them; folders end with `/`. */
    readonly named: readonly string[];
  }[];
};

export type WorkspaceSnapshot = {
  readonly folders: readonly { readonly root: string; readonly tree: string }[];
  readonly leftOut: LeftOut;
};

export interface RestoreStep {
  /** Below the folder, with `/`. */
  readonly path: string;
  /** Must be there, or the path is left: a newer edit is never lost. */
  readonly from: Leaf;
  readonly to: Leaf;
}

export interface RestoreFolder {
  /** Absolute and real. */
  readonly root: string;
  readonly steps: readonly RestoreStep[];
}

/** A path that a restore left as it is. */
export interface LeftPath {
  readonly root: string;
  /** Below the root, with `/`. */
  readonly path: string;
  /** A whole sentence. */
  readonly why: Told;
}

export interface RestoredFolders {
  /** Changes that were made. */
  readonly folders: readonly FolderChanges[];
  readonly left: readonly LeftPath[];
}

/** The end of a restore in the middle of which its process died. */
export interface RecoveredRestore {
  /** As it was given to the restore; `null` when that is lost. */
  readonly about: Json;
  /** `undone`: contents were missing. `pending`: tried again at a start. `lost`: untouched. */
  readonly outcome: 'finished' | 'undone' | 'pending' | 'lost';
  /** Paths of the restore. */
  readonly files: number;
  /** All its changes, when it was finished. */
  readonly folders: readonly FolderChanges[];
  /** Were changed by somebody since, and are as they were left. */
  readonly stayed: readonly LeftPath[];
  /** Could not be settled. */
  readonly failed: readonly LeftPath[];
}

/** Moments of the workspace in Belay's own storage; runs nothing, touches no repository. */
export interface WorkspaceSnapshots {
  /** One after the other, in the order of the calls. */
  take(roots: readonly string[]): Promise<WorkspaceSnapshot>;
  changes(before: WorkspaceSnapshot, after: WorkspaceSnapshot): Promise<readonly FolderChanges[]>;
  /**
   * Stores the content of paths at the moment of the call, however long it takes.
   * @param known contents by path that were there, whatever is there now; `undefined`: nothing was
   */
  keep(
    root: string,
    paths: readonly string[],
    known?: ReadonlyMap<string, Uint8Array | undefined>,
  ): Promise<readonly (LeafRecord | undefined)[]>;
  /** The content of what was kept. Fails with `not_found` when it was cleaned up. */
  contentOf(record: LeafRecord): Promise<Leaf>;
  now(root: string, path: string): Promise<Leaf>;
  /**
   * Restores every path that can be; after a crash the rest follows. `recover` gives `about` back until it is
   * `recorded`.
   */
  restore(folders: readonly RestoreFolder[], about: Json): Promise<RestoredFolders>;
  recorded(about: Json): Promise<void>;
  /** Finishes or takes back what a process that is dead by now left in the middle, or had not put on record yet. */
  recover(): Promise<readonly RecoveredRestore[]>;
}

/** Contents that stay when space is given back. */
export interface Wanted {
  readonly leaves: readonly LeafRecord[];
  /** Of snapshots: everything in them. */
  readonly trees: readonly string[];
}

export interface SnapshotStorage {
  /** Bytes on disk. */
  size(): Promise<number>;
  /**
   * Gives back the space of everything but what is wanted, or was stored in the last minutes.
   * @param slack share of a pack that may be unwanted without its being written anew, 0 to 1
   * @returns the bytes that are left; `undefined`: another window uses the storage, and nothing was done
   */
  sweep(wanted: Wanted, slack: number): Promise<number | undefined>;
}
