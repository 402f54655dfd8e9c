/** Looks into a git repository without running anything that it configures. */
export interface RepositoryInspector {
  /**
   * What git would run or read for a plain `status`, `diff` or `log` in this folder because the
   * repository says so, in words: "filter.x.clean". Empty: nothing. A repository that cannot be
   * looked into counts as one that may run anything.
   */
  hazards(folder: string): Promise<readonly string[]>;
  /**
   * Absolute paths of the files that git has of the repository of this folder, and where asked for those
   * that it would take up; `undefined`: they cannot be told, or there is no repository and git compares whatever
   * it is given.
   */
  files(folder: string, untracked: boolean): Promise<readonly string[] | undefined>;
  /** The folder of the repository that a folder lies in, absolute; `undefined`: it is in none. */
  topOf(folder: string): Promise<string | undefined>;
  /**
   * What a revision is, once tags are followed; `undefined`: nothing of that name, or it cannot be told.
   * @param revision one name, no range, not beginning with a dash
   */
  kindOf(folder: string, revision: string): Promise<'commit' | 'tree' | 'blob' | undefined>;
}
