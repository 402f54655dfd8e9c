import { inEnglish } from '../../../src/domain/text/told.ts';
import type { McpServerView } from '../../../src/mcp/status/server-view.ts';
import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RunEventBody } from '../../../src/domain/event.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import type { Log } from '../../../src/core/ports/log.ts';
import type { ToolContext, ToolOutput } from '../../../src/core/tool-call/tool-call.ts';
import { mcpFetch } from '../../../src/hosts/node/web/mcp-fetch.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import type { ServerOrigin } from '../../../src/mcp/config/config.ts';
import type { McpHubOptions } from '../../../src/mcp/hub.ts';
import { McpHub } from '../../../src/mcp/hub.ts';
import type { McpTool } from '../../../src/mcp/tools/tool-proxy.ts';

/** The repository's top folder. */
export const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[/\\]$/, '');

export const everything = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
);
export const filesystem = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
);
export const playwright = fileURLToPath(
  new URL('cli.js', import.meta.resolve('@playwright/mcp/package.json')),
);
export const memory = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'),
);

export const appServer = fileURLToPath(new URL('app-server.ts', import.meta.url));

/** A definition of the misbehaving server. */
export function wicked(mode: string, parameter = ''): JsonObject {
  const file = fileURLToPath(new URL('wicked-server.ts', import.meta.url));
  return { command: process.execPath, args: [file, mode, parameter] };
}

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** A hub with real time and real processes, every one of which carries a mark in its environment. */
/** The reason that a server shows, in English. */
export const saidOf = (view: McpServerView | undefined): string =>
  view?.reason === undefined ? '' : inEnglish(view.reason);

export class Harness {
  readonly hub: McpHub;
  readonly #mark = randomUUID();

  constructor(options: Partial<McpHubOptions> = {}) {
    this.hub = new McpHub({
      clock: new SystemClock(),
      log: silent,
      environment: process.env,
      workspaceFolder: root,
      client: { name: 'belay-test', version: '0.0.0' },
      mayStart: () => Promise.resolve(true),
      // The machine may be busy; tests about patience turn a clock of their own.
      patienceMs: 20_000,
      fetch: mcpFetch(),
      ...options,
    });
  }

  configure(servers: Readonly<Record<string, JsonObject>>, origin: ServerOrigin = 'user'): void {
    const marked = Object.entries(servers).map(([name, server]): [string, JsonObject] => {
      if (server['command'] === undefined) return [name, server];
      const env = (server['env'] ?? {}) as JsonObject;
      return [name, { ...server, env: { ...env, BELAY_TEST_MARK: this.#mark } }];
    });
    this.hub.reconfigure([{ origin, servers: Object.fromEntries(marked) }]);
  }

  async tool(serverTool: string, server?: string): Promise<McpTool> {
    const tools = await this.hub.tools();
    const found = tools.find(
      (tool) => tool.serverTool === serverTool && (server === undefined || tool.server === server),
    );
    if (found !== undefined) return found;
    const states = JSON.stringify(this.hub.servers(), null, 1);
    throw new Error(
      `no tool ${serverTool} among ${tools.map(({ name }) => name).join(', ')}: ${states}`,
    );
  }

  async call(
    serverTool: string,
    input: JsonObject = {},
    context?: ToolContext,
  ): Promise<ToolOutput> {
    const tool = await this.tool(serverTool);
    return tool.run(input, context ?? contextOf());
  }

  state(name: string): string | undefined {
    return this.hub.servers().find((server) => server.name === name)?.state;
  }

  reason(name: string): string {
    return saidOf(this.hub.servers().find((server) => server.name === name));
  }

  log(name: string): string {
    return (this.hub.server(name)?.log.lines ?? [])
      .map((line) => `${line.source}: ${line.text}`)
      .join('\n');
  }

  /** Resolves when the condition holds; checks after every change of a state and a few times a second. */
  async until(condition: () => boolean, what: string): Promise<void> {
    const deadline = Date.now() + 20_000;
    while (!condition()) {
      if (Date.now() > deadline) {
        throw new Error(`never: ${what}; ${JSON.stringify(this.hub.servers(), null, 1)}`);
      }
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    }
  }

  /** Ids of living processes of this hub's servers, their children included (Linux only; elsewhere none are seen). */
  processes(): number[] {
    if (process.platform !== 'linux') return [];
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => {
        try {
          if (!readFileSync(`/proc/${pid}/environ`, 'latin1').includes(this.#mark)) return false;
          const state = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\)/s, '').trim();
          return !state.startsWith('Z');
        } catch {
          return false; // it has ended meanwhile
        }
      });
  }
}

/** What a tool gets beside its input. */
export function contextOf(parts: Partial<ToolContext> = {}): ToolContext {
  return {
    callId: 'call-1',
    runId: 'run-1',
    sessionId: 'session-1',
    roots: [root],
    signal: new AbortController().signal,
    emit: () => {},
    recordProcess: () => Promise.resolve(),
    ...parts,
  };
}

/** A context that keeps the events. */
export function recordingContext(): { context: ToolContext; events: RunEventBody[] } {
  const events: RunEventBody[] = [];
  return { context: contextOf({ emit: (event) => void events.push(event) }), events };
}

/** The texts of an output, joined. */
export function textOf(output: ToolOutput): string {
  return output.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
