import { wordSet } from '../../domain/text/words.ts';
import type { Connection, Value } from './connection.ts';
import type { Written } from './write-mark.ts';
import { databaseError, reasonOf } from './failures.ts';

export interface Copied {
  /** Rows by table. */
  readonly kept: Map<string, number>;
  /** Tables of which something could not be read. */
  readonly damaged: Set<Table>;
  usedBackup: boolean;
  /** The progress of the readable part. */
  written: Written | undefined;
}

type Row = Record<string, Value>;

/** Rows that lie between two readable ones and are looked up one by one. */
const LOOKED_UP = 100_000;
const SILENCE = 2000;

/** Owners before what they own. The search is built anew. */
export const TABLES = [
  'meta',
  'sessions',
  'messages',
  'compactions',
  'queued',
  'drafts',
  'runs',
  'checkpoints',
  'ledger',
  'usage',
  'events',
  'results',
  'result_pieces',
  'attachments',
  'key_values',
  'leases',
  'memories',
  'followups',
  'channels',
] as const;

type Table = (typeof TABLES)[number];

/** Copies every readable row that the target does not have yet; rows are told apart by number and keys. */
export function copyTables(
  source: Connection,
  target: Connection,
  copied: Copied,
  tables: readonly Table[],
): void {
  for (const table of tables) {
    const columns = columnsOf(target, table);
    const insert = `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
    let kept = 0;
    for (const row of readableRows(source, table, copied)) {
      if (!rowIsSound(row)) {
        copied.damaged.add(table);
        if (!mend(table, row)) continue;
      }
      try {
        kept += target.run(insert, ...columns.map((column) => row[column] ?? null));
      } catch (error) {
        if (reasonOf(databaseError(error, target.file)) !== 'constraint') throw error;
        // Damage made it contradict the table's rules.
        copied.damaged.add(table);
      }
    }
    copied.kept.set(table, (copied.kept.get(table) ?? 0) + kept);
  }
}

function columnsOf(connection: Connection, table: string): string[] {
  return connection
    .all<{ name: string }>('SELECT name FROM pragma_table_info(?) ORDER BY cid', table)
    .map((row) => row.name);
}

/** All readable rows: up to the first bad page, back to the last, and one by one in between. */
function* readableRows(source: Connection, table: Table, copied: Copied): Generator<Row> {
  // A backup may be older than a table.
  if (columnsOf(source, table).length === 0) return;
  let low = Number.NEGATIVE_INFINITY;
  try {
    for (const row of source.iterate<Row>(`SELECT * FROM ${table} NOT INDEXED ORDER BY rowid`)) {
      low = numberOf(row);
      yield row;
    }
    return;
  } catch {
    copied.damaged.add(table);
  }
  let high = Number.POSITIVE_INFINITY;
  try {
    for (const row of source.iterate<Row>(
      `SELECT * FROM ${table} NOT INDEXED ORDER BY rowid DESC`,
    )) {
      const number = numberOf(row);
      if (number <= low) return;
      high = number;
      yield row;
    }
  } catch {
    // Met the damage from behind.
  }
  yield* rowsBetween(source, table, low, high);
}

/** Rows between the damage seen from the front and from behind, looked up one by one. */
function* rowsBetween(source: Connection, table: Table, low: number, high: number): Generator<Row> {
  const from = Number.isFinite(low) ? low + 1 : 1;
  const to = Number.isFinite(high) ? high - 1 : from + LOOKED_UP;
  let missed = 0;
  for (let number = from; number <= Math.min(to, from + LOOKED_UP); number += 1) {
    const row = lookUp(source, table, number);
    if (row !== undefined) yield row;
    missed = row === undefined ? missed + 1 : 0;
    // Where the end is not known, a long silence is the end.
    if (!Number.isFinite(high) && missed > SILENCE) return;
  }
}

function lookUp(source: Connection, table: Table, number: number): Row | undefined {
  try {
    return source.get<Row>(`SELECT * FROM ${table} NOT INDEXED WHERE rowid = ?`, number);
  } catch {
    return undefined;
  }
}

function numberOf(row: Row): number {
  const number = row['number'];
  return typeof number === 'number' ? number : Number.NEGATIVE_INFINITY;
}

/** Columns that hold JSON; where one is NULL, it is allowed to be. */
const JSON_COLUMNS = wordSet(`
  parts usage summary attachments loop finished_call_ids policy_states process input result ended
  body content
`);

/** A page may be well-formed and still hold other bytes than were written. */
function rowIsSound(row: Row): boolean {
  return Object.entries(row).every(([column, value]) => !isBroken(column, value));
}

function isBroken(column: string, value: Value): boolean {
  if (typeof value !== 'string' || !JSON_COLUMNS.has(column)) return false;
  try {
    JSON.parse(value);
    return false;
  } catch {
    return true;
  }
}

/** The parts of a message whose content is lost: the session stays whole. */
export const LOST_PARTS = JSON.stringify([
  { type: 'text', text: '(This message was lost: the database was damaged.)' },
]);

/** Puts something harmless in place of broken columns; `false`: the row is of no use without them. */
function mend(table: string, row: Row): boolean {
  for (const [column, value] of Object.entries(row)) {
    if (!isBroken(column, value)) continue;
    if (table === 'messages' && column === 'parts') row['parts'] = LOST_PARTS;
    else if (table === 'ledger' && column === 'input') row['input'] = '{}';
    else if (column === 'usage' || column === 'process' || column === 'ended') row[column] = null;
    else return false;
  }
  return true;
}
