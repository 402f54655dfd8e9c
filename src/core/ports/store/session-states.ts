import type { Json } from '../../../domain/data/json.ts';

export interface KeptState {
  readonly id: string;
  readonly title: string;
  readonly messageCount: number;
}

/** Recorded with a change of a whole conversation, in the same transaction. */
export interface StateChange {
  /** Of the snapshot that the present state becomes; absent: a general one. */
  readonly title?: string;
  /** Values of the session that are set with it; `null` removes one. */
  readonly values?: Readonly<Record<string, Json>>;
  /** Id of that snapshot; absent: a new one. */
  readonly keepId?: string;
}

/** The end of a conversation, to be taken out. */
export interface Rewind {
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

/** Changes sessions as a whole, each in one transaction; the replaced state becomes a snapshot. */
export interface SessionStates {
  list(sessionId: string): Promise<readonly KeptState[]>;
  rewind(request: Rewind & StateChange): Promise<string>;
  restore(snapshotId: string, change?: StateChange): Promise<string>;
  reset(sessionId: string, change?: StateChange): Promise<string>;
  /** Makes a new session of the beginning of another; neither needs the other afterwards. */
  fork(request: ForkRequest): Promise<void>;
}
