import type { Told } from '../../domain/text/told.ts';

/** `stopped`: not needed yet, or ended by us. `failed`: see `reason` and `retryAt`. */
export type ServerState = 'disabled' | 'stopped' | 'starting' | 'ready' | 'failed';

/** A server's word about itself. */
export interface ServerIdentity {
  readonly name: string;
  readonly version: string;
  /** A picture as `data:` address; what it would load from elsewhere is left out. */
  readonly icon?: string;
}

export interface ServerStatus {
  readonly state: ServerState;
  /** Sentences for the person. */
  readonly reason?: Told;
  /** Milliseconds since the epoch. */
  readonly retryAt?: number;
  /** Failed, because the person has to sign in first. */
  readonly signIn?: boolean;
}
