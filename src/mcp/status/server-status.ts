/** `stopped`: not needed yet, or ended by us. `failed`: see `reason` and `retryAt`. */
export type ServerState = 'disabled' | 'stopped' | 'starting' | 'ready' | 'failed';

export interface ServerStatus {
  readonly state: ServerState;
  /** Sentences for the person. */
  readonly reason?: string;
  /** Milliseconds since the epoch. */
  readonly retryAt?: number;
  /** Failed, because the person has to sign in first. */
  readonly signIn?: boolean;
}
