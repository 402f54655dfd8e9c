import { readFileSync, readlinkSync } from 'node:fs';
import { type ProcessRow, isDead, processRow, processTable } from './process-table.ts';

/** The variable that every process of a command inherits: what left its session is found by it. */
export const MARKER = 'BELAY_COMMAND';

/** Number of the system call `read`, by architecture. */
const READ: Readonly<Record<string, string>> = { x64: '0', arm64: '63' };

/** Counts the commands of this process, for their markers. */
let commands = 0;

/** A marker for one command, of no other command of any process. */
export function newMarker(): string {
  commands += 1;
  return `${process.pid}.${commands}.${Math.random().toString(36).slice(2)}`;
}

/** A process of a command that left its session on purpose, as daemons do. */
export interface DetachedProcess {
  readonly pid: number;
  readonly name: string;
  /** The process that leads the session it went to. */
  readonly session: number;
}

/** Processes that left a command's session, by a marker in their environment; Linux only. */
export async function detachedProcesses(
  leader: number,
  leaderStart: number,
  marker: string,
): Promise<readonly DetachedProcess[]> {
  if (process.platform !== 'linux') return [];
  const entry = `\0${MARKER}=${marker}.${leader}\0`;
  return outsideOf(leader, leaderStart, (environment) => environment.includes(entry));
}

/** The same for a command of a process of ours that has died: only the number and the start of its leader are known. */
export async function abandonedProcesses(
  leader: number,
  leaderStart: number,
): Promise<readonly DetachedProcess[]> {
  if (process.platform !== 'linux') return [];
  const entry = new RegExp(String.raw`\0${MARKER}=\d{1,9}\.\d{1,9}\.\w{1,20}\.${leader}\0`, 'u');
  return outsideOf(leader, leaderStart, (environment) => entry.test(environment));
}

async function outsideOf(
  leader: number,
  start: number,
  isOfCommand: (environment: string) => boolean,
): Promise<readonly DetachedProcess[]> {
  return (await processTable())
    .filter((row) => row.session !== leader && row.start >= start && !isDead(row))
    .filter((row) => isOfCommand(environmentOf(row)))
    .map(({ pid, name, session }) => ({ pid, name, session }));
}

function environmentOf({ pid }: ProcessRow): string {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}\0`;
  } catch {
    return ''; // it has ended, or belongs to somebody else
  }
}

/** A process's standard input, as the system names it; `undefined` off Linux. */
export function inputOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/fd/0`);
  } catch {
    return undefined;
  }
}

/** True when the session waits for input; Linux only, without programs that poll (Node). */
export async function readsInput(leader: number, input: string | undefined): Promise<boolean> {
  const read = READ[process.arch];
  if (process.platform !== 'linux' || read === undefined) return false;
  return (await processTable()).some((row) => {
    if (row.session !== leader || isDead(row)) return false;
    const [call, descriptor] = systemCallOf(row.pid);
    if (call !== read || descriptor === undefined) return false;
    const source = sourceOf(row.pid, Number(descriptor));
    return source !== undefined && (source === input || /^\/dev\/(?:pts\/|tty)/u.test(source));
  });
}

/** Number and first argument of the system call a process is blocked in. */
function systemCallOf(pid: number): readonly (string | undefined)[] {
  try {
    return readFileSync(`/proc/${pid}/syscall`, 'latin1').split(' ', 2);
  } catch {
    return [];
  }
}

function sourceOf(pid: number, descriptor: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/fd/${descriptor}`);
  } catch {
    return undefined;
  }
}

/** The leader's start in ticks; 0 when it has ended. */
export function startOf(leader: number): number {
  return processRow(leader)?.start ?? 0;
}
