import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';

/** A process by id, birth and boot: a reused id has another birth. */
export interface ProcessIdentity {
  readonly processId: number;
  /**
   * Linux: clock ticks since boot (/proc/<pid>/stat, field 22). Other Unix: `ps -o lstart=` in UTC. Windows: FILETIME.
   */
  readonly birth: string;
  /** Boot, process namespace and machine, joined by `|`. */
  readonly bootId: string;
}

/** `elsewhere`: on another machine or in another container, where this process cannot look. */
export type Liveness = 'alive' | 'dead' | 'elsewhere';

/** Asks the system; replaced in tests of others. */
export interface ProcessTable {
  readonly bootId: string;
  /** The birth of a living process; `undefined`: there is none with this id. */
  birthOf(processId: number): Promise<string | undefined>;
  /** `true` when a process with this id exists, whoever owns it. */
  exists(processId: number): boolean;
}

/** The birth of a process that exists although the system would not tell its birth: it counts as alive. */
const UNKNOWN = 'unknown';

let own: Promise<ProcessIdentity> | undefined;

export function ownIdentity(): Promise<ProcessIdentity> {
  own ??= identityOf(process.pid).then(
    (identity) => identity ?? { processId: process.pid, birth: UNKNOWN, bootId: bootId() },
  );
  return own;
}

/** As `ownIdentity`, at once: without birth where a program must tell it, enough for presence, not for a lease. */
export async function identityAtOnce(): Promise<ProcessIdentity> {
  const asked = ownIdentity();
  if (process.platform === 'linux') return asked;
  return { processId: process.pid, birth: UNKNOWN, bootId: bootId() };
}

/** The identity of a living process of this machine; `undefined` when there is none. */
export async function identityOf(
  processId: number,
  table: ProcessTable = systemTable(),
): Promise<ProcessIdentity | undefined> {
  const birth = await table.birthOf(processId);
  return birth === undefined ? undefined : { processId, birth, bootId: table.bootId };
}

/** Judges by identity, never by clock. */
export async function livenessOf(
  identity: ProcessIdentity,
  table: ProcessTable = systemTable(),
): Promise<Liveness> {
  const place = placeOf(identity.bootId, table.bootId);
  if (place !== 'here') return place;
  if (!table.exists(identity.processId)) return 'dead';
  const birth = await table.birthOf(identity.processId);
  const open = birth === UNKNOWN || identity.birth === UNKNOWN;
  return birth === identity.birth || (open && birth !== undefined) ? 'alive' : 'dead';
}

/**
 * As `livenessOf`, at once; exact on Linux. Elsewhere a reused id counts as alive: good for refusing, never for taking
 * over.
 */
export function seemsAlive(identity: ProcessIdentity): boolean {
  if (placeOf(identity.bootId, bootId()) === 'dead') return false;
  if (placeOf(identity.bootId, bootId()) === 'elsewhere') return true;
  if (process.platform !== 'linux') return exists(identity.processId);
  return linuxBirth(identity.processId) === identity.birth;
}

/** The place of a process, seen from `here`; `dead`: this machine was booted since. */
function placeOf(bootId: string, here: string): 'here' | 'dead' | 'elsewhere' {
  if (bootId === here) return 'here';
  const [boot, , machine] = bootId.split('|');
  const [ownBoot, , ownMachine] = here.split('|');
  return boot !== ownBoot && machine === ownMachine ? 'dead' : 'elsewhere';
}

let boot: string | undefined;

export function bootId(): string {
  boot ??= [readOr('/proc/sys/kernel/random/boot_id', '-'), namespace(), machine()].join('|');
  return boot;
}

/** Processes of two containers may share an id and even a birth. */
function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '-';
  }
}

function machine(): string {
  // The host name of a Mac changes with its network, and births there are absolute times.
  if (process.platform === 'darwin') return 'mac';
  return `${readOr('/etc/machine-id', '-')}@${os.hostname()}`;
}

function readOr(file: string, otherwise: string): string {
  try {
    return readFileSync(file, 'latin1').trim() || otherwise;
  } catch {
    return otherwise;
  }
}

function exists(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export function systemTable(): ProcessTable {
  return { bootId: bootId(), birthOf, exists };
}

function birthOf(processId: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    return readFile(`/proc/${processId}/stat`, 'latin1').then(birthIn, () => undefined);
  }
  const [command, args] = birthCommand(process.platform, processId);
  return new Promise((resolve) => {
    execFile(
      command,
      args,
      { env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' }, timeout: 5000, windowsHide: true },
      (error, stdout) => {
        const birth = stdout.trim().replaceAll(/\s+/g, ' ');
        // A tool that fails although the process exists must not make it look dead.
        if (birth === '') resolve(exists(processId) && error !== null ? UNKNOWN : undefined);
        else resolve(birth);
      },
    );
  });
}

function linuxBirth(processId: number): string | undefined {
  try {
    return birthIn(readFileSync(`/proc/${processId}/stat`, 'latin1'));
  } catch {
    return undefined;
  }
}

/**
 * Field 22 of /proc/<pid>/stat, counted from the last bracket: the name in field 2 may hold brackets. A zombie has
 * ended.
 */
export function birthIn(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  if (state === 'Z' || state === 'X') return undefined;
  return fields[19];
}

/** The command that prints the birth of a process, by absolute path: never one from the workspace. */
export function birthCommand(
  platform: NodeJS.Platform,
  processId: number,
): readonly [string, readonly string[]] {
  if (platform === 'win32') {
    const root = process.env['SystemRoot'] ?? 'C:\\Windows';
    return [
      `${root}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`,
      [
        '-NoProfile',
        '-NonInteractive',
        '-Command',
        `(Get-Process -Id ${processId} -ErrorAction Stop).StartTime.ToFileTimeUtc()`,
      ],
    ];
  }
  return ['/bin/ps', ['-o', 'lstart=', '-p', String(processId)]];
}
