/** Numbers of files and folders that a search did not look into. */
export interface LeftOut {
  readonly tooLarge: number;
  readonly binary: number;
  readonly unreadable: number;
  /** Folders that could not be listed: no permission, or a path longer than the system takes. */
  readonly folders: number;
  /** Files that git ignores. */
  readonly ignored: number;
  /** Folders that git ignores; the files in them are not counted. */
  readonly ignoredFolders: number;
  /** Paths of some of them, binary files not among them. */
  readonly examples: readonly string[];
  /** `false`: there was no time to look at all files. */
  readonly complete: boolean;
}
