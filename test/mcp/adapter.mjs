// The MCP client of the extension in plain Node, for suites that others wrote. The same hub and connection as in the
// extension host; only the two people are replaced: who fills in forms and signs in, and who answers for the model.
import { SystemClock } from '../../src/hosts/node/clock.ts';
import { mcpFetch } from '../../src/hosts/node/web/mcp-fetch.ts';
import { McpHub } from '../../src/mcp/hub.ts';

const NAME = 'server';

/** Opens one server. Rejects with the sentence that the person would see. */
export async function open(options) {
  const { on = () => {}, log = () => {}, protocol, clientInfo } = options;
  const say = (message, ...more) => log([message, ...more].map(wordOf).join(' '));
  const hub = new McpHub({
    clock: new SystemClock(),
    log: { debug() {}, info: say, warn: say, error: say },
    environment: process.env,
    workspaceFolder: process.cwd(),
    client: clientInfo ?? { name: 'belay', version: '0.0.0' },
    mayStart: async () => true,
    fetch: mcpFetch(),
    support: {
      person: personOf(options),
      roots: () => (options.roots?.() ?? []).map((root) => pathOf(root)),
      onEvent: (_server, method, params) => on(method, params),
    },
    ...(protocol === '2025-11-25' ? { eras: { get: () => 'legacy', set() {} } } : {}),
  });
  hub.reconfigure([{ origin: 'user', servers: { [NAME]: definitionOf(options) } }]);
  const server = hub.server(NAME);
  await hub.restart(NAME);
  if (server.status.state !== 'ready') {
    const { reason = server.status.state } = server.status;
    for (const { source, text } of hub.server(NAME)?.log.lines ?? []) log(`${source}: ${text}`);
    await hub.dispose();
    throw new Error(reason);
  }
  return sessionOf(hub, server, on);
}

function definitionOf(options) {
  const { url, command, args = [], env = {}, transport } = options;
  if (url === undefined) return { type: 'stdio', command, args, env };
  const { clientId, clientSecret, ...registered } = options.registered ?? {};
  const oauth = {
    clientId: clientId ?? registered.client_id,
    clientSecret: clientSecret ?? registered.client_secret,
    clientMetadataUrl: options.clientMetadataUrl,
    scope: registered.scope,
    ...options.clientCredentials,
  };
  const known = Object.entries(oauth).filter(([, value]) => value !== undefined);
  return { type: transport ?? 'http', url: String(url), oauth: Object.fromEntries(known) };
}

function personOf({ elicit, sample, openExternal }) {
  const answer = async (params, otherwise) => (await elicit?.(params)) ?? { action: otherwise };
  return {
    fillForm: async (_form, _asking, params) => answer(params, 'decline'),
    openPage: async (_page, _asking, params) => {
      const { action } = await answer(params, 'decline');
      return { action, done: async () => action === 'accept' };
    },
    sample: async (_prompt, _asking, params) => {
      const given = await sample?.(params);
      if (given === undefined) return undefined;
      const { content, text, model = 'test', stopReason = 'endTurn' } = given;
      return { text: text ?? content?.text ?? String(given), model, stopReason };
    },
    signIn: async (_server, url) =>
      openExternal === undefined ? false : (await openExternal(url.href)) !== false,
  };
}

function sessionOf(hub, server, on) {
  const ask = (work) => server.use(work, new AbortController().signal);
  let calls = 0;
  return {
    get protocol() {
      return server.session?.revision;
    },
    tools: async () =>
      server.offered.map(({ claims, readOnly: _r, destructive: _d, ...tool }) => ({
        ...tool,
        ...claims,
      })),
    async call(name, args = {}, { signal, timeout, onprogress } = {}) {
      const listed = server.offered.find((tool) => tool.name === name) ?? bare(name);
      const limits = [signal, timeout === undefined ? undefined : AbortSignal.timeout(timeout)];
      const onProgress = (progress) => {
        onprogress?.(progress);
        on('notifications/progress', progress);
      };
      calls += 1;
      const call = { sessionId: 's', runId: 'r', callId: `c${calls}`, emit: () => {} };
      const given = limits.filter((one) => one !== undefined);
      return server.call(listed, args, { signal: AbortSignal.any(given), onProgress, call });
    },
    resources: () => ask((offers) => offers.list('resources')),
    templates: () => ask((offers) => offers.list('templates')),
    read: (uri) => ask((offers) => offers.read(uri)),
    prompts: () => ask((offers) => offers.list('prompts')),
    prompt: (name, args) => ask((offers) => offers.prompt(name, args)),
    subscribe: (uri) => ask((offers) => offers.subscribe(uri)),
    unsubscribe: (uri) => ask((offers) => offers.unsubscribe(uri)),
    complete: (ref, argument, context) =>
      ask((offers) =>
        offers.complete(
          argument === undefined ? ref : { ref, argument, ...(context ? { context } : {}) },
        ),
      ),
    setLevel: (level) => ask((offers) => offers.setLevel(level)),
    rootsChanged: () => ask((offers) => offers.rootsChanged()),
    ping: () => ask((offers) => offers.ping()),
    capabilities: () => server.session?.capabilities,
    server: () => server.session?.server,
    instructions: () => server.session?.instructions,
    log: () => hub.server(NAME)?.log.lines ?? [],
    close: () => hub.dispose(),
  };
}

const bare = (name) => ({
  name,
  description: '',
  inputSchema: {},
  readOnly: false,
  destructive: false,
  claims: {},
});

function pathOf(root) {
  const uri = typeof root === 'string' ? root : root.uri;
  return uri.startsWith('file:') ? decodeURIComponent(new URL(uri).pathname) : uri;
}

const wordOf = (value) =>
  typeof value === 'string'
    ? value
    : value instanceof Error
      ? value.message
      : JSON.stringify(value);
