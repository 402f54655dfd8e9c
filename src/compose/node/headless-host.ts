import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Clock } from '../../core/ports/clock.ts';
import type { EngineHost, HostWorkspace } from '../engine-host.ts';
import { environmentSecrets } from '../../core/secrets/secret-book.ts';
import { failureOf } from '../../domain/failure.ts';
import { AbsentHuman } from '../../hosts/node/headless/absent-human.ts';
import { ArgumentError, type HostArguments, WITHIN } from '../../hosts/node/headless/arguments.ts';
import { SystemClock } from '../../hosts/node/clock.ts';
import { FileSpool } from '../../hosts/node/files/file-spool.ts';
import { NodeGit } from '../../hosts/node/git/git.ts';
import { NodeWorktrees } from '../../hosts/node/git/worktrees.ts';
import { FileLog } from '../../hosts/node/log.ts';
import { proxiedSend, useProxies } from '../../hosts/node/proxies.ts';
import { stopAbandoned } from '../../hosts/node/processes/process-group.ts';
import { NodeWorkspaceSnapshots } from '../../hosts/node/workspace-snapshots/node-workspace-snapshots.ts';
import { NodeWeb } from '../../hosts/node/web/node-web.ts';
import type { Program } from './commands/command.ts';
import type { TelemetryHost } from '../telemetry/telemetry-host.ts';
import { type HostSource, sourceOfArguments } from './host-source.ts';
import { type ServerProblems, headlessServers } from './headless-servers.ts';
import { NODE_NUMBERS, nodeDisk, sandboxedCommands } from './node-ports.ts';

export interface HeadlessHost {
  readonly engine: EngineHost;
  readonly human: AbsentHuman;
  readonly servers: ServerProblems;
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
  refuseWithin(request);
  makeFolder(request.data);
  return hostOf(sourceOfArguments(request, reviewed), program);
}

/** The same for whoever starts it with more than arguments. */
export function hostOf(source: HostSource, program: Program): HeadlessHost {
  const { settings, model, keys, telemetryKey, roots, ownFolders, rights } = source;
  const [data] = ownFolders;
  const [root] = roots;
  const clock = new SystemClock();
  const human = new AbsentHuman();
  const own = { data, ownFolders };
  const commands = sandboxedCommands(settings, () => roots, own);
  /** Secrets that MCP servers got. */
  const served: (readonly [value: string, what: string])[] = [];
  const log = new FileLog({
    file: path.join(data, 'belay.log'),
    clock,
    level: () => settings('log.level'),
    secrets: () => [...keys(), ...served.map(([value]) => value)],
  });
  useProxies(source.proxies);
  const git = new NodeGit();
  const secrets = [...environmentSecrets(process.env)];
  const mcp = headlessServers({
    clock,
    log,
    settings,
    folder: root,
    off: source.serversOff,
    version: program.version,
    onSecret: (value, what) => served.push([value, what]),
  });
  const snapshots =
    rights.reviewed === true ? workspaceSnapshots(ownFolders, program, clock.now()) : undefined;
  const pdfWorker = program.workerFile('hosts/node/pdf/pdf-worker.ts', 'pdf-worker.cjs');
  return {
    human,
    servers: mcp.problems,
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
        person: source.person,
        channel: source.channel,
      },
      model: {
        ...model,
        send: proxiedSend(source.proxies),
        secrets: () => [...secrets, ...served],
      },
      disk: {
        ...nodeDisk(own, pdfWorker, source.ripgrep),
        ...(snapshots === undefined ? {} : { snapshots }),
      },
      commands: {
        ...commands,
        platform: process.platform === 'win32' ? 'windows' : 'posix',
        searchPath: process.env['PATH']?.split(path.delimiter) ?? [],
        spool: new FileSpool(path.join(data, 'outputs')),
        stopAbandoned,
      },
      person: { approver: human, human, home: os.homedir(), ...rights },
      workspace: workspaceOf(roots, clock),
      tools: {
        git,
        worktrees: new NodeWorktrees(git),
        web: new NodeWeb(),
        webSearch: source.webSearch,
        mcpTools: async (moment) => mcp.tools(moment),
        startingServers: () => mcp.startingServers(),
      },
    },
    dispose: async () => {
      await mcp.dispose();
      commands.shell.dispose();
      snapshots?.dispose();
      await log.flush();
      log.dispose();
    },
  };
}

/** Moments of the workspace, kept beside the database as a window keeps them. */
function workspaceSnapshots(
  ownFolders: HostSource['ownFolders'],
  program: Program,
  now: number,
): NodeWorkspaceSnapshots {
  return new NodeWorkspaceSnapshots({
    folder: path.join(ownFolders[0], 'snapshots'),
    // Unlike that of any other process, now and later.
    name: `${process.pid}-${now.toString(36)}`,
    worker: program.workerFile('hosts/node/workspace-snapshots/worker.ts', 'snapshot-worker.cjs'),
    without: [...ownFolders],
    environment: process.env,
  });
}

/** The folders, which whoever starts the host trusts. */
function workspaceOf(roots: readonly string[], clock: Clock): HostWorkspace {
  return {
    roots: () => roots,
    trusted: () => true,
    focus: () => [],
    environment: () => ({
      system: `${os.type()} ${os.release()}`,
      date: new Date(clock.now()).toISOString().slice(0, 10),
      roots,
    }),
  };
}

/** A failure in one line; wrong arguments, and what the system refuses, in their own words. */
export function oneLine(error: unknown): string {
  const isPlain = error instanceof ArgumentError || (error instanceof Error && 'syscall' in error);
  return (isPlain ? error.message : failureOf(error).message).replaceAll(/\s+/gu, ' ');
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ArgumentError(oneLine(error));
  }
}

function checkFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new ArgumentError(`The folder ${folder} is not there.`);
}

/** No tool reads or writes the data folder, so no work can be done within it. */
function refuseWithin({ workspace, data }: HostArguments): void {
  // A command that needs no workspace has none.
  if (workspace === data) return;
  const [own, other] = [realpathSync(workspace), realOr(path.resolve(data))];
  if (`${own}${path.sep}`.startsWith(`${other}${path.sep}`)) throw new ArgumentError(WITHIN);
}

const realOr = (folder: string): string => (existsSync(folder) ? realpathSync(folder) : folder);
