/** Keeps the long outputs of commands on disk while they come, so that memory stays bounded (E3, D11). */
export interface OutputSpool {
  /** Begins a text; nothing is on disk before its first piece. */
  open(sessionId: string, resultId: string): SpooledText;
  /** Characters `offset` to `offset + length` and the number that is kept; `undefined`: there is none. */
  read(
    sessionId: string,
    resultId: string,
    offset: number,
    length: number,
  ): Promise<{ readonly text: string; readonly total: number } | undefined>;
  /** Gives another session the texts with these ids, as far as they are kept; neither needs the other afterwards. */
  copy(from: string, to: string, resultIds: readonly string[]): Promise<void>;
  /** Removes what belongs to sessions that are not among these. */
  keepOnly(sessionIds: readonly string[]): Promise<void>;
}

/** A text that grows. */
export interface SpooledText {
  /** Adds text; wait for it before adding more. Never rejects: `close` tells what is missing. */
  write(text: string): Promise<void> | undefined;
  /** Ends it: how many characters can be read, from the beginning. */
  close(): Promise<number>;
  discard(): Promise<void>;
}
