import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ShellRequest, ShellResult } from '../../../src/core/ports/commands/shell.ts';
import { commandEnvironment } from '../../../src/hosts/node/processes/command-environment.ts';
import { NodeIgnoredPaths } from '../../../src/hosts/node/search/ignore/belay-ignore.ts';
import { findHiddenPaths } from '../../../src/hosts/node/sandbox/hidden-paths.ts';
import { CommandSandbox } from '../../../src/hosts/node/sandbox/command-sandbox.ts';
import type { SandboxPlaces } from '../../../src/hosts/node/sandbox/sandbox-rules.ts';
import { NodeShell } from '../../../src/hosts/node/processes/shell.ts';

/** A workspace, a home and a store of their own, and a shell whose commands run in the sandbox. */
export class SandboxRig {
  readonly base: string;
  readonly temp: string;
  readonly shell: NodeShell;
  /** Folders before the PATH of the commands. */
  readonly programs: string[];
  allowedHosts: readonly string[] = [];
  enabled = true;
  searchPath: string | undefined;

  private constructor(base: string, temp: string, programs: readonly string[]) {
    this.base = base;
    this.temp = temp;
    this.programs = [...programs];
    const environment = (): Record<string, string> => {
      const own = commandEnvironment(process.env);
      const PATH = this.searchPath ?? [...this.programs, own['PATH']].join(path.delimiter);
      return { ...own, PATH, HOME: this.home };
    };
    const sandbox = new CommandSandbox({
      enabled: () => this.enabled,
      folder: path.join(this.store, 'sandbox'),
      places: () => this.places(),
    });
    this.shell = new NodeShell(environment, sandbox);
  }

  static async open(programs: readonly string[]): Promise<SandboxRig> {
    const base = await realpath(await mkdtemp(path.join(tmpdir(), 'belay sandbox ')));
    // The runtime's bridge to its proxies takes no blanks in the path of the temp folder.
    const temp = await realpath(await mkdtemp(path.join(tmpdir(), 'belay-temp-')));
    const rig = new SandboxRig(base, temp, programs);
    for (const folder of [rig.workspace, rig.store, path.join(rig.home, '.ssh')])
      await mkdir(folder, { recursive: true });
    return rig;
  }

  get workspace(): string {
    return path.join(this.base, 'ws');
  }

  get home(): string {
    return path.join(this.base, 'home');
  }

  get store(): string {
    return path.join(this.base, 'store');
  }

  places(): SandboxPlaces {
    return {
      roots: [this.workspace],
      temp: this.temp,
      home: this.home,
      ownFolders: [this.store],
      allowedHosts: this.allowedHosts,
      deniedHosts: [],
    };
  }

  run(command: string, request: Partial<ShellRequest> = {}): Promise<ShellResult> {
    return this.shell.run({
      command,
      cwd: this.workspace,
      timeoutMs: 60_000,
      signal: new AbortController().signal,
      onOutput: () => undefined,
      ...request,
    });
  }

  async close(): Promise<void> {
    this.shell.dispose();
    for (const folder of [this.base, this.temp]) await rm(folder, { recursive: true, force: true });
  }

  /** Lists what commands must not read in the workspace, and runs one that nobody approved. */
  async runReadOnly(command: string): Promise<ShellResult> {
    const hidden = await findHiddenPaths([this.workspace], new NodeIgnoredPaths());
    assert.ok(hidden);
    return this.run(command, { readOnly: { hidden } });
  }
}
