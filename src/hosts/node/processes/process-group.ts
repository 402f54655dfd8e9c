import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type DetachedProcess, abandonedProcesses, detachedProcesses } from './command-family.ts';
import { type ProcessRow, isDead, processRow, processTable } from './process-table.ts';
import { systemCode } from '../files/system-failure.ts';
import type { StartedProcess } from '../../../domain/run.ts';

/** Between the request to stop and the kill, in milliseconds. */
const TERMINATION_GRACE = 2000;
/** Milliseconds that processes left behind by a command get to end by themselves. */
const LEFT_BEHIND_GRACE = 300;
const POLL = 20;
/** Times that what left a command's session is looked for: what is being stopped may begin something else. */
const DETACHED_ROUNDS = 5;

let bootId: string | undefined;

/** A process's birth, as the system tells it; `undefined` when there is none. */
export async function processBirth(pid: number): Promise<string | undefined> {
  switch (process.platform) {
    case 'linux': {
      const row = processRow(pid);
      bootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      return row === undefined ? undefined : `${bootId}:${row.start}`;
    }
    case 'win32': {
      const query = `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`;
      return output('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', query]);
    }
    default:
      return output('ps', ['-o', 'lstart=', '-p', String(pid)]);
  }
}

/** Asks a group to stop, and kills it after 2 s. Resolves when none of it is left. */
export async function stopGroup(leader: number): Promise<void> {
  if (process.platform === 'win32') {
    await output('taskkill', ['/PID', String(leader), '/T', '/F']);
    return;
  }
  const groups = await groupsOf(leader);
  for (const group of groups) signalGroup(group, 'SIGTERM');
  if (groups.length === 0 || (await groupEnds(leader, TERMINATION_GRACE))) return;
  for (const group of await groupsOf(leader)) signalGroup(group, 'SIGKILL');
  await groupEnds(leader, TERMINATION_GRACE);
}

/** Stops what an ended command left in its group for 300 ms; `true`: something. Not on Windows. */
export async function stopLeftBehind(leader: number): Promise<boolean> {
  if (process.platform === 'win32' || (await groupEnds(leader, LEFT_BEHIND_GRACE))) return false;
  await stopGroup(leader);
  return true;
}

/**
 * Stops what a command that has ended, or is being stopped, had detached from its session (`setsid`, `nohup` with it),
 * and what that begins while it is being stopped.
 * @returns what was found, of each session its leader; nothing off Linux
 */
export async function stopDetached(command: {
  readonly leader: number;
  /** The leader's start, in ticks. */
  readonly start: number;
  readonly marker: string;
}): Promise<readonly { readonly pid: number; readonly name: string }[]> {
  const all = new Map<number, DetachedProcess>();
  for (let round = 0; round < DETACHED_ROUNDS; round += 1) {
    const found = await detachedProcesses(command.leader, command.start, command.marker);
    if (found.length === 0) break;
    for (const one of found) all.set(one.pid, one);
    await stopProcesses(found.map(({ pid }) => pid));
  }
  return [...all.values()]
    .filter(({ pid, session }) => pid === session || !all.has(session))
    .map(({ pid, name }) => ({ pid, name }));
}

/** Sends a signal to the group of a leader, as a terminal does for Ctrl+C. */
export function interruptGroup(leader: number, signal: NodeJS.Signals): void {
  if (process.platform === 'win32') process.kill(leader, signal);
  else signalGroup(leader, signal);
}

/** Sends the signal of Ctrl+C to single processes; those that have ended are passed over. */
export function interruptProcesses(pids: readonly number[]): void {
  for (const pid of pids) signal(pid, 'SIGINT');
}

/** Stops single processes, each with 2 s to do it itself. */
export async function stopProcesses(pids: readonly number[]): Promise<void> {
  for (const pid of pids) signal(pid, 'SIGTERM');
  const until = performance.now() + TERMINATION_GRACE;
  let left = pids;
  while (left.length > 0 && performance.now() < until) {
    await sleep(POLL);
    left = left.filter((pid) => {
      const row = processRow(pid);
      return row !== undefined && !isDead(row);
    });
  }
  for (const pid of left) signal(pid, 'SIGKILL');
}

/** Stops what a dead process of ours left (durability, rule 6). `false`: gone, or not ours. */
export async function stopAbandoned(group: StartedProcess): Promise<boolean> {
  const birth = await processBirth(group.pid);
  // A leader that is gone may have left members; their group keeps the number, and no new process gets it.
  if (birth !== undefined && birth !== group.birth) return false;
  if (birth === undefined && group.birth.split(':')[0] !== (await currentBoot())) return false;
  const outside = await abandonedProcesses(group.pid, Number(group.birth.split(':')[1]));
  const isAlive = await groupIsAlive(group.pid);
  if (isAlive) await stopGroup(group.pid);
  await stopProcesses(outside.map(({ pid }) => pid));
  return isAlive || outside.length > 0;
}

async function currentBoot(): Promise<string | undefined> {
  return (await processBirth(process.pid))?.split(':')[0];
}

/** `false`: there is no such group. */
function signalGroup(leader: number, name: NodeJS.Signals): boolean {
  return signal(-leader, name);
}

function signal(target: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(target, name);
    return true;
  } catch (thrown) {
    if (systemCode(thrown) === 'ESRCH') return false;
    if (systemCode(thrown) === 'EPERM') return true; // it changed its user; it is there
    throw thrown;
  }
}

/** The groups of a leader's session that live; off Linux its own group, if it is there. */
async function groupsOf(leader: number): Promise<readonly number[]> {
  if (process.platform !== 'linux') return (await groupIsAlive(leader)) ? [leader] : [];
  const members = (await processTable()).filter((row) => isMember(row, leader));
  return [...new Set(members.map(({ group }) => group))];
}

function isMember(row: ProcessRow, leader: number): boolean {
  return (row.group === leader || row.session === leader) && !isDead(row);
}

async function groupEnds(leader: number, within: number): Promise<boolean> {
  const until = performance.now() + within;
  while (performance.now() < until) {
    if (!(await groupIsAlive(leader))) return true;
    await sleep(POLL);
  }
  return !(await groupIsAlive(leader));
}

/** True while a member runs. Members that are dead and not yet collected by their parent do not count. */
export async function groupIsAlive(leader: number): Promise<boolean> {
  if (process.platform === 'linux') {
    const row = processRow(leader); // quick, and nearly always the answer
    if (row?.group === leader && !isDead(row)) return true;
    return (await groupsOf(leader)).length > 0;
  }
  try {
    process.kill(-leader, 0);
    return true;
  } catch (thrown) {
    return systemCode(thrown) === 'EPERM';
  }
}

async function output(program: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(program, args, { windowsHide: true });
    return stdout.trim() === '' ? undefined : stdout.trim();
  } catch {
    return undefined; // no such process
  }
}
