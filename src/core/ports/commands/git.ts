/** A repository that a folder belongs to; paths are absolute and real. */
export interface GitRepository {
  /** The folder that its files are in. */
  readonly top: string;
  /** Its own folder. */
  readonly gitDir: string;
}

export interface GitRequest {
  readonly repository: GitRepository;
  /** The subcommand and what follows. Options before it are not possible. */
  readonly args: readonly string[];
  readonly signal: AbortSignal;
  /** Bytes of output that are kept; the rest is cut off. Default: 1,000,000. */
  readonly maxBytes?: number;
}

export interface GitResult {
  readonly exitCode: number | undefined;
  readonly output: string;
  readonly errors: string;
  /** There was more output than was asked for. */
  readonly cut: boolean;
}

/** Belay's own calls of git: they read, and run nothing of a repository's (security, rule 11). */
export interface Git {
  /** The repository of a folder; `undefined`: there is none. */
  repositoryOf(folder: string): Promise<GitRepository | undefined>;
  /** Never rejects for git's own failure; rejects with AbortError. Fails with `tool` when git cannot be started. */
  run(request: GitRequest): Promise<GitResult>;
}
