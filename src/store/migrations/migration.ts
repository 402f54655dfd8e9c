import type { Connection } from '../database/connection.ts';

/** One step of the schema. Steps are never changed once released; a correction is a new step. */
export interface Migration {
  /** 1, 2, 3 … without gaps; the database's `user_version` after it. */
  readonly version: number;
  readonly name: string;
  /** Runs inside the transaction that also raises the version. */
  readonly up: (connection: Connection) => void;
}
