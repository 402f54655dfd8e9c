import { type Engine } from '../engine.ts';
import { fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { WindowServers } from '../../hosts/vscode/commands/services.ts';
import type { Host } from '../../hosts/vscode/host.ts';
import { mcpConsent } from '../../hosts/vscode/settings/mcp-consent.ts';
import { mcpFetch } from '../../hosts/node/web/mcp-fetch.ts';
import { mcpPerson } from '../mcp/mcp-person.ts';
import { addServer } from '../../hosts/vscode/mcp/add-server.ts';
import { McpPlaces } from '../../hosts/vscode/mcp/mcp-places.ts';
import { keptSwitches } from '../../hosts/vscode/mcp/kept-switches.ts';
import { askForInput } from '../../hosts/vscode/mcp/mcp-inputs.ts';
import { type InputBook, inputBook } from '../../mcp/config/input-book.ts';
import { mcpPages } from '../../hosts/vscode/settings/mcp-pages.ts';
import type { ServerSource } from '../../mcp/config/read-servers.ts';
import type { ServerSwitches } from '../../mcp/config/server-switches.ts';
import { mayUse } from '../../core/permissions/may-use.ts';
import type { ServerConsent } from '../../mcp/config/consent.ts';
import { connectionOf } from '../../mcp/connection/connection-of.ts';
import type { ServerSupport } from '../../mcp/requests/person.ts';
import { McpHub } from '../../mcp/hub.ts';
import { serverProblems, serverWords } from '../../mcp/status/server-words.ts';

import type { Clock } from '../../core/ports/clock.ts';
import type { Level } from '../../core/tool-call/tool-call.ts';

interface McpServersParts {
  readonly host: Host;
  readonly clock: Clock;
  readonly level: () => Level;
  /** Servers may ask before it is there. */
  readonly engine: Promise<Engine>;
}

/** The MCP servers of a window. */
export interface McpServers {
  readonly hub: McpHub;
  readonly consent: ServerConsent;
  readonly switches: ServerSwitches;
  /** Secrets that they got, each with what it is. */
  readonly secrets: ReadonlyMap<string, string>;
  /** As the window shows them. */
  window(engine: Engine): Omit<WindowServers, 'own'>;
  /** Connects at the start, beside everything else; where nothing is trusted, when it is. */
  connect(): void;
  dispose(): Promise<void>;
}

/** Puts the servers together; nothing is started. */
export function composeMcpServers(parts: McpServersParts): McpServers {
  const { host } = parts;
  const consent = mcpConsent(host.extension.state);
  const places = new McpPlaces(host);
  const { state, sharedState } = host.extension;
  const switches = keptSwitches({ user: sharedState, workspace: state });
  const inputs = inputBook(host.extension.secrets, askForInput);
  const secrets = new Map<string, string>();
  const onSecret = (value: string, what: string): void => {
    secrets.set(value, what);
    host.log.hide(value);
  };
  const hub = openHub(parts, { consent, places, switches, inputs, onSecret });
  return {
    hub,
    consent,
    switches,
    secrets,
    window: (engine) => windowServers(hub, { consent, places, switches, inputs }, engine),
    connect: () => connectAll(host, hub),
    dispose: async () => {
      places.dispose();
      await hub.dispose();
    },
  };
}

interface McpParts {
  readonly consent: ServerConsent;
  readonly places: McpPlaces;
  readonly switches: ServerSwitches;
  readonly inputs: InputBook;
}

/** The servers of settings and files, and what of them is switched off. */
const sourcesOf = ({
  places,
  switches,
}: Pick<McpParts, 'places' | 'switches'>): readonly ServerSource[] => [
  ...places.sources(),
  switches.source(),
];

/** The hub of the servers of settings and files, read again when they or the trust in the workspace change. */
function openHub(
  { host, clock, level, engine }: McpServersParts,
  {
    consent,
    places,
    switches,
    inputs,
    onSecret,
  }: McpParts & Pick<Required<ServerSupport>, 'onSecret'>,
): McpHub {
  const [workspaceFolder] = host.workspace.roots;
  const mcp = new McpHub({
    clock,
    log: host.log,
    environment: process.env,
    fetch: mcpFetch(),
    inputs,
    support: {
      onSecret,
      roots: () => host.workspace.roots,
      credentials: host.extension.secrets,
      person: mcpPerson({
        human: host.desk,
        nextId: async () => (await engine).store.ids.next('question'),
        modelOf: async (sessionId) => (await engine).runs.running.modelOf(sessionId),
        lend: async (request, context) => (await engine).runs.running.lend(request, context),
        ...mcpPages,
      }),
    },
    client: { name: 'belay', version: host.extension.version },
    // A5: whoever starts what a workspace brings along is at least an admin.
    mayStart: async (server) => mayUse(level(), { level: 'admin' }) && consent.mayStart(server),
    ...(workspaceFolder === undefined ? {} : { workspaceFolder }),
  });
  const follow = (): void => mcp.reconfigure(sourcesOf({ places, switches }));
  places.onChange(follow);
  switches.onChange(follow);
  follow();
  return mcp;
}

/** Connects to the configured servers at the start, beside everything else; where nothing is trusted, when it is. */
function connectAll({ workspace, log }: Host, mcp: McpHub): void {
  const connect = (): void => {
    mcp.tools().catch((error: unknown) => log.error('MCP servers could not be started.', error));
  };
  if (workspace.trusted) connect();
  else workspace.onTrusted(connect);
}

/** The MCP servers as the window shows them. */
function windowServers(
  mcp: McpHub,
  { consent, places, switches, inputs }: McpParts,
  engine: Engine,
): Omit<WindowServers, 'own'> {
  return {
    count: () => mcp.servers().length,
    problems: () => serverProblems(mcp.servers()),
    restartAll: async () => {
      consent.reconsider();
      await Promise.all(mcp.servers().map(async ({ name }) => mcp.restart(name)));
    },
    add: async (servers) => {
      for (const server of servers) await addServer({ consent, inputs }, server);
      mcp.reconfigure(sourcesOf({ places, switches }));
      await Promise.all(servers.map(async ({ name }) => mcp.connect(name)));
      return mcp
        .servers()
        .filter((view) => servers.some(({ name }) => name === view.name))
        .map((view) => ({
          name: view.name,
          isReady: view.state === 'ready',
          said: serverWords(view, true),
        }));
    },
    call: async (server, name, input, origin) => {
      const tool = mcp.appTool(server, name);
      if (tool === undefined)
        throw fault(
          'not_found',
          told`The MCP server “${server}” has no tool “${name}” for its apps.`,
        );
      return engine.runs.running.appCall(tool, input, origin);
    },
    read: async (name, uri, signal) => {
      const server = connectionOf(mcp, name);
      return (await server.use((offers) => offers.read(uri, signal), signal)).contents;
    },
    onChange: (listener) => mcp.onChange(listener),
  };
}
