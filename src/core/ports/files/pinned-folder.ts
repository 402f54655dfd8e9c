/** A folder as it was found, whatever is at its path later. */
export interface PinnedFolder {
  readonly path: string;
  /** True while the same folder is at the path; a link that leads elsewhere is another one. */
  isInPlace(): Promise<boolean>;
  release(): void;
}

/** Pins the folder at an absolute path. One that is missing is always in place. Never rejects. */
export type PinFolder = (path: string) => Promise<PinnedFolder>;
