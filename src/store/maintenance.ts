import { failureOf, type Failure } from '../domain/failure.ts';
import { backUp } from './database/backup.ts';
import { Connection } from './database/connection.ts';
import { databaseError, reasonOf } from './database/failures.ts';
import { checkPages } from './database/health.ts';
import { storePaths } from './database/paths.ts';
import { loadSqlite } from './database/sqlite.ts';

/** Work on the database that takes long and must not hold up a commit. */
export interface MaintenanceOrder {
  readonly role: 'maintenance';
  readonly folder: string;
  readonly at: number;
  readonly check: boolean;
  readonly backUp: boolean;
}

export interface MaintenanceReport {
  readonly checked: boolean;
  readonly backup?: string;
  readonly damaged: boolean;
  readonly failure?: Failure;
}

/** Checks every page through a connection of its own, then makes the backup: never one of a damaged database. */
export async function maintain(order: MaintenanceOrder): Promise<MaintenanceReport> {
  const paths = storePaths(order.folder);
  try {
    const sqlite = loadSqlite();
    if (order.check || order.backUp) {
      const connection = new Connection(sqlite, paths.database, {
        readOnly: true,
        busyTimeoutMs: 5000,
      });
      try {
        checkPages(connection);
      } finally {
        connection.close();
      }
    }
    if (!order.backUp) return { checked: order.check, damaged: false };
    const backup = await backUp(sqlite, paths.database, paths, order.at);
    return { checked: true, backup, damaged: false };
  } catch (error) {
    const known = databaseError(error, paths.database);
    return { checked: false, damaged: reasonOf(known) === 'damaged', failure: failureOf(known) };
  }
}
