import type { Json } from '../../../domain/json.ts';

/** A state of a session that is kept. */
export interface KeptState {
  readonly id: string;
  readonly title: string;
  readonly messageCount: number;
}

/** What a change of a whole conversation records with itself, in the same transaction. */
export interface StateChange {
  /** Of the snapshot that the present state becomes; absent: a general one. */
  readonly title?: string;
  /** Values of the session that are set with it; `null` removes one. */
  readonly values?: Readonly<Record<string, Json>>;
  /** Id of that snapshot; absent: a new one. */
  readonly keepId?: string;
}

export interface RewindRequest extends StateChange {
  readonly sessionId: string;
  /** The messages from this one on are taken out. */
  readonly fromSeq: number;
  /** `seq` of the last message as it was looked at; rejects with `invalid` when there are others meanwhile. */
  readonly lastSeq: number;
}

export interface ForkRequest {
  readonly sessionId: string;
  /** Of the new session, unused. */
  readonly id: string;
  /** The copy ends with this message; 0: it is empty. */
  readonly throughSeq: number;
  readonly title: string;
  /** Values of the new session beside those that come along; `null` leaves one out. */
  readonly values: Readonly<Record<string, Json>>;
}

/**
 * Sessions changed as a whole, each in one transaction: after a crash it is done or not begun. What is
 * replaced becomes an automatic snapshot, whose id is given. Rejects with `not_found`, or `busy` while a run
 * is on.
 */
export interface SessionStates {
  /** What is kept of a session, the newest first. */
  list(sessionId: string): Promise<readonly KeptState[]>;
  /** Takes the end of a conversation out. */
  rewind(request: RewindRequest): Promise<string>;
  /** Puts a session back to a snapshot. */
  restore(snapshotId: string, change?: StateChange): Promise<string>;
  /** Empties a session. */
  reset(sessionId: string, change?: StateChange): Promise<string>;
  /** Makes a new session of the beginning of another; neither needs the other afterwards. */
  fork(request: ForkRequest): Promise<void>;
}
