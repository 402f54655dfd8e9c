/** A working copy of a repository, for one sub-agent. */
export interface Worktree {
  /** The folder in it that stands for the one it was made of, absolute and real. */
  readonly folder: string;
  /** The folder of the whole copy. */
  readonly top: string;
  /** The repository's folder of files that it is a copy of. */
  readonly of: string;
  /** The commit that it began with: the files as they were on disk, those that git ignores left out. */
  readonly base: string;
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

/** Working copies of repositories (B13). No program of a repository runs for them: no hook, no filter. */
export interface Worktrees {
  /** `undefined`: the folder is in no repository. Fails with `tool` when git cannot do it. */
  create(folder: string, name: string, signal: AbortSignal): Promise<Worktree | undefined>;
  /** The changes below its folder. Fails with `tool` when the copy is gone. */
  changes(worktree: Worktree, signal: AbortSignal): Promise<readonly WorktreeChange[]>;
  /** Folders of whole copies that are on this machine, of whatever workspace. */
  list(): Promise<readonly string[]>;
  /** Idempotent. */
  remove(worktree: Worktree): Promise<void>;
}
