/**
 * `stopped`: not needed yet, or ended by us. `failed`: `reason` says why, and `retryAt` when it is
 * tried again.
 */
export type ServerState = 'disabled' | 'stopped' | 'starting' | 'ready' | 'failed';

export interface ServerStatus {
  readonly state: ServerState;
  /** Sentences for the person. */
  readonly reason?: string;
  /** Milliseconds since the epoch. */
  readonly retryAt?: number;
}
