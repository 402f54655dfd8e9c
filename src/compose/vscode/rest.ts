import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { composeEngine } from '../engine.ts';
import type { Engine } from '../engine.ts';
import type { EngineBase } from '../base.ts';
import { failureOf } from '../../domain/failure.ts';
import { maskSecrets } from '../../core/secrets/log-masking.ts';
import { DocumentFileOperations } from '../../hosts/vscode/files/document-file-operations.ts';
import { EditorEncodings } from '../../hosts/vscode/files/editor-encodings.ts';
import type { BaseHost, EngineHost } from '../engine-host.ts';
import { DocumentFileSystem } from '../../hosts/vscode/files/document-file-system.ts';
import { EditorLanguage } from '../../hosts/vscode/language/language.ts';
import { activeFiles, editorState } from '../../hosts/vscode/workspace/editor-state.ts';
import { extensionTools } from '../../hosts/vscode/extension-tools/extension-tools.ts';
import { lazyPorts } from './lazy-ports.ts';
import type { SessionTransfer } from '../../hosts/vscode/commands/session-files.ts';
import type { SessionSnapshots, WindowServers } from '../../hosts/vscode/commands/services.ts';
import type { Host } from '../../hosts/vscode/host.ts';
import { mcpConsent } from '../../hosts/vscode/settings/mcp-consent.ts';
import { applicationRoot, ripgrepOf } from '../../hosts/vscode/workspace/application-root.ts';
import { mcpDefinitions } from '../../hosts/vscode/settings/mcp-definitions.ts';
import { RulesPage } from '../../panel/rules-page.ts';
import { openServices } from '../../hosts/vscode/window-services.ts';
import type { PanelWindow, WindowBase, WindowServices } from '../../hosts/vscode/window.ts';
import { ThreadPdfReader } from '../../hosts/node/pdf/pdf-reader.ts';
import { NodeFileOperations } from '../../hosts/node/files/file-operations.ts';
import { NodeFileSystem } from '../../hosts/node/files/file-system.ts';
import { NodeIgnoredPaths } from '../../hosts/node/search/ignore/belay-ignore.ts';
import { NodeWorkspaceSnapshots } from '../../hosts/node/workspace-snapshots/node-workspace-snapshots.ts';
import { NodeSearch } from '../../hosts/node/search/search.ts';
import { environmentSecrets } from '../../core/secrets/secret-book.ts';
import { mcpFetch } from '../../hosts/node/web/mcp-fetch.ts';
import { UnfinishedWrites } from '../../hosts/node/files/unfinished-writes.ts';
import { mayUse } from '../../core/permissions/may-use.ts';
import type { Level } from '../../core/tool-call/tool-call.ts';
import type { ServerConsent } from '../../mcp/config/consent.ts';
import { McpHub } from '../../mcp/hub.ts';
import { serverProblems, serverWords } from '../../mcp/status/server-words.ts';
import { builtFile } from './built-file.ts';

/** The window behind its panel. */
export interface Rest {
  readonly engine: Engine;
  readonly services: WindowServices;
  /** What goes on from before: runs that were left behind, queues. */
  goOn(): Promise<void>;
  /** After the engine. */
  dispose(): Promise<void>;
}

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
  const consent = mcpConsent(host.state);
  const mcp = composeMcp(host, ports, consent);
  const language = new EditorLanguage();
  const secrets = environmentSecrets(process.env);
  const snapshots = workspaceSnapshots(host, ports);
  const engineHost: EngineHost = {
    ...ports,
    ...filesOf(host),
    ownFolders: [host.folders.data, host.folders.shared, host.folders.logs],
    pdf: new ThreadPdfReader(builtFile('pdf-worker.cjs')),
    search: new NodeSearch(ripgrepOf(applicationRoot())),
    ignored: new NodeIgnoredPaths(),
    snapshots,
    reviewed: true,
    language,
    // Only where the person allows it and the workspace is trusted.
    extensionTools: () =>
      host.settings.get('tools.extensions') && host.workspace.trusted
        ? extensionTools(host.log)
        : [],
    platform: process.platform === 'win32' ? 'windows' : 'posix',
    approver: host.desk,
    human: host.desk,
    keyed: host.apiKey.keyed,
    hash: (text) => createHash('sha256').update(text).digest('hex'),
    random: Math.random,
    ...personOf(host),
    environment: () => ({
      system: `${os.type()} ${os.release()}`,
      date: new Date(clock.now()).toISOString().slice(0, 10),
      roots: host.workspace.roots,
    }),
    seen: () => editorState(),
    mcpTools: async () => (host.workspace.trusted ? mcp.tools() : []),
    focus: () => activeFiles(),
    ...lazyPorts(),
    secrets: () => secrets,
    titlesByModel: true,
  };
  const engine = await composeEngine(engineHost, base);
  const { store, reviews, guard, restore, checkpoints, redo, fork, tools } = engine;
  if (reviews === undefined) throw new Error('A window has a person who reviews.');
  const services = openServices(
    host,
    {
      ...first,
      guard,
      restore,
      checkpoints,
      redo,
      fork,
      tools,
      ids: store.ids,
      files: engineHost.files,
      reviews,
      transfer: composeTransfer(engine),
      snapshots: composeSnapshots(engine),
      rules: composeRules(host, engine),
      mcp: mcpRows(host, mcp, consent),
    },
    shown,
  );
  connectServers(host, mcp);
  followRules(host, engine.permissions);
  return {
    engine,
    services,
    goOn: async () => goOn(host, engine),
    dispose: async () => {
      services.dispose();
      await mcp.dispose();
      language.dispose();
      snapshots.dispose();
    },
  };
}

/** What goes on from before: damage that was told, runs that were left behind, queues. */
async function goOn(host: Host, engine: Engine): Promise<void> {
  // They were told; what was left behind waits for their decision anyway.
  if (engine.store.lost) await engine.store.acknowledgeLoss();
  await settleRestores(host, engine);
  await engine.agent.reconcile();
  await engine.agent.resumeQueues();
  // Nothing waits for that.
  void engine.warmUp([
    async () => import('../../protocol/requests.ts'),
    async () => import('../../hosts/vscode/commands/handlers.ts'),
  ]);
}

/** What a kill left beside files of the workspace is removed; nothing waits for that. */
function unfinishedWrites(folders: Host['folders']): UnfinishedWrites {
  const unfinished = new UnfinishedWrites(path.join(folders.data, 'unfinished'));
  void unfinished.clean();
  return unfinished;
}

/** Who works here (A5): in a workspace that is not trusted everyone is a guest. */
function personOf({ workspace, settings }: Host) {
  return {
    roots: (): readonly string[] => workspace.roots,
    trusted: (): boolean => workspace.trusted,
    level: (): Level => (workspace.trusted ? settings.get('identity.defaultLevel') : 'guest'),
    home: os.homedir(),
    writeUserRules: async (rules: readonly unknown[]): Promise<void> =>
      settings.write('permissions.rules', rules),
  };
}

/** The rules for their page, and what would happen to a call. */
function composeRules(host: Host, { permissions, tools, registry }: Engine): RulesPage {
  return new RulesPage({
    permissions,
    tools: tools.offered,
    roots: () => host.workspace.roots,
    modeOf: (sessionId) => registry.optionsOf(sessionId).mode,
  });
}

/** What waits for a yes may be decided by a rule that was just written. */
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
    without: [folders.data, folders.shared, folders.logs],
    environment: process.env,
  });
}

/** The files as editors show them, and as they are saved. */
function filesOf({ folders }: Host) {
  const saved = new NodeFileSystem(unfinishedWrites(folders));
  return {
    saved,
    files: new DocumentFileSystem(saved),
    encodings: new EditorEncodings(),
    operations: new DocumentFileOperations(
      new NodeFileOperations(path.join(folders.data, 'removed')),
    ),
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
      `A restore of files that was cut off is not settled: ${failureOf(error).message}`,
    );
  }
}

/** The MCP servers of the settings, read again when they or the trust in the workspace change. */
function composeMcp(host: Host, { clock }: BaseHost, consent: ServerConsent): McpHub {
  const [workspaceFolder] = host.workspace.roots;
  const mcp = new McpHub({
    clock,
    log: host.log,
    environment: process.env,
    fetch: mcpFetch(),
    client: { name: 'belay', version: host.extension.version },
    // A5: whoever starts what a workspace brings along is at least an admin.
    mayStart: async (server) =>
      mayUse(personOf(host).level(), { level: 'admin' }) && consent.mayStart(server),
    ...(workspaceFolder === undefined ? {} : { workspaceFolder }),
  });
  const configure = (): void => {
    const { user, workspace } = mcpDefinitions();
    mcp.reconfigure([
      { origin: 'user', servers: user },
      { origin: 'workspace', servers: workspace },
    ]);
  };
  configure();
  host.workspace.onTrusted(configure);
  host.settings.onChanged((keys) => {
    if (keys.has('mcp.servers')) configure();
  });
  return mcp;
}

/** Connects to the configured servers at the start, beside everything else; where nothing is trusted, when it is. */
function connectServers({ workspace, log }: Host, mcp: McpHub): void {
  const connect = (): void => {
    mcp.tools().catch((error: unknown) => log.error('MCP servers could not be started.', error));
  };
  if (workspace.trusted) connect();
  else workspace.onTrusted(connect);
}

/** The MCP servers as the window shows them. */
function mcpRows(host: Host, mcp: McpHub, consent: ServerConsent): WindowServers {
  return {
    servers: () =>
      mcp.servers().map((server) => ({
        name: server.name,
        state: server.state,
        detail: serverWords(server, host.workspace.trusted),
      })),
    problems: () => serverProblems(mcp.servers()),
    restart: async (name) => {
      consent.reconsider();
      await mcp.restart(name);
    },
    log: (name) => mcp.serverLog(name).map(({ source, text }) => `[${source}] ${text}`),
    onChange: (listener) => mcp.onChange(listener),
  };
}

/** Saved states of sessions; a session is changed only while nothing else works on it. */
function composeSnapshots({ restore, store }: Engine): SessionSnapshots {
  const { snapshots } = store;
  return {
    list: async (sessionId) => snapshots.list(sessionId),
    save: async (sessionId, title) => void (await snapshots.save(sessionId, title)),
    restore: async (sessionId, snapshot) => restore.replace(sessionId, snapshot),
    reset: async (sessionId) => restore.replace(sessionId, undefined),
    delete: async (snapshotId) => snapshots.delete(snapshotId),
  };
}

function composeTransfer({ store, secrets }: Engine): SessionTransfer {
  return {
    exportSession: async (sessionId) => {
      const lines: string[] = [];
      const mask = (text: string): string => maskSecrets(secrets.mask(text));
      for await (const line of store.transfer.exportSession(sessionId, { mask })) lines.push(line);
      return `${lines.join('\n')}\n`;
    },
    importSession: async (text, options) => {
      const lines = text.split(/\r?\n/u);
      if (lines.at(-1) === '') lines.pop();
      const { sessionId, skipped } = await store.transfer.importSession(lines, options);
      return { sessionId, skipped: skipped.length };
    },
  };
}
