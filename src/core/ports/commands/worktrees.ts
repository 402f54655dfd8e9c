import type { Told } from '../../../domain/text/told.ts';

/**
 * A working copy of a repository, for one sub-agent. The files of submodules and of nested repositories are in it as
 * files like any other.
 */
export interface Worktree {
  /** The folder in it that stands for the one it was made of, absolute and real. */
  readonly folder: string;
  /** The folder of the whole copy. */
  readonly top: string;
  /** The repository's folder of files that it is a copy of. */
  readonly of: string;
  /** The commit that it began with: the files as they were on disk, those that git ignores left out. */
  readonly base: string;
  /**
   * Submodules and nested repositories whose files the copy lacks: they are not checked out, or have too many. Relative
   * to `folder`, with `/`; absent: none.
   */
  readonly missing?: readonly string[];
}

/** A file that was changed in a working copy. */
export interface WorktreeChange {
  /** Relative to `folder`, with `/`. */
  readonly path: string;
  /** `undefined`: it was not there. */
  readonly before: Uint8Array | undefined;
  /** `undefined`: it is gone. */
  readonly after: Uint8Array | undefined;
}

/** Work in a working copy that the workspace does not get. */
export interface SkippedFile {
  /** Relative to `folder`, with `/`; of a folder with many such files, the first of them and their number. */
  readonly path: string;
  /** The reason as a clause. */
  readonly why: Told;
}

/** Everything that was done in a working copy. */
export interface WorktreeChanges {
  readonly changes: readonly WorktreeChange[];
  readonly left: readonly SkippedFile[];
}

/** Working copies of repositories (B13). No program of a repository runs for them: no hook, no filter. */
export interface Worktrees {
  /** `undefined`: the folder is in no repository. Fails with `tool` when git cannot do it. */
  create(folder: string, name: string, signal: AbortSignal): Promise<Worktree | undefined>;
  /** The changes below its folder. Fails with `tool` when the copy is gone. */
  changes(worktree: Worktree, signal: AbortSignal): Promise<WorktreeChanges>;
  /** Folders of whole copies that are on this machine, of whatever workspace. */
  list(): Promise<readonly string[]>;
  /** Idempotent. */
  remove(worktree: Worktree): Promise<void>;
}
