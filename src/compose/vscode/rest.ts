import * as l10n from '@vscode/l10n';
import os from 'node:os';
import path from 'node:path';
import { NODE_NUMBERS, nodeDisk } from '../node/node-ports.ts';
import { type Engine, composeEngine } from '../engine.ts';
import type { EngineBase } from '../base.ts';
import { failureOf, wordsOf } from '../../domain/failure.ts';
import { lazy } from '../../domain/lifetime/lazy.ts';
import { DocumentFileOperations } from '../../hosts/vscode/files/document-file-operations.ts';
import { NodeGit } from '../../hosts/node/git/git.ts';
import { NodeWorktrees } from '../../hosts/node/git/worktrees.ts';
import { NodeWeb } from '../../hosts/node/web/node-web.ts';
import { EditorNotebooks } from '../../hosts/vscode/notebooks/notebooks.ts';
import { EditorTasks } from '../../hosts/vscode/tasks/editor-tasks.ts';
import { EditorEncodings } from '../../hosts/vscode/files/editor-encodings.ts';
import type { BaseHost, EngineHost, HostDisk, HostPerson } from '../engine-host.ts';
import { DocumentFileSystem } from '../../hosts/vscode/files/document-file-system.ts';
import { EditorLanguage } from '../../hosts/vscode/language/language.ts';
import { activeFiles, editorState } from '../../hosts/vscode/workspace/editor-state.ts';
import { extensionTools } from '../../hosts/vscode/extension-tools/extension-tools.ts';
import { searchKeyName } from '../../hosts/vscode/secrets/search-key.ts';
import type { SessionTransfer } from '../../hosts/vscode/commands/session-files.ts';
import type { Host } from '../../hosts/vscode/host.ts';
import { listOwnFolders } from '../../hosts/vscode/own-folders.ts';
import { ripgrepOf } from '../../hosts/vscode/workspace/ripgrep.ts';
import type { InputGround } from '../../hosts/vscode/panel/message-input.ts';
import { RulesSection } from '../../panel/center/rules-section.ts';
import { panelProviders } from '../../hosts/vscode/models/panel-providers.ts';
import { openSettings } from '../../hosts/vscode/settings/settings.ts';
import { openServices } from '../../hosts/vscode/window-services.ts';
import type { PanelWindow, WindowBase, WindowServices } from '../../hosts/vscode/window.ts';
import { NodeWorkspaceSnapshots } from '../../hosts/node/workspace-snapshots/node-workspace-snapshots.ts';
import type { McpHub } from '../../mcp/hub.ts';
import { builtFile } from './built-file.ts';
import { followPersonas } from './personas.ts';
import { composeContextServer } from './context-server.ts';
import { composeTelemetry } from './telemetry.ts';

import { composeMcpServers } from './mcp-servers.ts';
import type { Level } from '../../core/tool-call/tool-call.ts';
/** The window behind its panel. */
export interface Rest {
  readonly engine: Engine;
  readonly services: WindowServices;
  /** Goes on with runs that were left behind, and with queues. */
  goOn(): Promise<void>;
  /** After the engine. */
  dispose(): Promise<void>;
}

/** Tools that other extensions' agents get beside the context. */
const SEARCHING: ReadonlySet<string> = new Set(['search_text', 'find_files']);

interface RestParts {
  readonly host: Host;
  readonly ports: BaseHost;
  readonly base: EngineBase;
  readonly first: WindowBase;
  readonly shown: PanelWindow;
}

/** Everything that runs, tools and reviews need, and what stands in the window beside the panel. */
export async function composeRest({ host, ports, base, first, shown }: RestParts): Promise<Rest> {
  const { clock } = ports;
  const engineSoon = Promise.withResolvers<Engine>();
  const level = (): Level => personOf(host).level();
  const servers = composeMcpServers({ host, clock, level, engine: engineSoon.promise });
  const { hub: mcp, consent, switches, secrets } = servers;
  const language = new EditorLanguage();
  const snapshots = workspaceSnapshots(host, ports);
  const disk = diskOf(host, snapshots);
  const engineHost = engineHostOf(host, ports, { mcp, language, disk, secrets });
  const engine = await composeEngine(engineHost, base);
  engineSoon.resolve(engine);
  const rules = composeRules(host, engine);
  const providers = panelProviders(host, first.models);
  const own = composeContextServer(host, async () => {
    const { contextTools } = await import('../mcp/context-tools.ts');
    return contextTools(engineHost, engine);
  });
  const services = openServices(
    host,
    {
      engine,
      clock,
      models: first.models,
      files: disk.files,
      encodings: disk.encodings,
      transfer: composeTransfer(engine, engineHost),
      rules,
      providers,
      mcp: { ...servers.window(engine), own },
      center: lazy(async () => {
        const { composeCenter } = await import('./center.ts');
        return composeCenter({
          host,
          clock,
          engine,
          mcp: { hub: mcp, consent, switches },
          models: first.models,
          places: shown.view,
          setup: shown.setup,
          rules,
          providers,
        });
      }),
      ground: inputGround(host, engineHost, language, mcp),
      lent: lazy(async () => {
        const { contextTools } = await import('../mcp/context-tools.ts');
        return contextTools(engineHost, engine, SEARCHING);
      }),
    },
    shown,
  );
  servers.connect();
  followRules(host, engine.permissions);
  const personas = followPersonas(host, engine, shown);
  const telemetry = composeTelemetry(host, engine, clock);
  return {
    engine,
    services,
    goOn: async () => goOn(host, engine),
    dispose: async () => {
      personas.dispose();
      await telemetry.dispose();
      services.dispose();
      await own.dispose();
      await servers.dispose();
      language.dispose();
      snapshots.dispose();
    },
  };
}

/** The engine's host in a window of VS Code. */
function engineHostOf(
  host: Host,
  ports: BaseHost,
  parts: {
    readonly mcp: McpHub;
    readonly language: EditorLanguage;
    readonly disk: HostDisk;
    readonly secrets: Iterable<readonly [value: string, what: string]>;
  },
): EngineHost {
  const { mcp, language, disk, secrets } = parts;
  const git = new NodeGit();
  return {
    ...ports,
    ...NODE_NUMBERS,
    // Secrets that MCP servers get are masked like those of the environment.
    model: { ...ports.model, secrets: () => [...(ports.model.secrets?.() ?? []), ...secrets] },
    disk,
    person: personOf(host),
    workspace: {
      roots: () => host.workspace.roots,
      trusted: () => host.workspace.trusted,
      focus: () => activeFiles(),
      environment: () => ({
        system: `${os.type()} ${os.release()}`,
        date: new Date(ports.clock.now()).toISOString().slice(0, 10),
        roots: host.workspace.roots,
      }),
      seen: () => editorState(),
    },
    tools: {
      web: new NodeWeb(),
      git,
      worktrees: new NodeWorktrees(git),
      notebooks: new EditorNotebooks(),
      tasks: new EditorTasks(),
      staysOpen: true,
      webSearch: { key: async (service) => host.extension.secrets.get(searchKeyName(service)) },
      language,
      mcpTools: async (moment) => (host.workspace.trusted ? mcp.tools(moment) : []),
      startingServers: () => mcp.startingServers(),
      // Only where the person allows it and the workspace is trusted.
      extensionTools: () =>
        host.settings.get('tools.extensions') && host.workspace.trusted
          ? extensionTools(host.log)
          : [],
    },
  };
}

/** The places in which the input finds things. */
function inputGround(
  { workspace }: Host,
  { disk, tools }: Pick<EngineHost, 'disk' | 'tools'>,
  language: EditorLanguage,
  servers: McpHub,
): InputGround {
  return {
    search: disk.search,
    language,
    servers,
    isRepository: async () => {
      for (const root of workspace.roots)
        if ((await tools.git?.repositoryOf(root)) !== undefined) return true;
      return false;
    },
  };
}

/** Goes on from before: damage that was told, runs that were left behind, queues. */
async function goOn(host: Host, engine: Engine): Promise<void> {
  // The user was told. Unfinished runs wait for their decision, queues and follow-ups for their next message.
  if (engine.store.lost) await engine.store.acknowledgeLoss();
  await settleRestores(host, engine);
  await engine.agent.start();
  // Nothing waits for that.
  void engine.settleAgents();
  // VS Code reads the machine's certificates at the first call: 150 ms that the first message would wait.
  void fetch('data:,');
}

/** Who works here (A5): in a workspace that is not trusted everyone is a guest. */
function personOf({ workspace, settings, desk }: Host): HostPerson {
  return {
    approver: desk,
    human: desk,
    level: () => (workspace.trusted ? settings.get('identity.defaultLevel') : 'guest'),
    reviewed: true,
    decides: true,
    showBudget: async (key) => void (await openSettings(key)),
    home: os.homedir(),
    writeSetting: async (key, value) => settings.write(key, value),
  };
}

/** The rules for their section, and what would happen to a call. */
function composeRules(host: Host, { permissions, tools, registry }: Engine): RulesSection {
  return new RulesSection({
    permissions,
    tools: tools.offered,
    roots: () => host.workspace.roots,
    modeOf: (sessionId) => registry.optionsOf(sessionId).mode,
  });
}

/** A rule that was just written may decide about calls that wait for a yes. */
function followRules({ settings }: Host, permissions: Engine['permissions']): void {
  settings.onChanged((keys) => {
    if (keys.has('permissions.rules') || keys.has('permissions.workspaceRules'))
      permissions.rules.changed();
  });
}

/** Moments of the workspace, kept beside the database. */
function workspaceSnapshots({ folders }: Host, { clock }: BaseHost): NodeWorkspaceSnapshots {
  return new NodeWorkspaceSnapshots({
    folder: path.join(folders.data, 'snapshots'),
    // Unlike that of any other process, now and later.
    name: `${process.pid}-${clock.now().toString(36)}`,
    worker: builtFile('snapshot-worker.cjs'),
    without: [...listOwnFolders(folders)],
    environment: process.env,
  });
}

/** The files as editors show them, and as they are saved. */
function diskOf({ folders }: Host, snapshots: NodeWorkspaceSnapshots): HostDisk {
  const ripgrep = ripgrepOf(folders.editor);
  const own = { data: folders.data, ownFolders: listOwnFolders(folders) };
  const disk = nodeDisk(own, builtFile('pdf-worker.cjs'), ripgrep);
  return {
    ...disk,
    files: new DocumentFileSystem(disk.files),
    encodings: new EditorEncodings(),
    operations: new DocumentFileOperations(disk.operations),
    snapshots,
  };
}

/** Before a run goes on: files that a crash left in the middle of a restore are all as before, or all as wished. */
async function settleRestores({ log, tell }: Host, { changes }: Engine): Promise<void> {
  try {
    for (const sentence of (await changes?.recover()) ?? []) {
      log.warn(sentence);
      tell('warning', sentence);
    }
  } catch (error) {
    log.error('A restore of files that was cut off could not be settled.', error);
    tell(
      'warning',
      l10n.t('A restore of files that was cut off is not settled: {0}', wordsOf(failureOf(error))),
    );
  }
}

function composeTransfer(engine: Engine, host: EngineHost): SessionTransfer {
  return {
    exportSession: async (sessionId) => {
      const { exportedLines } = await import('../review/transfer.ts');
      const lines: string[] = [];
      for await (const line of exportedLines(engine, host, sessionId)) lines.push(line);
      return `${lines.join('\n')}\n`;
    },
    importSession: async (text, options) => {
      const { importLines, linesIn } = await import('../review/transfer.ts');
      return importLines(engine, host, linesIn(text), options);
    },
  };
}
