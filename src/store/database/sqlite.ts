import { told } from '../../domain/text/told.ts';
import type * as NodeSqlite from 'node:sqlite';
import { fault } from '../../domain/failure.ts';

/** Node's own SQLite, loaded when the store opens: a host without it gets a sentence, not a stack. */
export type Sqlite = typeof NodeSqlite;

/** Gives a built-in module, or `undefined` when this Node does not have it. */
export type BuiltinModules = (name: string) => unknown;

/** Loads `node:sqlite`. Fails with `store` where it does not exist (builds without it). */
export function loadSqlite(
  builtin: BuiltinModules = (name) => process.getBuiltinModule(name),
): Sqlite {
  let found: unknown;
  let cause: unknown;
  try {
    found = builtin('node:sqlite');
  } catch (error) {
    cause = error;
  }
  if (found !== undefined && found !== null) return found as Sqlite;
  throw fault(
    'store',
    told`Belay keeps its sessions in SQLite, and this editor’s Node has no node:sqlite. Nothing was changed; update VS Code to 1.123 or newer.`,
    { cause, details: { reason: 'no_sqlite', retryable: false } },
  );
}
