import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** Pipes for the streams of a command: our ends as streams, the command's ends as descriptors. */
export interface CommandPipes {
  readonly input: Socket | null;
  readonly output: Socket;
  readonly childInput: number | undefined;
  readonly childOutput: number;
  /** Closes the command's ends here; must run after it was started, or the output never ends. */
  closeOther(): void;
}

/**
 * Opens pipes for a command on Linux, where Node would give it sockets, which programs cannot open again by the name
 * `/dev/stdout` (ENXIO). They are named pipes without a name: unlinked as soon as both ends are open. `undefined`: this
 * system makes none, and sockets have to do.
 */
export async function openPipes(withInput: boolean): Promise<CommandPipes | undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), 'belay-pipes-')).catch(() => undefined);
  if (folder === undefined) return undefined;
  const opened: number[] = [];
  const open = (name: string, flags: number): number => {
    const descriptor = openSync(path.join(folder, name), flags);
    opened.push(descriptor);
    return descriptor;
  };
  // Opened for both directions first: no other open has to wait for the other end.
  const pair = (name: string, mode: 'read' | 'write'): readonly [own: number, other: number] => {
    const both = open(name, constants.O_RDWR);
    const [ownFlag, otherFlag] =
      mode === 'read'
        ? [constants.O_RDONLY, constants.O_WRONLY]
        : [constants.O_WRONLY, constants.O_RDONLY];
    const ends = [open(name, ownFlag | constants.O_NONBLOCK), open(name, otherFlag)] as const;
    opened.splice(opened.indexOf(both), 1);
    closeSync(both);
    return ends;
  };
  try {
    const names = withInput ? ['out', 'in'] : ['out'];
    await promisify(execFile)('mkfifo', ['-m', '600', ...names], { cwd: folder });
    const [ownOutput, childOutput] = pair('out', 'read');
    const [ownInput, childInput] = withInput ? pair('in', 'write') : [undefined, undefined];
    return {
      output: new Socket({ fd: ownOutput, readable: true, writable: false }),
      input:
        ownInput === undefined
          ? null
          : new Socket({ fd: ownInput, readable: false, writable: true }),
      childInput,
      childOutput,
      closeOther: () => {
        for (const end of [childOutput, childInput]) if (end !== undefined) closeSync(end);
      },
    };
  } catch {
    for (const descriptor of opened) closeSync(descriptor);
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
