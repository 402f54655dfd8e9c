/** Contents that are kept as they were, by hash, so that a file that is no text, or was deleted, can come back exactly. */
export interface KeptContents {
  /** Keeps what is in a file now. `undefined`: it cannot be kept (too large, or outside the workspace). */
  keep(path: string): Promise<{ readonly hash: string; readonly bytes: number } | undefined>;
  /** Fails with `not_found` when it was cleaned up. */
  read(hash: string, bytes: number): Promise<Uint8Array>;
}
