/** Contents that are kept as they were, so that a file that is no text, or was deleted, can come back exactly. */
export interface KeptContents {
  /**
   * Keeps what is in a file now, or what was in it. `undefined`: it cannot be kept (too large, or outside the
   * workspace).
   */
  keep(path: string, was?: FileBefore): Promise<KeptFile | undefined>;
  /** Fails with `not_found` when it was cleaned up. */
  read(kept: KeptFile): Promise<Uint8Array>;
}

export interface FileBefore {
  readonly bytes: Uint8Array;
  /** Permission bits. */
  readonly mode: number;
}

export interface KeptFile {
  /** SHA-256, hexadecimal. */
  readonly hash: string;
  readonly bytes: number;
  /** Permission bits. */
  readonly mode: number;
}
