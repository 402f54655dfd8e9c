import { readFileSync } from 'node:fs';
import { detachedProcesses } from '../processes/command-family.ts';

/** Process namespaces that a command in the sandbox of Linux is in: ours, bubblewrap's, the runtime's. */
const DEPTH = 3;

export interface SandboxedCommand {
  readonly leader: number;
  /** The leader's start, in ticks. */
  readonly start: number;
  readonly marker: string;
}

/** A command's processes inside Linux's sandbox, without its own, which end at once on a signal. */
export async function processesInside({
  leader,
  start,
  marker,
}: SandboxedCommand): Promise<readonly number[]> {
  const found = await detachedProcesses(leader, start, marker);
  return found.flatMap(({ pid }) => {
    const numbers = numbersOf(pid);
    return numbers.length >= DEPTH && numbers.at(-1) !== '1' ? [pid] : [];
  });
}

/** The numbers of a process, from our namespace to its own. */
function numbersOf(pid: number): readonly string[] {
  try {
    const line = /^NSpid:(?<numbers>.*)$/mu.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
    return line?.groups?.['numbers']?.trim().split(/\s+/u) ?? [];
  } catch {
    return []; // it has ended
  }
}
