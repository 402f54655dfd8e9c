import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { systemCode } from './system-failure.ts';

/** Between the request to stop and the kill, in milliseconds. */
const TERMINATION_GRACE = 2000;
const POLL = 20;

/** A process group by the number of its leader and the leader's birth, so that a reused number is noticed. */
export interface ProcessGroup {
  readonly pid: number;
  readonly birth: string;
}

let bootId: string | undefined;

/** When a process was born, as the system tells it; `undefined` when there is no such process. */
export async function processBirth(pid: number): Promise<string | undefined> {
  switch (process.platform) {
    case 'linux': {
      const fields = await statFields(pid);
      bootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      return fields === undefined ? undefined : `${bootId}:${fields.start}`;
    }
    case 'win32': {
      const query = `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`;
      return output('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', query]);
    }
    default:
      return output('ps', ['-o', 'lstart=', '-p', String(pid)]);
  }
}

/** Asks a group to stop, and kills it when it has not after 2 s. Resolves when none of it is left. */
export async function stopGroup(leader: number): Promise<void> {
  if (process.platform === 'win32') {
    await output('taskkill', ['/PID', String(leader), '/T', '/F']);
    return;
  }
  if (!signalGroup(leader, 'SIGTERM')) return;
  if (await groupEnds(leader, TERMINATION_GRACE)) return;
  signalGroup(leader, 'SIGKILL');
  await groupEnds(leader, TERMINATION_GRACE);
}

/**
 * Stops what a process of ours left behind when it died (durability, rule 6).
 * `false`: it was gone, or the number belongs to somebody else by now.
 */
export async function stopAbandoned(group: ProcessGroup): Promise<boolean> {
  const birth = await processBirth(group.pid);
  // A leader that is gone may have left members; their group keeps the number, and no new process gets it.
  if (birth !== undefined && birth !== group.birth) return false;
  if (birth === undefined && group.birth.split(':')[0] !== (await currentBoot())) return false;
  if (!(await groupIsAlive(group.pid))) return false;
  await stopGroup(group.pid);
  return true;
}

async function currentBoot(): Promise<string | undefined> {
  return (await processBirth(process.pid))?.split(':')[0];
}

/** `false`: there is no such group. */
function signalGroup(leader: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-leader, signal);
    return true;
  } catch (thrown) {
    if (systemCode(thrown) === 'ESRCH') return false;
    if (systemCode(thrown) === 'EPERM') return true; // it changed its user; it is there
    throw thrown;
  }
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
  try {
    process.kill(-leader, 0);
  } catch (thrown) {
    return systemCode(thrown) === 'EPERM';
  }
  if (process.platform !== 'linux') return true;
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/u.test(entry)) continue;
    const fields = await statFields(Number(entry));
    if (fields?.group === leader && fields.state !== 'Z' && fields.state !== 'X') return true;
  }
  return false;
}

/** From /proc/PID/stat; the name in parentheses may hold anything, so the fields are counted after it. */
async function statFields(
  pid: number,
): Promise<{ readonly state: string; readonly group: number; readonly start: string } | undefined> {
  let line: string;
  try {
    line = await readFile(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined; // it has ended
  }
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  // proc(5): the third field is the state, the fifth the group, the twenty-second the start.
  return { state: fields[0] ?? '', group: Number(fields[2]), start: fields[19] ?? '' };
}

async function output(program: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(program, args, { windowsHide: true });
    return stdout.trim() === '' ? undefined : stdout.trim();
  } catch {
    return undefined; // no such process
  }
}
