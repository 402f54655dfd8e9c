import { inEnglish } from '../../../src/domain/text/told.ts';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { mcpFetch } from '../../../src/hosts/node/web/mcp-fetch.ts';
import type { Json, JsonObject } from '../../../src/domain/data/json.ts';
import type { ToolContext } from '../../../src/core/tool-call/tool-call.ts';
import { ServerConsent } from '../../../src/mcp/config/consent.ts';
import type { ServerToStart } from '../../../src/mcp/config/consent.ts';
import { McpHub } from '../../../src/mcp/hub.ts';
import type { McpHubOptions } from '../../../src/mcp/hub.ts';
import { inertIcon } from '../../../src/mcp/icon.ts';
import { judgeForm, judgePage } from '../../../src/mcp/requests/elicitation.ts';
import { judgeSampling } from '../../../src/mcp/requests/sampling.ts';
import type { McpTool } from '../../../src/mcp/tools/tool-proxy.ts';
import { runSession } from '../attacked-session.ts';
import type { Answer, Fixture, Surfaces } from '../surface.ts';
import { hasHidden, textOf } from './text.ts';

/** MCP servers: their definitions, tools, results and requests (rule 5). */
export const mcpSurfaces: Surfaces = {
  /** The definition comes with a workspace that is trusted; the person says no. */
  'mcp-config': async ({ input }, fixture) => {
    const asked: ServerToStart[] = [];
    return withHub(fixture, { mayStart: consent(asked, () => false) }, async (hub) => {
      configure(hub, definitionOf(input));
      await hub.tools();
      const [server] = hub.servers();
      if (server?.state === 'failed')
        return {
          decision: 'refuse',
          note: server.reason === undefined ? '' : inEnglish(server.reason),
        };
      const shown = asked.map(({ summary }) => summary).join();
      if (asked.length === 0) return { decision: 'allow', note: server?.state ?? 'no server' };
      return shown.includes(textOf(input['url'] ?? input['command']).slice(0, 40))
        ? { decision: 'ask', note: shown }
        : { decision: 'allow', note: `the question says only ${shown}` };
    });
  },

  'mcp-config-change': async ({ input }, fixture) => {
    const asked: ServerToStart[] = [];
    const mayStart = consent(asked, () => asked.length === 1);
    return withHub(fixture, { mayStart }, async (hub) => {
      configure(hub, objectOf(input['approved'] ?? input['before']));
      await hub.tools();
      configure(hub, objectOf(input['now'] ?? input['after']));
      await hub.tools();
      const again = asked.length > 1 && asked[0]?.hash !== asked[1]?.hash;
      return again ? { decision: 'ask', note: asked[1]?.summary ?? '' } : { decision: 'allow' };
    });
  },

  'mcp-start': async ({ input }, fixture) => {
    const hostEnv = objectOf(input['hostEnv']) as Record<string, string>;
    const environment = { ...process.env, ...hostEnv };
    return withHub(fixture, { environment }, async (hub) => {
      hub.reconfigure([{ origin: 'user', servers: { x: objectOf(input['server']) } }]);
      await hub.tools();
      const said = (hub.server('x')?.log.lines ?? []).map(({ text }) => text).join('\n');
      const leaked = Object.entries(hostEnv).filter(
        ([name, value]) => said.includes(`"${name}"`) || said.includes(`"${value}"`),
      );
      const note = said.includes('PATH') ? 'it has PATH' : 'it said nothing of its environment';
      return leaked.length === 0
        ? { decision: 'inert', note }
        : { decision: 'allow', note: leaked.join() };
    });
  },

  'mcp-tools': ({ input }, fixture) =>
    withServer(fixture, { tools: input['tools'] ?? [] }, async (tools) => {
      const texts = tools.map(({ description, inputSchema }) => ({ description, inputSchema }));
      if (hasHidden(texts)) return { decision: 'allow', note: 'hidden characters' };
      const strange = tools.find(({ name }) => !/^mcp__[\w-]{1,60}$/u.test(name));
      if (strange !== undefined) return { decision: 'allow', note: strange.name };
      const [first] = tools;
      if (first === undefined) return { decision: 'refuse', note: 'no tool is offered' };
      const { last } = await runSession(fixture, {
        calls: [{ name: first.name, input: {} }],
        tools,
      });
      return last;
    }),

  /** The person allows the tool as it was; then it says something else. */
  'mcp-tools-change': ({ input }, fixture) => {
    const [before, after] = [input['before'], input['after']].map((one) => toolOf(objectOf(one)));
    const plan = { tools: [before] as Json, after: [after] as Json };
    return withServer(fixture, plan, async ([first], hub) => {
      if (first === undefined) return { decision: 'refuse' };
      let now: readonly McpTool[] = [first];
      // No question by the mode itself: what asks is the change.
      const silent = (tool: McpTool): McpTool => ({ ...tool, permission: 'none' });
      const { last, questions } = await runSession(fixture, {
        calls: [
          { name: first.name, input: {} },
          { name: first.name, input: {} },
        ],
        tools: [
          changing(
            first,
            async () => {
              for (let tries = 0; tries < 100; tries += 1) {
                now = await hub.tools();
                if (now[0]?.hash !== first.hash) return;
                await wait(50);
              }
            },
            () => now[0] ?? first,
            silent,
          ),
        ],
      });
      return {
        ...last,
        note: `${last.note ?? ''} ${questions.map(({ detail }) => detail).join()}`,
      };
    });
  },

  'mcp-elicitation': async ({ input }) => {
    if (input['url'] !== undefined) return judgedPage(input);
    const judged = judgeForm('the server', textOf(input['message']), input['requestedSchema']);
    if (judged.verdict === 'refuse') return { decision: 'refuse', note: inEnglish(judged.reason) };
    const shown = judged as unknown as Json;
    if (hasHidden(shown)) return { decision: 'allow', note: 'hidden characters' };
    const warnings = judged.warnings.map(inEnglish);
    const named = warnings.every((warning) => warning.includes('the server'));
    return { decision: named ? 'ask' : 'allow', note: warnings.join(' ') };
  },

  'mcp-elicitation-url': async ({ input }) => judgedPage(input),

  'mcp-sampling': async ({ input }) => {
    const judged = judgeSampling('the server', input);
    if (judged.verdict === 'refuse') return { decision: 'refuse', note: inEnglish(judged.reason) };
    const asked = Object.keys(judged.request).toSorted().join();
    const own = /^maxTokens,messages(?:,system)?$/u.test(asked);
    const whole = judged.request.messages.every(({ text }) => judged.shown.includes(text));
    return own && whole && !hasHidden(judged as unknown as Json)
      ? { decision: 'ask', note: judged.warnings.map(inEnglish).join(' ') }
      : { decision: 'allow', note: asked };
  },

  'mcp-icon': async ({ input }) => {
    const [icon] = Array.isArray(input['icons']) ? (input['icons'] as readonly Json[]) : [input];
    const drawn = inertIcon(objectOf(icon)['src']);
    if (drawn === undefined) return { decision: 'inert', note: 'not drawn' };
    return /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/u.test(drawn)
      ? { decision: 'inert', note: 'a small picture' }
      : { decision: 'allow', note: drawn.slice(0, 80) };
  },

  'mcp-schema': ({ input }, fixture) => {
    const deep = typeof input['depth'] === 'number' ? { schemaDepth: input['depth'] } : {};
    const schema = {
      type: 'object',
      ...objectOf(input['inputSchema'] ?? input['schema']),
    };
    const output =
      input['outputSchema'] === undefined ? {} : { outputSchema: input['outputSchema'] };
    const result = { content: [{ type: 'text', text: 'x' }], structuredContent: { a: 1 } };
    const tools = [{ name: 'look', description: 'Looks.', inputSchema: schema, ...output }];
    return withServer(fixture, { tools, result, ...deep }, async ([tool]) => {
      await tool?.run({}, contextFor(fixture)).catch(() => undefined);
      await wait(50);
      const heard = await fixture.requests();
      return heard.length === 0 ? { decision: 'inert' } : { decision: 'allow', note: heard.join() };
    });
  },

  'mcp-result': ({ input }, fixture) => {
    const tools = [{ name: 'give', description: 'Gives.', inputSchema: { type: 'object' } }];
    const result = input['result'] === undefined ? {} : { result: input['result'] };
    const plan = {
      tools,
      ...blocks(input),
      ...pick(input, 'bytes'),
      ...pick(input, 'depth'),
      ...result,
    };
    return withServer(fixture, plan, async ([tool]) => {
      if (tool === undefined) return { decision: 'refuse', note: 'no tool is offered' };
      const before = process.memoryUsage().rss;
      let late = 0;
      let last = performance.now();
      const pulse = setInterval(() => {
        late = Math.max(late, performance.now() - last);
        last = performance.now();
      }, 20);
      const said = await tool.run({}, contextFor(fixture)).then(
        ({ content }) => JSON.stringify(content),
        (error: unknown) => String(error),
      );
      clearInterval(pulse);
      const grown = (process.memoryUsage().rss - before) / 2 ** 20;
      const note = `${Math.round(grown)} MB, ${Math.round(late)} ms, ${said.length} characters: ${said.slice(0, 120)}`;
      return said.length < 5_000_000 && grown < 400
        ? { decision: 'inert', note }
        : { decision: 'allow', note };
    });
  },
};

function judgedPage(input: JsonObject): Answer {
  const judged = judgePage('the server', textOf(input['message'] ?? ''), input['url']);
  if (judged.verdict === 'refuse') return { decision: 'refuse', note: inEnglish(judged.reason) };
  return { decision: 'ask', note: judged.warnings.map(inEnglish).join(' ') };
}

function consent(asked: ServerToStart[], answer: () => boolean): ServerConsent['mayStart'] {
  let given: readonly string[] = [];
  return new ServerConsent({
    trusted: () => true,
    given: () => given,
    keep: async (hashes) => {
      given = hashes;
    },
    ask: async (server) => {
      asked.push(server);
      return answer();
    },
  }).mayStart;
}

function configure(hub: McpHub, definition: JsonObject): void {
  hub.reconfigure([{ origin: 'workspace', servers: { x: definition } }]);
}

function definitionOf(input: JsonObject): JsonObject {
  const server = input['server'] ?? input['config'] ?? input['definition'];
  return server === undefined ? input : objectOf(server);
}

function toolOf(tool: JsonObject): JsonObject {
  return { name: 'tool', description: '', inputSchema: { type: 'object' }, ...tool };
}

/** The tool as a session holds it; after its first call the server has another list. */
function changing(
  first: McpTool,
  changed: () => Promise<void>,
  now: () => McpTool,
  face: (tool: McpTool) => McpTool,
): McpTool {
  let calls = 0;
  const tool = face(first);
  return {
    ...tool,
    get hash() {
      return calls === 0 ? first.hash : now().hash;
    },
    get description() {
      return calls === 0 ? first.description : now().description;
    },
    run: async (input, context) => {
      const output = await first.run(input, context);
      await changed();
      calls += 1;
      return output;
    },
  };
}

async function withHub(
  { ws }: Fixture,
  options: Partial<McpHubOptions>,
  use: (hub: McpHub) => Promise<Answer>,
): Promise<Answer> {
  const quiet = (): void => undefined;
  const hub = new McpHub({
    clock: new SystemClock(),
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    environment: process.env,
    workspaceFolder: ws,
    client: { name: 'belay-test', version: '0' },
    mayStart: async () => true,
    fetch: mcpFetch(),
    patienceMs: 20_000,
    ...options,
  });
  try {
    return await use(hub);
  } finally {
    await hub.dispose();
  }
}

/** The attacking server, started for real. */
async function withServer(
  fixture: Fixture,
  plan: JsonObject,
  use: (tools: readonly McpTool[], hub: McpHub) => Promise<Answer>,
): Promise<Answer> {
  return withHub(fixture, {}, async (hub) => {
    const file = fileURLToPath(new URL('../attack-server.mjs', import.meta.url));
    const planned = path.join(fixture.storage, 'plan.json');
    await writeFile(planned, JSON.stringify(plan));
    const server = { command: process.execPath, args: [file, planned] };
    hub.reconfigure([{ origin: 'user', servers: { x: server } }]);
    return use(await hub.tools(), hub);
  });
}

function contextFor({ ws }: Fixture): ToolContext {
  return {
    callId: 'c',
    runId: 'r',
    sessionId: 's',
    roots: [ws],
    signal: AbortSignal.timeout(60_000),
    emit: () => undefined,
    recordProcess: async () => undefined,
  };
}

/** A result of so many parts. */
function blocks(input: JsonObject): JsonObject {
  const count = Number(input['blocks'] ?? input['items'] ?? input['count'] ?? 0);
  if (!(count > 0)) return {};
  const content = Array.from({ length: Math.min(count, 200_000) }, () => ({
    type: 'text',
    text: 'x',
  }));
  return { result: { content } };
}

function pick(input: JsonObject, key: string): JsonObject {
  const value = input[key];
  return value === undefined ? {} : { [key]: value };
}

function objectOf(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}
