import { mkdirSync, realpathSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Clock } from '../../core/ports/clock.ts';
import type { EngineHost, HostWorkspace } from '../engine-host.ts';
import { COMMAND_LINE } from '../../domain/session/session.ts';
import { environmentSecrets } from '../../core/secrets/secret-book.ts';
import { failureOf } from '../../domain/failure.ts';
import { settingsFrom } from '../../domain/settings/read-settings.ts';
import type { SettingKey, Settings } from '../../domain/settings/settings.ts';
import { AbsentHuman } from '../../hosts/node/headless/absent-human.ts';
import { ArgumentError, type HostArguments } from '../../hosts/node/headless/arguments.ts';
import { SystemClock } from '../../hosts/node/clock.ts';
import { FileSpool } from '../../hosts/node/files/file-spool.ts';
import { NodeGit } from '../../hosts/node/git/git.ts';
import { NodeWorktrees } from '../../hosts/node/git/worktrees.ts';
import { FileLog } from '../../hosts/node/log.ts';
import { variable } from '../../providers/environment-keys.ts';
import { printedProblem } from '../../hosts/node/headless/printed.ts';
import { stopAbandoned } from '../../hosts/node/processes/process-group.ts';
import { NodeWorkspaceSnapshots } from '../../hosts/node/workspace-snapshots/node-workspace-snapshots.ts';
import { NodeWeb } from '../../hosts/node/web/node-web.ts';
import type { Program } from './commands/command.ts';
import { environmentSearch } from './environment-search.ts';
import type { TelemetryHost } from '../telemetry/telemetry-host.ts';
import { environmentModel } from './environment-model.ts';
import { headlessServers } from './headless-servers.ts';
import { NODE_NUMBERS, nodeDisk, sandboxedShell } from './node-ports.ts';

/** The variable with the key of the collector of traces. */
const TELEMETRY_KEY = 'BELAY_OTLP_KEY';

export interface HeadlessHost {
  readonly engine: EngineHost;
  readonly human: AbsentHuman;
  readonly telemetry: TelemetryHost;
  dispose(): Promise<void>;
}

/** The ports of plain Node, and a person who is not there. Throws `ArgumentError` where a folder is none. */
export function openHost(
  request: HostArguments,
  program: Program,
  { reviewed }: { readonly reviewed: boolean } = { reviewed: false },
): HeadlessHost {
  checkFolder(request.workspace);
  makeFolder(request.data);
  const clock = new SystemClock();
  const human = new AbsentHuman();
  const data = realpathSync(request.data);
  const root = realpathSync(request.workspace);
  const settings = settingsOf(request);
  const { key, model } = environmentModel(settings, process.env);
  const own = { data, ownFolders: [data] };
  const shell = sandboxedShell(settings, () => [root], own);
  const telemetryKey = variable(process.env, TELEMETRY_KEY);
  /** Secrets that MCP servers got. */
  const served: (readonly [value: string, what: string])[] = [];
  const log = new FileLog({
    file: path.join(data, 'belay.log'),
    clock,
    level: () => settings('log.level'),
    secrets: () =>
      [key, telemetryKey, ...served.map(([value]) => value)].filter((one) => one !== undefined),
  });
  const git = new NodeGit();
  const secrets = [...environmentSecrets(process.env)];
  const mcp = headlessServers({
    clock,
    log,
    settings,
    folder: root,
    version: program.version,
    onSecret: (value, what) => served.push([value, what]),
    tell: (sentence) => void process.stderr.write(`${printedProblem(sentence)}\n`),
  });
  const snapshots = reviewed ? workspaceSnapshots(data, program, clock.now()) : undefined;
  return {
    human,
    telemetry: {
      clock,
      log,
      settings,
      key: async () => Promise.resolve(telemetryKey),
      environment: process.env,
      version: program.version,
    },
    engine: {
      clock,
      log,
      settings,
      ...NODE_NUMBERS,
      store: {
        data,
        storeWorker: program.workerFile('store/worker.ts', 'store-worker.cjs'),
        person: { folder: request.person ?? path.dirname(data), name: path.basename(root) },
        channel: COMMAND_LINE,
      },
      model: { ...model, secrets: () => [...secrets, ...served] },
      disk: {
        ...nodeDisk(own, program.workerFile('hosts/node/pdf/pdf-worker.ts', 'pdf-worker.cjs')),
        ...(snapshots === undefined ? {} : { snapshots }),
      },
      commands: {
        shell,
        backgroundShell: shell,
        platform: process.platform === 'win32' ? 'windows' : 'posix',
        spool: new FileSpool(path.join(data, 'outputs')),
        stopAbandoned,
      },
      person: personOf(request, human, reviewed),
      workspace: workspaceAt(root, clock),
      tools: {
        git,
        worktrees: new NodeWorktrees(git),
        web: new NodeWeb(),
        webSearch: environmentSearch(process.env),
        mcpTools: async () => mcp.tools(),
      },
    },
    dispose: async () => {
      await mcp.dispose();
      shell.dispose();
      snapshots?.dispose();
      await log.flush();
      log.dispose();
    },
  };
}

/** Moments of the workspace, kept beside the database as a window keeps them. */
function workspaceSnapshots(data: string, program: Program, now: number): NodeWorkspaceSnapshots {
  return new NodeWorkspaceSnapshots({
    folder: path.join(data, 'snapshots'),
    // Unlike that of any other process, now and later.
    name: `${process.pid}-${now.toString(36)}`,
    worker: program.workerFile('hosts/node/workspace-snapshots/worker.ts', 'snapshot-worker.cjs'),
    without: [data],
    environment: process.env,
  });
}

/** The one folder, which whoever starts the host trusts. */
function workspaceAt(root: string, clock: Clock): HostWorkspace {
  return {
    roots: () => [root],
    trusted: () => true,
    focus: () => [],
    environment: () => ({
      system: `${os.type()} ${os.release()}`,
      date: new Date(clock.now()).toISOString().slice(0, 10),
      roots: [root],
    }),
  };
}

/** A person who is not there. */
function personOf(
  { unattended }: HostArguments,
  human: AbsentHuman,
  reviewed: boolean,
): EngineHost['person'] {
  return {
    approver: human,
    human,
    level: () => 'owner',
    home: os.homedir(),
    unattended,
    personasOf: 'headless',
    reviewed,
  };
}

/** The settings of the arguments, which were checked with them. */
function settingsOf({ modelUrl, settings }: HostArguments): Settings {
  return settingsFrom(
    (name: SettingKey) =>
      name === 'model.baseUrl' && modelUrl !== undefined ? modelUrl : settings.get(name),
    () => undefined,
  );
}

/** A failure in one line. */
export function oneLine(error: unknown): string {
  return failureOf(error).message.replaceAll(/\s+/gu, ' ');
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new ArgumentError(oneLine(error));
  }
}

function checkFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new ArgumentError(`--workspace ${folder} is not a folder.`);
}
