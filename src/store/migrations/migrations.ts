import { told } from '../../domain/text/told.ts';
import { storeError } from '../database/failures.ts';
import { one, type Connection } from '../database/connection.ts';
import type { Migration } from './migration.ts';
import { sessionsRunsLedger } from './0001-sessions-runs-ledger.ts';
import { usageDetails } from './0002-usage-details.ts';
import { sessionMarks } from './0003-session-marks.ts';
import { messageTexts } from './0004-message-texts.ts';
import { usageKeys } from './0005-usage-keys.ts';
import { personas } from './0006-personas.ts';
import { memories } from './0007-memories.ts';
import { channels } from './0008-channels.ts';
import { followUps } from './0009-followups.ts';

/** All steps, oldest first. */
export const MIGRATIONS: readonly Migration[] = [
  sessionsRunsLedger,
  usageDetails,
  sessionMarks,
  messageTexts,
  usageKeys,
  personas,
  memories,
  channels,
  followUps,
];

/** `application_id` of Belay's databases: "Bely" in ASCII. */
const APPLICATION = 0x42_65_6c_79;

export interface SchemaState {
  /** 0: new, no table yet. */
  readonly version: number;
  readonly behind: boolean;
}

/** Reads the version. Fails with `store` for a newer Belay's database or another program's. */
export function schemaState(
  connection: Connection,
  migrations: readonly Migration[] = MIGRATIONS,
): SchemaState {
  const latest = migrations.length;
  const { version, application, tables } = headOf(connection);
  const foreign = application !== APPLICATION && (application !== 0 || version !== 0 || tables > 0);
  if (foreign) {
    throw storeError(
      'foreign',
      told`${connection.file} is a database of another program. Nothing was changed; move it away, then reload the window.`,
    );
  }
  refuseNewer(connection.file, version, latest);
  return { version, behind: version < latest };
}

/** Fails with `store` when the database was written by a newer Belay. */
export function refuseNewer(file: string, version: number, latest = MIGRATIONS.length): void {
  if (version <= latest) return;
  throw storeError(
    'newer_version',
    told`The database ${file} was written by a newer Belay (its schema is version ${version}, this Belay knows ${latest}). Nothing was changed; update Belay, or reload the window if you just did.`,
  );
}

export function versionOf(connection: Connection): number {
  return one<{ user_version: number }>(connection, 'PRAGMA user_version').user_version;
}

/** Brings the schema up to date, all or nothing. */
export function migrate(
  connection: Connection,
  migrations: readonly Migration[] = MIGRATIONS,
): void {
  connection.transaction(() => applyMigrations(connection, migrations));
}

/** Takes the steps that are left, within the transaction that is open: others see all of them or none. */
export function applyMigrations(connection: Connection, migrations: readonly Migration[]): void {
  // Another window may have done it while this one waited for the lock.
  const version = versionOf(connection);
  refuseNewer(connection.file, version, migrations.length);
  for (const migration of migrations.slice(version)) {
    migration.up(connection);
    connection.exec(`PRAGMA application_id = ${APPLICATION}`);
    connection.exec(`PRAGMA user_version = ${migration.version}`);
  }
}

interface Head {
  readonly version: number;
  readonly application: number;
  readonly tables: number;
}

/** One statement, so that it is one moment: another process may be making the tables just now. */
function headOf(connection: Connection): Head {
  const head = connection.get<Head>(
    `SELECT (SELECT user_version FROM pragma_user_version) AS version,
            (SELECT application_id FROM pragma_application_id) AS application,
            (SELECT count(*) FROM sqlite_schema) AS tables`,
  );
  return head ?? { version: 0, application: 0, tables: 0 };
}
