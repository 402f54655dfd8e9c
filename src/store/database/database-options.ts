import type { Migration } from '../migrations/migration.ts';
import type { Sqlite } from './sqlite.ts';
import type { StoreProblem } from '../rpc.ts';

export interface DatabaseOptions {
  readonly sqlite: Sqlite;
  readonly folder: string;
  readonly busyTimeoutMs: number;
  /** For the names of files that are moved aside. Milliseconds since the epoch. */
  readonly at: number;
  readonly vfs?: string;
  readonly migrations?: readonly Migration[];
  readonly report: (problem: StoreProblem) => void;
}
