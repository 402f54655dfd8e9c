/** Looks into a git repository without running anything that it configures. */
export interface RepositoryInspector {
  /** Names what git would run or read for a plain `status`, `diff` or `log`: "filter.x.clean". */
  hazards(folder: string): Promise<readonly string[]>;
  /**
   * Absolute paths of the files that git has of the repository of this folder; `undefined`: they cannot be told, or
   * there is no repository and git compares whatever it is given.
   */
  files(folder: string): Promise<readonly string[] | undefined>;
  /**
   * Absolute paths of the files of a commit (a name, no range), and of those that git did not know and that it
   * keeps as a stash; `undefined`: it is none.
   */
  filesOf(folder: string, revision: string): Promise<readonly string[] | undefined>;
  /** The folder of the repository that a folder lies in, absolute; `undefined`: it is in none. */
  topOf(folder: string): Promise<string | undefined>;
  /** The kind of a revision (a name, no range, no dash before it), once tags are followed. */
  kindOf(folder: string, revision: string): Promise<'commit' | 'tree' | 'blob' | undefined>;
}
