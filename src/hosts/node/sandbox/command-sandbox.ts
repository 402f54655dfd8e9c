import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { throwIfAborted } from '../../../domain/lifetime/abort.ts';
import type { ShellRequest } from '../../../core/ports/commands/shell.ts';
import { type BelayError, fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { doesNotStart, realPath, safeFolders, sandboxProgram } from './sandbox-needs.ts';
import { readOnlyNote, sandboxNote } from './sandbox-notes.ts';
import { readOnlyRules, sandboxRules, unclearFolder } from './sandbox-rules.ts';
import type { PrivateTemp, SandboxPlaces, SandboxRules } from './sandbox-rules.ts';

/** Milliseconds that the sandbox may take to run a command that does nothing. */
const TRIAL = 30_000;

export interface CommandSandboxParts {
  readonly enabled: () => boolean;
  readonly places: () => SandboxPlaces;
  /** A folder of our own, absolute, in which nothing in the sandbox can write. */
  readonly folder: string;
}

export interface SandboxedStart {
  /** Words before the shell that runs the command. */
  readonly launcher: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The model's note on a command that failed. */
  readonly note: (exitCode: number | undefined, output: string) => string | undefined;
}

/** Runs commands through `@anthropic-ai/sandbox-runtime`'s `srt`; fails without it. */
export class CommandSandbox {
  readonly #parts: CommandSandboxParts;
  /** Programs that have been seen to run a command, in each kind of sandbox. */
  readonly #tried = new Set<string>();
  #temp: string | undefined;

  constructor(parts: CommandSandboxParts) {
    this.#parts = parts;
  }

  /** `undefined`: this command runs as it is. Fails with `BelayError` where there is no sandbox. */
  async startOf(
    { unsandboxed, readOnly, signal }: Pick<ShellRequest, 'unsandboxed' | 'readOnly' | 'signal'>,
    environment: Readonly<Record<string, string>>,
  ): Promise<SandboxedStart | undefined> {
    if (readOnly === undefined && (!this.#parts.enabled() || unsandboxed === true))
      return undefined;
    const places = realPlaces(this.#parts.places());
    const unclear = unclearFolder(places);
    if (unclear !== undefined) throw unclearName(unclear);
    const searchPath = environment['PATH'] ?? '/usr/bin:/bin';
    const temp = this.#openTemp(places.temp);
    // The sandbox must not be started by a program that a command in it has put there.
    const safe = safeFolders(searchPath, [...places.roots, temp.files]);
    const program = sandboxProgram(safe);
    const programs = readableFolders(searchPath, program);
    const rules =
      readOnly === undefined
        ? sandboxRules(places, temp, programs)
        : readOnlyRules(places, temp, readOnly, programs);
    const file = await this.#written(rules);
    const around = {
      ...environment,
      PATH: safe,
      TMPDIR: temp.runtime,
      // Where the runtime would lead programs to a temp folder of its own.
      CLAUDE_CODE_TMPDIR: temp.files,
    };
    const launcher = [program, '--settings', file, '--'];
    await this.#try(`${program} ${readOnly === undefined}`, launcher, around, signal);
    const hosts = rules.network.allowedDomains;
    return {
      launcher: [...launcher, '/usr/bin/env', `PATH=${searchPath}`],
      environment: around,
      note: (exitCode, output) =>
        readOnly === undefined
          ? sandboxNote(exitCode, output, hosts)
          : readOnlyNote(exitCode, hosts),
    };
  }

  /** Removes the temp folder of the commands. */
  dispose(): void {
    if (this.#temp !== undefined) rmSync(this.#temp, { recursive: true, force: true });
    this.#temp = undefined;
  }

  /** Creates the temp folder of the commands, which other users cannot enter; a cleaner may have removed it. */
  #openTemp(parent: string): PrivateTemp {
    if (this.#temp === undefined || !existsSync(this.#temp))
      this.#temp = mkdtempSync(path.join(parent, 'belay-'));
    const temp = {
      files: path.join(this.#temp, 'files'),
      runtime: path.join(this.#temp, 'runtime'),
    };
    for (const folder of Object.values(temp)) mkdirSync(folder, { recursive: true, mode: 0o700 });
    return temp;
  }

  /** The rules as a file that only we can read and write; other rules are another file. */
  async #written(rules: SandboxRules): Promise<string> {
    const { folder } = this.#parts;
    const text = `${JSON.stringify(rules, null, 2)}\n`;
    const name = createHash('sha256').update(text).digest('hex').slice(0, 16);
    const file = path.join(folder, `${name}.json`);
    const draft = `${file}.${randomUUID()}`;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
    await rename(draft, file);
    return file;
  }

  /** Once for each program: a sandbox that does not start must not look like a command that failed. */
  async #try(
    kind: string,
    [program = '', ...args]: readonly string[],
    env: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<void> {
    if (this.#tried.has(kind)) return;
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    // The runtime looks through the folder it is started in; ours is small.
    const options = { cwd: this.#parts.folder, env, signal, timeout: TRIAL };
    execFile(program, [...args, '/bin/sh', '-c', 'exit 0'], options, (error, stdout, stderr) => {
      resolve(error === null ? undefined : `${stdout}${stderr}` || error.message);
    });
    const failure = await promise;
    throwIfAborted(signal);
    if (failure !== undefined) throw doesNotStart(failure);
    this.#tried.add(kind);
  }
}

/** Returns folders of programs that a command may start, and the runtime's own, which it is started through. */
function readableFolders(searchPath: string, program: string): readonly string[] {
  const runtime = path.dirname(path.dirname(realPath(program)));
  const folders = searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return [runtime, ...folders.map(realPath)];
}

function realPlaces(places: SandboxPlaces): SandboxPlaces {
  return {
    ...places,
    roots: places.roots.map(realPath),
    temp: realPath(places.temp),
    home: realPath(places.home),
    ownFolders: places.ownFolders.map(realPath),
  };
}

function unclearName(folder: string): BelayError {
  const message = told`The command was not run: belay.terminal.sandbox is "on", and the sandbox would read the name of the folder ${folder} as a pattern for others. Ask the person to rename it, or to set belay.terminal.sandbox to "off".`;
  return fault('tool', message);
}
