import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { throwIfAborted } from '../../../domain/lifetime/abort.ts';
import type { ShellRequest } from '../../../core/ports/commands/shell.ts';
import { type BelayError, fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { MARKER } from './command-family.ts';
import { type CommandPipes, openPipes } from './command-pipes.ts';
import { processBirth } from './process-group.ts';
import { systemCode } from '../files/system-failure.ts';

/**
 * The gate: a shell that waits for a line on its fourth stream before it becomes the command's
 * shell, so that the record of its group is on disk first; it ends if we die before. It adds its
 * number to the marker, by which leavings are found. Both outputs are one pipe, for the order of
 * arrival.
 */
const GATE =
  'IFS= read -r _ <&3 || exit 125; exec 3<&-; export BELAY_COMMAND="$BELAY_COMMAND.$$"; exec "$@" 2>&1';

/** A command behind its gate, and our ends of its streams. */
export interface StartedCommand {
  readonly child: ChildProcess;
  /** `null`: it reads nothing. */
  readonly input: Writable | null;
  readonly outputs: readonly Readable[];
}

export interface StartRequest extends Pick<ShellRequest, 'command' | 'cwd'> {
  readonly environment: Readonly<Record<string, string>>;
  /** Finds its processes later; see `MARKER`. */
  readonly marker: string;
  /** `open`: it may be written to; `none`: what reads gets the end at once. */
  readonly input: 'open' | 'none';
  /** Words before the shell of the command, such as the sandbox; not on Windows. */
  readonly launcher?: readonly string[];
}

/** Starts a command behind the gate, as the leader of a session of its own. Fails with `BelayError`. */
export async function startBehindGate(request: StartRequest): Promise<StartedCommand> {
  const { command, cwd, environment, marker, input, launcher = [] } = request;
  if (!existsSync(cwd)) {
    throw fault('not_found', told`The folder ${cwd} does not exist, so the command was not run.`);
  }
  const pipes = process.platform === 'linux' ? await openPipes(input === 'open') : undefined;
  const { program, args, stdio } =
    process.platform === 'win32'
      ? windowsCommand(command)
      : posixCommand([...launcher, ...shellWords(command)], input, pipes);
  try {
    const child = spawn(program, args, {
      cwd,
      env: { ...environment, [MARKER]: marker },
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: true,
      stdio,
    });
    await once(child, 'spawn');
    const { stdin, stdout, stderr } = child;
    return {
      child,
      input: pipes?.input ?? stdin,
      outputs: [pipes?.output ?? stdout, stderr].filter((stream) => stream !== null),
    };
  } catch (thrown) {
    pipes?.input?.destroy();
    pipes?.output.destroy();
    throw startFailure(cwd, thrown);
  } finally {
    pipes?.closeOther();
  }
}

/** Makes the process known before the command may begin. */
export async function announce(
  leader: number,
  { onStarted, signal }: Pick<ShellRequest, 'onStarted' | 'signal'>,
): Promise<void> {
  if (onStarted === undefined) return;
  const birth = await processBirth(leader);
  await onStarted({ pid: leader, birth: birth ?? '' });
  throwIfAborted(signal);
}

/** Lets the command begin. On Windows the gate is the input; `keepInput` leaves it open. */
export function letThrough(child: ChildProcess, keepInput = false): void {
  const gate =
    process.platform === 'win32' ? child.stdin : (child.stdio[3] as Writable | null | undefined);
  gate?.on('error', () => undefined); // it has ended already
  if (keepInput && process.platform === 'win32') gate?.write('go\r\n');
  else gate?.end('go\n');
}

export function release({ child, input, outputs }: StartedCommand): void {
  for (const stream of [input, ...outputs, ...child.stdio]) stream?.destroy();
  child.removeAllListeners();
  child.on('error', () => undefined);
  child.unref();
}

type Start = {
  readonly program: string;
  readonly args: readonly string[];
  readonly stdio: ('ignore' | 'pipe' | number)[];
};

/**
 * Words that run a command. Where its input is a socket of Node's, bash takes itself for the shell of a remote login
 * and reads the person's `.bashrc` (bash(1), "Invocation"), in which a command could hang: `--norc` keeps it away.
 */
function shellWords(command: string): readonly string[] {
  return existsSync('/bin/bash')
    ? ['/bin/bash', '--norc', '-c', command]
    : ['/bin/sh', '-c', command];
}

function posixCommand(
  words: readonly string[],
  input: StartRequest['input'],
  pipes: CommandPipes | undefined,
): Start {
  return {
    program: '/bin/sh',
    args: ['-c', GATE, 'sh', ...words],
    stdio: [
      input === 'open' ? (pipes?.childInput ?? 'pipe') : 'ignore',
      pipes?.childOutput ?? 'pipe',
      'ignore',
      'pipe',
    ],
  };
}

/** The gate of Windows: the first line of input is read before the command; then the input ends. */
function windowsCommand(command: string): Start {
  const shell = process.env['ComSpec'] ?? 'cmd.exe';
  return {
    program: shell,
    args: ['/d', '/s', '/c', `"set /p BELAY_GATE=& ${command}"`],
    stdio: ['pipe', 'pipe', 'pipe'],
  };
}

function startFailure(cwd: string, thrown: unknown): BelayError {
  const code = systemCode(thrown);
  const message =
    code === 'E2BIG'
      ? told`The command is too long for the system. Write it to a file and run that.`
      : code === 'EACCES' || code === 'ENOTDIR'
        ? told`The command cannot be run in ${cwd}: it is not a folder that may be entered.`
        : told`The command could not be started (${code ?? String(thrown)}).`;
  return fault('tool', message, { cause: thrown });
}
