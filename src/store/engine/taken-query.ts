/** Asks which of these ids exist already. */
export interface TakenQuery {
  readonly sessions: readonly string[];
  readonly runs: readonly string[];
  readonly queued: readonly string[];
}
