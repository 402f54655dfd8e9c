import * as l10n from '@vscode/l10n';
import type { RuleBook } from '../../core/permissions/rules/rule-book.ts';
import type { ToolRow } from '../../core/tool-call/offered-tools.ts';
import { fault } from '../../domain/failure.ts';
import { inWords, told } from '../../domain/text/told.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';
import { isStartable } from '../../mcp/config/config.ts';
import type { ServerSwitches } from '../../mcp/config/server-switches.ts';
import type { Connection } from '../../mcp/connection/connection.ts';
import type { McpHub } from '../../mcp/hub.ts';
import type { McpServerView } from '../../mcp/status/server-view.ts';
import { serverWords } from '../../mcp/status/server-words.ts';
import type { CenterHandlers } from '../../protocol/center/requests.ts';
import type {
  OfferList,
  ServerAction,
  ServerRow,
  ServerToolRow,
} from '../../protocol/center/view.ts';
import { approveTool, toolRow } from './server-tools.ts';

export interface ServersSectionParts {
  readonly hub: Pick<McpHub, 'servers' | 'server' | 'knownTools' | 'restart' | 'stop' | 'signOut'>;
  readonly rows: () => Promise<readonly ToolRow[]>;
  readonly rules: RuleBook;
  readonly consent: {
    isGiven(hash: string): boolean;
    withdraw(hash: string): Promise<void>;
    reconsider(): void;
  };
  readonly switches: Pick<ServerSwitches, 'isOff' | 'set'>;
  /** Something is kept of a sign-in at the server with this definition. */
  readonly isSignedIn: (hash: string) => Promise<boolean>;
  /** Tokens that all tools may cost in a request; beyond it they are found by a search. */
  readonly limit: () => number;
  readonly trusted: () => boolean;
  readonly roots: () => readonly string[];
  readonly person: {
    /** Asks for a new server, and tells how it went. */
    add(): Promise<void>;
    /** Shows where it is defined. */
    edit(server: Pick<McpServerView, 'name' | 'file' | 'origin'>): Promise<void>;
  };
}

/** Entries of a list that are shown, lines of a log, characters of a description. */
const SHOWN_OFFERS = 200;
const SHOWN_LINES = 200;
const SHOWN_CHARACTERS = 300;
/** Milliseconds that a server has for its lists when somebody looks. */
const PATIENCE = 10_000;

/** Milliseconds that a reading of the log waits for a line, and then for others that come with it. */
const LOG_WAIT = { patience: 25_000, together: 100 };

type Requests =
  | 'readServers'
  | 'readServer'
  | 'readServerLog'
  | 'serverAction'
  | 'addServer'
  | 'approveTool';

/** The MCP servers: state, tools with their rules, what else they offer, and what a person does with them. */
export function serversSection(parts: ServersSectionParts): Pick<CenterHandlers, Requests> {
  const { hub, rules, person } = parts;
  const known = (
    name: string,
  ): { readonly connection: Connection; readonly view: McpServerView } => {
    const connection = hub.server(name);
    const view = hub.servers().find((one) => one.name === name);
    if (connection === undefined || view === undefined)
      throw fault('not_found', told`There is no MCP server “${name}” any more. Nothing was done.`);
    return { connection, view };
  };
  return {
    readServers: async () => {
      const [rows, { rules: inForce }] = await Promise.all([
        parts.rows(),
        rules.list(undefined, parts.roots()),
      ]);
      const tools = hub.knownTools();
      const notes = new Map(rows.map((row) => [row.name, row]));
      const servers = await Promise.all(
        hub.servers().map(async (server) => {
          const own = tools
            .filter((tool) => tool.server === server.name)
            .map((tool) => toolRow(tool, notes.get(tool.name), inForce, parts.roots()));
          return serverRow(parts, server, own);
        }),
      );
      return {
        rows: servers,
        deferred: servers.reduce((sum, { tokens }) => sum + tokens, 0) > parts.limit(),
        trusted: parts.trusted(),
        mayChange: rules.mayChange,
      };
    },
    readServer: async ({ server }) => {
      const { connection } = known(server);
      const [resources, prompts] = await Promise.all([
        offers(connection, 'resources'),
        offers(connection, 'prompts'),
      ]);
      return {
        ...(resources === undefined ? {} : { resources }),
        ...(prompts === undefined ? {} : { prompts }),
      };
    },
    readServerLog: async ({ server, after }) => {
      const { log } = known(server).connection;
      await log.after(after, LOG_WAIT);
      const fresh = Math.min(log.last - after, SHOWN_LINES);
      const lines = fresh > 0 ? log.lines.slice(-fresh) : [];
      return { lines: lines.map(({ at, source, text }) => ({ at, source, text })), last: log.last };
    },
    serverAction: async ({ server, action }) => {
      const { view } = known(server);
      await act(parts, view, action);
      return null;
    },
    addServer: async () => {
      await person.add();
      return null;
    },
    approveTool: async ({ tool: name, effect }) => {
      const tool = hub.knownTools().find((one) => one.name === name);
      if (tool === undefined)
        throw fault('not_found', told`There is no tool ${name} any more. Nothing was changed.`);
      await approveTool(rules, tool, effect, parts.roots());
      return null;
    },
  };
}

async function act(
  { hub, consent, switches, person }: ServersSectionParts,
  view: McpServerView,
  action: ServerAction,
): Promise<void> {
  const { name, hash } = view;
  switch (action) {
    case 'start':
    case 'restart':
    case 'sign_in':
    case 'trust':
      consent.reconsider();
      // Not awaited: a handshake, a question or a sign-in may take its time, and the state tells of each.
      void hub.restart(name);
      return;
    case 'stop':
      await hub.stop(name);
      return;
    case 'sign_out':
      await hub.signOut(name);
      return;
    case 'untrust':
      await consent.withdraw(hash);
      await hub.stop(name);
      return;
    case 'switch_off':
    case 'switch_on':
      await switches.set(view, action === 'switch_on');
      return;
    case 'edit':
      await person.edit(view);
      return;
    default:
      action satisfies never;
  }
}

async function serverRow(
  { hub, consent, switches, isSignedIn, trusted }: ServersSectionParts,
  server: McpServerView,
  tools: readonly ServerToolRow[],
): Promise<ServerRow> {
  const { name, hash, state, summary, origin, place, file, problems } = server;
  const connection = hub.server(name);
  const isOff = switches.isOff(name);
  const given = origin === 'workspace' && consent.isGiven(hash);
  const signedIn = server.typed || (server.remote && (await isSignedIn(hash)));
  return {
    name,
    state,
    // One that the settings switch off is switched on there; a place that cannot be read is no server.
    on: hash === '' || (state === 'disabled' && !isOff) ? null : !isOff,
    said: isOff ? l10n.t('You switched it off.') : makeVisible(serverWords(server, trusted())),
    summary: makeVisible(summary),
    source:
      file === undefined
        ? origin === 'user'
          ? l10n.t('your settings')
          : l10n.t('this workspace')
        : place,
    title: makeVisible(
      server.server === undefined ? '' : `${server.server.name} ${server.server.version}`,
    ).slice(0, SHOWN_CHARACTERS),
    icon: server.server?.icon ?? null,
    problems: problems.map(inWords),
    actions: actionsOf(server, {
      given,
      signedIn,
      startable: connection !== undefined && isStartable(connection.definition),
    }),
    tools,
    tokens: tools.reduce((sum, tool) => sum + (tool.on ? tool.tokens : 0), 0),
    lastCall: connection?.log.lastCall ?? null,
  };
}

interface Standing {
  readonly startable: boolean;
  /** The person said yes to what the workspace defines. */
  readonly given: boolean;
  readonly signedIn: boolean;
}

/** The actions that are possible now, the next step first. */
function actionsOf(
  { state, origin, signIn, retryAt }: McpServerView,
  { startable, given, signedIn }: Standing,
): readonly ServerAction[] {
  if (!startable) return ['edit'];
  const next: Readonly<Record<typeof state, readonly ServerAction[]>> = {
    ready: ['stop', 'restart'],
    starting: ['stop'],
    failed: [
      signIn === true ? 'sign_in' : 'restart',
      ...(retryAt === undefined ? [] : ['stop' as const]),
    ],
    stopped: [origin === 'workspace' && !given ? 'trust' : 'start'],
    disabled: [],
  };
  return [
    ...next[state],
    ...(signedIn ? ['sign_out' as const] : []),
    ...(given ? ['untrust' as const] : []),
    'edit',
  ];
}

/** A list of a server that runs; `undefined` where it does not, or does not answer. */
async function offers(
  connection: Connection,
  kind: 'resources' | 'prompts',
): Promise<OfferList | undefined> {
  const { session } = connection;
  if (session === undefined) return undefined;
  const signal = AbortSignal.timeout(PATIENCE);
  const answer = await session
    .ask(async (of) => of.list(kind, signal), signal)
    .catch(() => undefined);
  if (answer === undefined || !('value' in answer)) return undefined;
  const text = (value: unknown): string =>
    typeof value === 'string' ? makeVisible(value).slice(0, SHOWN_CHARACTERS) : '';
  const rows = answer.value.slice(0, SHOWN_OFFERS).map((one) => ({
    name: text(one['title']) || text(one['name']) || text(one['uri']),
    description: [text(one['uri']), text(one['description'])].filter(Boolean).join(' · '),
  }));
  return { rows, total: answer.value.length };
}
