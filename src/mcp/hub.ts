import { told } from '../domain/text/told.ts';
import type { FetchLike } from '@modelcontextprotocol/client';
import { homedir } from 'node:os';
import { type Json, canonicalJson } from '../domain/data/json.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Disposable } from '../domain/lifetime/disposable.ts';
import type { Log } from '../core/ports/log.ts';
import { type ServerDefinition, isStartable } from './config/config.ts';
import { type InputBook, inputBook } from './config/input-book.ts';
import { type PlacedServer, type ServerSource, readServers } from './config/read-servers.ts';
import { startTarget } from './config/start-target.ts';
import type { Variables } from './config/variables.ts';
import { type CredentialStorage, credentialMemory } from './auth/credential-book.ts';
import type { ServerSupport } from './requests/person.ts';
import { Connection } from './connection/connection.ts';
import { type EraMemory, eraMemory } from './connection/era.ts';
import { type McpServerView, viewOf } from './status/server-view.ts';
import { type McpTool, toolsOf } from './tools/tool-proxy.ts';

export interface McpHubOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Our environment: for `${env:NAME}`, and for the few variables that local servers get. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute; for `${workspaceFolder}` and as working directory of local servers. */
  readonly workspaceFolder?: string;
  readonly client: { readonly name: string; readonly version: string };
  /** Asked once a definition of a workspace: trusted, and a yes? `false`: it stays stopped. */
  readonly mayStart: (server: ServerDefinition) => Promise<boolean>;
  /** Absent: kept in memory. */
  readonly eras?: EraMemory;
  /** Makes the requests to remote servers; absent: the global one, without a look at where names lead. */
  readonly fetch?: FetchLike;
  readonly support?: ServerSupport;
  /** Values of `${input:ID}`; absent: kept in memory, and nobody is asked. */
  readonly inputs?: InputBook;
  /** Milliseconds for starting, shaking hands and listing tools together; 30,000 unless said otherwise. */
  readonly handshakeMs?: number;
  /** Milliseconds that `tools` waits for servers that are being started; 5,000 unless said otherwise. */
  readonly patienceMs?: number;
}

/** One server and what is known about its start. */
interface Entry {
  readonly connection: Connection;
  /** The consent and the first start; absent until it is needed. */
  first?: Promise<void>;
  /** A list of tools has waited for this once; it does not hold up another. */
  waited?: Promise<void>;
  /** Counts what the person did by hand: an older start that still waits for consent gives way. */
  turn: number;
}

/** All MCP servers of the settings. They are started when their tools are first asked for. */
export class McpHub {
  readonly #options: McpHubOptions;
  readonly #eras: EraMemory;
  readonly #credentials: CredentialStorage;
  readonly #inputs: InputBook;
  readonly #listeners = new Set<() => void>();
  #entries = new Map<string, Entry>();
  #needed = false;
  #disposed = false;
  /** Servers that are on their way out. */
  readonly #leaving = new Set<Promise<void>>();

  constructor(options: McpHubOptions) {
    this.#options = options;
    this.#eras = options.eras ?? eraMemory();
    this.#credentials = options.support?.credentials ?? credentialMemory();
    this.#inputs = options.inputs ?? inputBook(credentialMemory());
  }

  /** Takes all definitions: equal servers go on, others end and start anew if in use. */
  reconfigure(sources: readonly ServerSource[]): void {
    if (this.#disposed) return;
    const entries = new Map<string, Entry>();
    for (const server of readServers(sources, this.#variables())) {
      const { name } = server.definition;
      const old = this.#entries.get(name);
      const same = old !== undefined && isSame(old.connection.definition, server.definition);
      entries.set(name, same ? old : this.#entry(server));
    }
    for (const [name, old] of this.#entries) {
      if (entries.get(name) !== old) this.#leave(old.connection);
    }
    this.#entries = entries;
    if (this.#needed) this.#startAll();
    this.#changed();
  }

  /**
   * Tools of ready servers, sorted; starts the others. Waits up to `patienceMs` for starts and announced changes, for
   * each of them once; at the start of a run for every server that is still starting.
   */
  async tools(moment?: 'start'): Promise<McpTool[]> {
    if (this.#disposed) return [];
    this.#needed = true;
    this.#startAll();
    const waiting = [...this.#entries.values()].flatMap((entry) => {
      const { connection, waited } = entry;
      const isStarting = connection.status.state === 'starting';
      if (isStarting && moment === 'start') return [connection.start()];
      const work = connection.tools.reading ?? entry.first;
      if (work === undefined || work === waited) return [];
      entry.waited = work;
      return [work];
    });
    await this.#patiently(waiting);
    return this.knownTools().filter(({ forModel }) => forModel);
  }

  /** Names of the servers that are starting. */
  startingServers(): readonly string[] {
    return this.#connections().flatMap(({ definition, status }) =>
      status.state === 'starting' ? [definition.name] : [],
    );
  }

  /** The tools of all servers, none of which is started for that. */
  knownTools(): McpTool[] {
    return toolsOf(this.#connections(), this.#options.clock);
  }

  /** A tool that an app of its server may call; `undefined`: there is none. */
  appTool(server: string, name: string): McpTool | undefined {
    return this.knownTools().find(
      (tool) => tool.forApps && tool.server === server && tool.serverTool === name,
    );
  }

  servers(): McpServerView[] {
    return this.#connections().map((connection) => viewOf(connection));
  }

  /** One server, to ask it for more than tools; `undefined`: there is none of that name. */
  server(name: string): Connection | undefined {
    return this.#entries.get(name)?.connection;
  }

  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** Ends a server and starts it again; asks again where it was not allowed. Never rejects. */
  async restart(name: string): Promise<void> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    entry.turn += 1;
    entry.first = this.#startFirst(entry, () => entry.connection.restart());
    await entry.first;
  }

  /** Starts a server that does not run, as by hand; of one that is being started it awaits the end. Never rejects. */
  async connect(name: string): Promise<void> {
    const entry = this.#entries.get(name);
    await entry?.first;
    if (entry !== undefined && entry.connection.status.state !== 'ready') await this.restart(name);
  }

  /** Forgets what a sign-in gave and what was typed for it, and ends the server. */
  async signOut(name: string): Promise<void> {
    const connection = this.#entries.get(name)?.connection;
    if (connection === undefined) return;
    await connection.signOut();
    await this.#inputs.forget(connection.definition);
  }

  /** Ends a server until it is restarted. Never rejects. */
  async stop(name: string): Promise<void> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    entry.turn += 1;
    entry.first ??= Promise.resolve();
    await entry.connection.stop(told`It was stopped by hand.`);
  }

  /** Ends all servers; no process of theirs is left when it resolves. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    this.#listeners.clear();
    for (const { connection } of this.#entries.values()) this.#leave(connection);
    this.#entries.clear();
    await Promise.all(this.#leaving);
  }

  #variables(): Variables {
    const { environment, workspaceFolder } = this.#options;
    return { environment, homeFolder: homedir(), workspaceFolder };
  }

  #entry(server: PlacedServer): Entry {
    const { clock, log, client, environment, workspaceFolder, handshakeMs, support } =
      this.#options;
    const folders = workspaceFolder === undefined ? [] : [workspaceFolder];
    const connection = new Connection(server.definition, {
      prepare: async (byHand, signal) => {
        const presence = { byHand, signal };
        const prepared = await startTarget(server, this.#variables(), this.#inputs, presence);
        if ('secrets' in prepared)
          for (const secret of prepared.secrets) this.#options.support?.onSecret?.(...secret);
        return prepared;
      },
      clock,
      log,
      client,
      environment,
      folder: workspaceFolder ?? homedir(),
      eras: this.#eras,
      fetch: this.#options.fetch ?? globalThis.fetch,
      support: { roots: () => folders, credentials: this.#credentials, ...support },
      handshakeMs: handshakeMs ?? 30_000,
      onChange: () => this.#changed(),
    });
    return { connection, turn: 0 };
  }

  #startAll(): void {
    for (const entry of this.#entries.values()) {
      const { connection } = entry;
      if (entry.first === undefined) {
        entry.first = this.#startFirst(entry, () => connection.start());
      } else {
        connection.wake();
      }
    }
  }

  async #startFirst(entry: Entry, start: () => Promise<void>): Promise<void> {
    const { connection, turn } = entry;
    if (!isStartable(connection.definition)) return;
    if (connection.definition.origin === 'workspace') {
      await connection.stop(told`It is defined by this workspace and waits for your yes.`);
      const allowed = await this.#mayStart(connection.definition);
      // While the person was asked, they may have stopped it, or the definition may have gone.
      const current = this.#entries.get(connection.definition.name);
      if (current !== entry || entry.turn !== turn) return;
      if (!allowed) {
        await connection.stop(
          told`It is defined by this workspace and was not allowed to start. Start it to be asked again.`,
        );
        return;
      }
    }
    await start();
  }

  async #mayStart(definition: ServerDefinition): Promise<boolean> {
    try {
      return await this.#options.mayStart(definition);
    } catch (thrown) {
      this.#options.log.error(
        `Nobody could be asked about the MCP server ${definition.name}.`,
        thrown,
      );
      return false;
    }
  }

  async #patiently(starts: readonly Promise<void>[]): Promise<void> {
    if (starts.length === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = this.#options.clock.after(this.#options.patienceMs ?? 5000, resolve);
    await Promise.race([Promise.all(starts), promise]);
    timer.dispose();
  }

  #leave(connection: Connection): void {
    const leaving = connection.stop();
    this.#leaving.add(leaving);
    void leaving.finally(() => this.#leaving.delete(leaving));
  }

  #connections(): Connection[] {
    return [...this.#entries.values()].map(({ connection }) => connection);
  }

  #changed(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (thrown) {
        this.#options.log.error('A listener of the MCP servers failed.', thrown);
      }
    }
  }
}

function isSame(old: ServerDefinition, now: ServerDefinition): boolean {
  return canonicalJson(old as unknown as Json) === canonicalJson(now as unknown as Json);
}
