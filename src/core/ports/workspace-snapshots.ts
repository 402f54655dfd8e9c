import type { Leaf } from '../restore/turned-back.ts';

/** What was at a path, as it is kept on record; the content is stored under its hash. */
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

/** A path that is not what it was. */
export type PathChange = {
  /** Below the folder, with `/`. */
  readonly path: string;
  readonly before: LeafRecord;
  readonly after: LeafRecord;
};

/** What changed in one folder of the workspace. */
export type FolderChanges = {
  /** Absolute and real. */
  readonly root: string;
  readonly changes: readonly PathChange[];
};

/** A moment of the workspace. */
export interface WorkspaceSnapshot {
  readonly folders: readonly { readonly root: string; readonly tree: string }[];
  /** Files that no ignore rule names and that are not in it: too large, unreadable, no regular files. */
  readonly leftOut: number;
}

/** A path that is to be put back. */
export interface RestoreStep {
  /** Below the folder, with `/`. */
  readonly path: string;
  /** What must be there, or nothing at all is done: a newer edit is never lost. */
  readonly from: Leaf;
  readonly to: Leaf;
}

/**
 * Moments of the workspace, in Belay's own storage. Runs nothing and never touches a repository: not its
 * refs, index, stash, hooks or configuration; ignored files are left out. Fails with `BelayError`.
 */
export interface WorkspaceSnapshots {
  /** One after the other, in the order of the calls. */
  take(roots: readonly string[]): Promise<WorkspaceSnapshot>;
  changes(before: WorkspaceSnapshot, after: WorkspaceSnapshot): Promise<readonly FolderChanges[]>;
  /** Stores what is at some paths now; `undefined` for a folder, and for what cannot be kept. */
  keep(root: string, paths: readonly string[]): Promise<readonly (LeafRecord | undefined)[]>;
  /** The content of what was kept. Fails with `not_found` when it was cleaned up. */
  contentOf(record: LeafRecord): Promise<Leaf>;
  /** What is at a path now. */
  now(root: string, path: string): Promise<Leaf>;
  /** All of the steps or none. */
  restore(root: string, steps: readonly RestoreStep[]): Promise<void>;
  /** Gives back the space of everything but this. Resolves with the bytes that are left. */
  sweep(wanted: readonly LeafRecord[]): Promise<number>;
}
