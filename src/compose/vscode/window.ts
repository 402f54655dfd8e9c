import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { lazyTerminal } from './lazy-terminal.ts';
import { openEngine } from '../engine.ts';
import type { Engine } from '../engine.ts';
import { failureOf } from '../../domain/failure.ts';
import { maskSecrets } from '../../core/secrets/log-masking.ts';
import { DocumentFileOperations } from '../../hosts/vscode/files/document-file-operations.ts';
import { EditorEncodings } from '../../hosts/vscode/files/editor-encodings.ts';
import type { EngineHost } from '../engine-host.ts';
import { DocumentFileSystem } from '../../hosts/vscode/files/document-file-system.ts';
import { activeFiles, editorState } from '../../hosts/vscode/workspace/editor-state.ts';
import { extensionTools } from '../../hosts/vscode/extension-tools/extension-tools.ts';
import { lazyPorts } from './lazy-ports.ts';
import { openHost } from '../../hosts/vscode/host.ts';
import type { Host } from '../../hosts/vscode/host.ts';
import { mcpConsent } from '../../hosts/vscode/settings/mcp-consent.ts';
import type { ServerConsent } from '../../mcp/config/consent.ts';
import { applicationRoot, ripgrepOf } from '../../hosts/vscode/workspace/application-root.ts';
import { mcpDefinitions } from '../../hosts/vscode/settings/mcp-definitions.ts';
import { RulesPage } from '../../panel/rules-page.ts';
import type { Doors } from '../../hosts/vscode/startup/doors.ts';
import { somethingWaits } from '../../window/startup/something-waits.ts';
import { WaitingMark } from '../../window/startup/waiting-mark.ts';
import { openWindow, type WindowCore } from '../../hosts/vscode/window.ts';
import { SystemClock } from '../../hosts/node/clock.ts';
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
import { McpHub } from '../../mcp/hub.ts';
import { offlineModel } from '../../providers/catalog.ts';
import { serverProblems, serverWords } from '../../mcp/status/server-words.ts';

/** Puts Belay together in a window of VS Code. Resolves with what ends it in order. */
export async function composeWindow(
  context: Parameters<typeof openHost>[0],
  doors: Doors,
): Promise<{ dispose(): Promise<void> }> {
  const host = openHost(context, doors);
  const mark = new WaitingMark(host.folders.data);
  mark.set();
  const parts = await composeParts(host);
  const { engine } = parts;
  await begin(host, engine, parts.mcp);
  mark.takeOver();
  return {
    dispose: async () => {
      if (!(await somethingWaits(engine.store.runs, engine.reviews))) mark.clear();
      await parts.dispose();
    },
  };
}

/** Everything that a window has, and what ends it in order. */
async function composeParts(
  host: Host,
): Promise<{ readonly engine: Engine; readonly mcp: McpHub; dispose(): Promise<void> }> {
  const clock = new SystemClock();
  const terminal = lazyTerminal(host);
  const disk = filesOf(host);
  const { files } = disk;
  const consent = mcpConsent(host.state);
  const mcp = composeMcp(host, clock, consent);
  const secrets = environmentSecrets(process.env);
  const snapshots = workspaceSnapshots(host, clock);
  const engine = await openEngine({
    clock,
    log: host.log,
    settings: host.settings.get,
    data: host.folders.data,
    ownFolders: [host.folders.data, host.folders.shared, host.folders.logs],
    storeWorker: builtFile('store-worker.cjs'),
    ...disk,
    pdf: new ThreadPdfReader(builtFile('pdf-worker.cjs')),
    search: new NodeSearch(ripgrepOf(applicationRoot())),
    ignored: new NodeIgnoredPaths(),
    ...terminal.ports,
    snapshots,
    reviewed: true,
    ...editorPorts(host),
    platform: process.platform === 'win32' ? 'windows' : 'posix',
    approver: host.desk,
    human: host.desk,
    ...keyOf(host),
    hash: (text) => createHash('sha256').update(text).digest('hex'),
    random: Math.random,
    ...personOf(host),
    ...surroundings(host, clock),
    mcpTools: async () => (host.workspace.trusted ? mcp.tools() : []),
    focus: () => activeFiles(),
    ...lazyPorts(),
    secrets: () => secrets,
    titlesByModel: true,
  }).catch((error: unknown) => {
    // Without its memory Belay does nothing; why, and what to do, must not be missed.
    host.tell('error', failureOf(error).message);
    throw error;
  });
  const others = composeOthers(engine);
  const window = await openWindow(host, {
    agent: engine.agent,
    broker: engine.broker,
    ...recordsOf(engine),
    todos: engine.todos,
    blobs: engine.commands.blobs,
    background: engine.commands.background,
    clock,
    files,
    guard: engine.guard,
    transfer: composeTransfer(engine),
    snapshots: composeSnapshots(engine),
    restore: engine.restore,
    checkpoints: engine.checkpoints,
    redo: engine.redo,
    fork: engine.fork,
    reviews: engine.reviews,
    others,
    models: composeModels(engine),
    tools: engine.tools,
    rules: composeRules(host, engine),
    mcp: mcpRows(host, mcp, consent),
  });
  return {
    engine,
    mcp,
    dispose: async () => {
      others.dispose();
      await engine.dispose();
      window.dispose();
      await mcp.dispose();
      terminal.dispose();
      snapshots.dispose();
      host.dispose();
    },
  };
}

/** What a kill left beside files of the workspace is removed; nothing waits for that. */
function unfinishedWrites(folders: Host['folders']): UnfinishedWrites {
  const unfinished = new UnfinishedWrites(path.join(folders.data, 'unfinished'));
  void unfinished.clean();
  return unfinished;
}

/** The key, and which addresses had one. */
function keyOf({ apiKey }: Host): Pick<EngineHost, 'apiKey' | 'keyed'> {
  return { apiKey: async () => apiKey.read(), keyed: apiKey.keyed };
}

/** What the window reads and writes in the database. */
function recordsOf({
  store: { transcripts, runs, values, ids },
}: Engine): Pick<WindowCore, 'transcripts' | 'runs' | 'values' | 'ids'> {
  return { transcripts, runs, values, ids };
}

/** What only an editor has. */
function editorPorts(host: Host): Pick<EngineHost, 'language' | 'extensionTools'> {
  const { settings, workspace, log } = host;
  return {
    language: host.language,
    // Only where the person allows it and the workspace is trusted.
    extensionTools: () =>
      settings.get('tools.extensions') && workspace.trusted ? extensionTools(log) : [],
  };
}

/** What surrounds the person's message. */
function surroundings(host: Host, clock: SystemClock): Pick<EngineHost, 'environment' | 'seen'> {
  return {
    environment: () => ({
      system: `${os.type()} ${os.release()}`,
      date: new Date(clock.now()).toISOString().slice(0, 10),
      roots: host.workspace.roots,
    }),
    seen: () => editorState(),
  };
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

function composeModels(engine: Engine): Parameters<typeof openWindow>[1]['models'] {
  return {
    list: () => engine.catalog.models,
    demo: offlineModel(engine.catalog)?.id ?? '',
    forNewSessions: (hasKey) => engine.modelFor(hasKey),
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
function workspaceSnapshots({ folders }: Host, clock: SystemClock): NodeWorkspaceSnapshots {
  return new NodeWorkspaceSnapshots({
    folder: path.join(folders.data, 'snapshots'),
    // Unlike that of any other process, now and later.
    name: `${process.pid}-${clock.now().toString(36)}`,
    worker: builtFile('snapshot-worker.cjs'),
    without: [folders.data, folders.shared, folders.logs],
    environment: process.env,
  });
}

/** What goes on from before: rules, damage to tell of, runs that were left behind, queues. */
async function begin(host: Host, engine: Engine, mcp: McpHub): Promise<void> {
  connectServers(host, mcp);
  followRules(host, engine.permissions);
  tellProblems(host, engine);
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

/** The files as editors show them, and as they are saved. */
function filesOf({ folders }: ReturnType<typeof openHost>) {
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

/** A file that was built beside this one. */
const builtFile = (name: string): string =>
  path.join(path.dirname(fileURLToPath(import.meta.url)), name);

/** The MCP servers of the settings, read again when they or the trust in the workspace change. */
function composeMcp(host: Host, clock: SystemClock, consent: ServerConsent): McpHub {
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
function mcpRows(
  host: Host,
  mcp: McpHub,
  consent: ServerConsent,
): Parameters<typeof openWindow>[1]['mcp'] {
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

/** Damage that the store found, at the start or later: what was kept, and where the rest is. */
function tellProblems(host: Host, { store }: Engine): void {
  const tell = ({ message }: { readonly message: string }): void => {
    host.log.warn(message);
    host.tell('warning', message);
  };
  store.problems.forEach(tell);
  store.onProblem(tell);
}

/** Saved states of sessions; a session is changed only while nothing else works on it. */
function composeSnapshots({
  restore,
  store,
}: Engine): Parameters<typeof openWindow>[1]['snapshots'] {
  const { snapshots } = store;
  return {
    list: async (sessionId) => snapshots.list(sessionId),
    save: async (sessionId, title) => void (await snapshots.save(sessionId, title)),
    restore: async (sessionId, snapshot) => restore.replace(sessionId, snapshot),
    reset: async (sessionId) => restore.replace(sessionId, undefined),
    delete: async (snapshotId) => snapshots.delete(snapshotId),
  };
}

/** What other windows on the same workspace do: one look for all who want to know. */
function composeOthers({
  agent,
  store,
}: Engine): Parameters<typeof openWindow>[1]['others'] & { dispose(): void } {
  const listeners = new Set<() => void>();
  const watching = store.watch(() => {
    void agent.refreshQueues();
    for (const listener of listeners) listener();
  });
  return {
    isElsewhere: async (sessionId) => agent.isElsewhere(sessionId),
    onChange: (listener) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
    draftOf: async (sessionId) => store.transcripts.draftOf(sessionId),
    reconcile: async () => agent.reconcile(),
    dispose: () => watching.dispose(),
  };
}

function composeTransfer({ store, secrets }: Engine): Parameters<typeof openWindow>[1]['transfer'] {
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
