import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate as yieldToOthers } from 'node:timers/promises';

export interface ProcessRow {
  readonly pid: number;
  /** At most 15 bytes, as the system keeps it. */
  readonly name: string;
  /** `Z` and `X`: dead and not yet collected. */
  readonly state: string;
  readonly group: number;
  readonly session: number;
  /** Ticks since the system started. */
  readonly start: number;
}

/** Entries read in one go: a few milliseconds at most, so that nothing else waits for them. */
const AT_ONCE = 128;

/** Every process there is; only on Linux, where /proc tells it. */
export async function processTable(): Promise<readonly ProcessRow[]> {
  const rows: ProcessRow[] = [];
  const entries = (await readdir('/proc')).filter((entry) => /^\d+$/u.test(entry));
  for (const [index, entry] of entries.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await yieldToOthers();
    const row = processRow(Number(entry));
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** From /proc/PID/stat; the name in parentheses may hold anything, so the fields are counted after it. */
export function processRow(pid: number): ProcessRow | undefined {
  let line: string;
  try {
    line = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined; // it has ended
  }
  const close = line.lastIndexOf(')');
  const fields = line.slice(close + 2).split(' ');
  // proc(5): the third field is the state, the fifth the group, the sixth the session, the twenty-second the start.
  return {
    pid,
    name: line.slice(line.indexOf('(') + 1, close),
    state: fields[0] ?? '',
    group: Number(fields[2]),
    session: Number(fields[3]),
    start: Number(fields[19]),
  };
}

export function isDead({ state }: ProcessRow): boolean {
  return state === 'Z' || state === 'X';
}
