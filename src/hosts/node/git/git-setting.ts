import type { Git, GitRepository } from '../../../core/ports/commands/git.ts';

/** A setting of a repository, as `git config --list` tells it. */
export interface GitSetting {
  /** Section and variable in lower case, the part between as it is. */
  readonly key: string;
  readonly value: string;
}

/** Git's part in reading a repository's own settings and index. */
export interface GitReader extends Pick<Git, 'run'> {
  /** The repository's own configuration, with what it includes. */
  settings(repository: GitRepository, signal: AbortSignal): Promise<readonly GitSetting[]>;
}
