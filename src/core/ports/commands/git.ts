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
  /** What git says beside the output. */
  readonly errors: string;
  /** There was more output than was asked for. */
  readonly cut: boolean;
}

/**
 * Belay's own calls of git: only ones that read, and nothing that the repository configures is run
 * (security, rule 11).
 */
export interface Git {
  /** The repository of a folder; `undefined`: there is none. */
  repositoryOf(folder: string): Promise<GitRepository | undefined>;
  /** Never rejects for git's own failure; rejects with AbortError. Fails with `tool` when git cannot be started. */
  run(request: GitRequest): Promise<GitResult>;
}
