import { told } from '../../domain/text/told.ts';
import type { Json } from '../../domain/data/json.ts';
import { storeError } from '../database/failures.ts';
import type { Connection } from '../database/connection.ts';

/**
 * Characters of one value. The largest are pending changes, which hold the text of a file of up to 8 MB before and
 * after, as JSON.
 */
const LONGEST_VALUE = 64 * 1024 * 1024;

/** The `session_id` of values that belong to the workspace. */
const WORKSPACE = '';

export function saveValue(
  connection: Connection,
  key: string,
  value: Json,
  sessionId: string = WORKSPACE,
): void {
  if (value === null) {
    connection.run('DELETE FROM key_values WHERE session_id = ? AND key = ?', sessionId, key);
    return;
  }
  const text = JSON.stringify(value);
  if (text.length > LONGEST_VALUE) {
    throw storeError(
      'constraint',
      told`The value ${key} has ${text.length} characters; ${LONGEST_VALUE} are the limit. Nothing of this step was recorded.`,
    );
  }
  connection.run(
    `INSERT INTO key_values (session_id, key, value) VALUES (?, ?, ?)
     ON CONFLICT (session_id, key) DO UPDATE SET value = excluded.value`,
    sessionId,
    key,
    text,
  );
}

export function readValue(
  connection: Connection,
  key: string,
  sessionId: string = WORKSPACE,
): string | undefined {
  return connection.get<{ value: string }>(
    'SELECT value FROM key_values WHERE session_id = ? AND key = ?',
    sessionId,
    key,
  )?.value;
}

/** Keys that start with `prefix`, in order, with their values as JSON text. */
export function listValues(
  connection: Connection,
  prefix: string,
  sessionId: string = WORKSPACE,
): { readonly key: string; readonly value: string }[] {
  return connection.all(
    `SELECT key, value FROM key_values WHERE session_id = ? AND substr(key, 1, length(?)) = ? ORDER BY key`,
    sessionId,
    prefix,
    prefix,
  );
}
