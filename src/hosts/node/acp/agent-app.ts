import {
  type AgentApp,
  type AgentContext,
  type McpServer,
  PROTOCOL_VERSION,
  RequestError,
  agent,
} from '@agentclientprotocol/sdk';
import { failureOf } from '../../../domain/failure.ts';
import { COMMANDS, OpenSession } from './open-session.ts';
import { chosen, configOf, modesOf } from './options.ts';
import { type AcpRoom, type OpenRoom, clientId, ownId } from './room.ts';
import { replayed } from './updates.ts';

/** Sessions of one answer of `session/list`. */
const PAGE = 50;

/** The sessions that a client has open, and the handlers of its requests: protocol 1, and nothing that needs more of it. */
export class AcpAgent {
  readonly #openRoom: OpenRoom;
  readonly #version: string;
  readonly #rooms = new Set<AcpRoom>();
  readonly #sessions = new Map<string, OpenSession>();

  /** @param version of Belay */
  constructor(openRoom: OpenRoom, version: string) {
    this.#openRoom = openRoom;
    this.#version = version;
  }

  app(): AgentApp {
    return agent({ name: 'belay' })
      .onRequest('initialize', () => this.#initialized())
      .onRequest('session/new', ({ params, client }) =>
        told(async () => {
          const room = await this.#room(params.cwd);
          const { id } = await room.service.sessions.create();
          const session = await this.#opened(room, id, client, params.mcpServers);
          return { sessionId: session.clientId, ...stateOf(session) };
        }),
      )
      .onRequest('session/load', ({ params, client }) =>
        told(async () => {
          const session = await this.#known(
            params.cwd,
            params.sessionId,
            client,
            params.mcpServers,
          );
          const messages = await session.room.transcripts.messages({ sessionId: session.id });
          for (const update of replayed(session.room.root, messages)) await session.tell(update);
          return stateOf(session);
        }),
      )
      .onRequest('session/resume', ({ params, client }) =>
        told(async () =>
          stateOf(await this.#known(params.cwd, params.sessionId, client, params.mcpServers ?? [])),
        ),
      )
      .onRequest('session/list', ({ params }) =>
        told(async () => this.#list(params.cwd ?? undefined, params.cursor ?? undefined)),
      )
      .onRequest('session/close', ({ params }) =>
        told(async () => {
          const session = this.#session(params.sessionId);
          session.close();
          this.#sessions.delete(params.sessionId);
          return Promise.resolve({});
        }),
      )
      .onRequest('session/prompt', ({ params }) =>
        told(async () => ({
          stopReason: await this.#session(params.sessionId).prompt(params.prompt),
        })),
      )
      .onRequest('session/set_mode', ({ params }) =>
        told(async () => {
          await this.#choose(params.sessionId, 'mode', params.modeId);
          return {};
        }),
      )
      .onRequest('session/set_config_option', ({ params }) =>
        told(async () => {
          const session = await this.#choose(params.sessionId, params.configId, params.value);
          return { configOptions: configOf(session.room, session.id) };
        }),
      )
      .onNotification('session/cancel', ({ params }) =>
        this.#sessions.get(params.sessionId)?.cancel(),
      );
  }

  /** The session of a client by the session of an engine. */
  known(key: string, sessionId: string): string | undefined {
    const id = clientId({ key }, sessionId);
    return this.#sessions.has(id) ? id : undefined;
  }

  /** The client is gone: what runs is stopped where it can go on. */
  close(): void {
    for (const session of this.#sessions.values()) session.close();
    this.#sessions.clear();
  }

  #initialized() {
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'belay', title: 'Belay', version: this.#version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        sessionCapabilities: { list: {}, resume: {}, close: {} },
      },
      authMethods: [],
    };
  }

  async #room(folder: string): Promise<AcpRoom> {
    const room = await this.#openRoom(folder);
    this.#rooms.add(room);
    return room;
  }

  async #opened(
    room: AcpRoom,
    id: string,
    client: AgentContext,
    servers: readonly McpServer[],
  ): Promise<OpenSession> {
    this.#sessions.get(clientId(room, id))?.leave();
    const session = new OpenSession(room, id, client, refusal(servers));
    this.#sessions.set(session.clientId, session);
    // After the answer: until then the client does not know the session.
    setImmediate(
      () =>
        void session.tell({
          sessionUpdate: 'available_commands_update',
          availableCommands: COMMANDS,
        }),
    );
    return Promise.resolve(session);
  }

  async #known(
    folder: string,
    sessionId: string,
    client: AgentContext,
    servers: readonly McpServer[],
  ): Promise<OpenSession> {
    const room = await this.#room(folder);
    const id = ownId(room, sessionId);
    const session = id === undefined ? undefined : await room.transcripts.session(id);
    if (session === undefined)
      throw RequestError.resourceNotFound(`There is no session ${sessionId} of ${folder}.`);
    return this.#opened(room, session.id, client, servers);
  }

  #session(sessionId: string): OpenSession {
    const session = this.#sessions.get(sessionId);
    if (session !== undefined) return session;
    throw RequestError.invalidParams(undefined, `No session ${sessionId} is open.`);
  }

  async #choose(sessionId: string, configId: string, value: unknown): Promise<OpenSession> {
    const session = this.#session(sessionId);
    const options = chosen(session.room, configId, value);
    if (options === undefined)
      throw RequestError.invalidParams(undefined, `There is no ${configId} ${String(value)}.`);
    await session.room.service.sessions.setOptions(session.id, options);
    return session;
  }

  /** The newest first, a page at a time. */
  async #list(folder: string | undefined, cursor: string | undefined) {
    const rooms = folder === undefined ? [...this.#rooms] : [await this.#room(folder)];
    const from = Number(cursor ?? 0);
    if (!Number.isSafeInteger(from) || from < 0)
      throw RequestError.invalidParams(undefined, `There is no page ${cursor}.`);
    const all = await Promise.all(
      rooms.map(async (room) =>
        (await room.transcripts.sessions())
          .filter(({ type }) => type === 'main')
          .map((session) => ({ room, session })),
      ),
    );
    const sorted = all
      .flat()
      .toSorted((left, right) => right.session.updatedAt - left.session.updatedAt);
    return {
      sessions: sorted.slice(from, from + PAGE).map(({ room, session }) => ({
        sessionId: clientId(room, session.id),
        cwd: room.root,
        title: session.title,
        updatedAt: new Date(session.updatedAt).toISOString(),
      })),
      ...(sorted.length > from + PAGE ? { nextCursor: String(from + PAGE) } : {}),
    };
  }
}

function stateOf({ room, id }: OpenSession) {
  return { modes: modesOf(room, id), configOptions: configOf(room, id) };
}

/** Servers of a client are a stranger's configuration: nobody has said yes to what they run. */
function refusal(servers: readonly McpServer[]): string {
  if (servers.length === 0) return '';
  const names = servers.map(({ name }) => name).join(', ');
  return `The MCP servers of this editor are not started in Belay: ${names}. Those that you want here go into the setting mcp.servers.`;
}

/** A failure as the client is told it. */
async function told<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RequestError) throw error;
    throw RequestError.internalError(undefined, failureOf(error).message);
  }
}
