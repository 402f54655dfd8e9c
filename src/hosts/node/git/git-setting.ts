/** A setting of a repository, as `git config --list` tells it. */
export interface GitSetting {
  /** Section and variable in lower case, the part between as it is. */
  readonly key: string;
  readonly value: string;
}
