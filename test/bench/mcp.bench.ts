// What MCP servers cost: each call beside the SDK's bare client on the same server, many servers at their start, the
// panel's start with servers that never answer, and the prompt's prefix with 500 tools.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { JsonObject } from '../../src/domain/data/json.ts';
import { tokensOf, withFindTool } from '../../src/core/tool-call/find-tool.ts';
import type { Tool } from '../../src/core/tool-call/tool-call.ts';
import { withUseTool } from '../../src/core/tool-call/use-tool.ts';
import { Harness, contextOf, everything, memory, wicked } from '../mcp/support/harness.ts';
import { makePackage } from '../rig/package.ts';
import { BelayPage } from '../ui/belay-page.ts';
import { readyAfter } from './ready-after.ts';
import { median } from './median.ts';

type Row = Readonly<Record<string, string | number>>;

const ROUNDS = 7;
/** Calls of a round. */
const CALLS = 100;
const STARTS = 3;
const SERVERS = 20;

export async function run(): Promise<readonly Row[]> {
  return [...(await calls()), ...(await starts()), prefix(), ...(await panel())];
}

/** The same tool of the same program by both clients in turn; the first round of each warms up. */
async function calls(): Promise<readonly Row[]> {
  const definition = { command: process.execPath, args: [everything, 'stdio'] };
  const bare = new Client({ name: 'bench', version: '1' });
  await bare.connect(new StdioClientTransport(definition));
  const harness = new Harness();
  harness.configure({ everything: definition });
  const tool = await harness.tool('echo');
  const [theirs, ours]: [number[], number[]] = [[], []];
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      theirs.push(
        await perCall(() => bare.callTool({ name: 'echo', arguments: { message: 'x' } })),
      );
      ours.push(await perCall(() => tool.run({ message: 'x' }, contextOf())));
    }
  } finally {
    await bare.close();
    await harness.hub.dispose();
  }
  const [floor, own] = [median(theirs.slice(1)), median(ours.slice(1))];
  return [
    { what: 'a call by the SDK’s client alone, ms', value: rounded(floor) },
    { what: 'a call by Belay, ms', value: rounded(own) },
    { what: 'Belay ÷ the SDK’s client (limit 1.2)', value: rounded(own / floor) },
  ];
}

async function perCall(call: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  for (let index = 0; index < CALLS; index += 1) await call();
  return (performance.now() - from) / CALLS;
}

/** Servers are started beside each other: many take less than one after the other. */
async function starts(): Promise<readonly Row[]> {
  const started = async (count: number): Promise<number> => {
    const harness = new Harness({ patienceMs: 120_000 });
    const from = performance.now();
    const definition = { command: process.execPath, args: [memory] };
    harness.configure(
      Object.fromEntries(
        Array.from({ length: count }, (_, index): [string, JsonObject] => [
          `memory-${index}`,
          definition,
        ]),
      ),
    );
    await harness.hub.tools();
    const ready = harness.hub.servers().filter(({ state }) => state === 'ready').length;
    const took = performance.now() - from;
    await harness.hub.dispose();
    if (ready < count) throw new Error(`${ready} of ${count} servers were ready`);
    return took;
  };
  const [one, many]: [number[], number[]] = [[], []];
  for (let round = 0; round < STARTS; round += 1) {
    one.push(await started(1));
    many.push(await started(SERVERS));
  }
  return [
    { what: 'one server until its tools are there, ms', value: Math.round(median(one)) },
    { what: `${SERVERS} servers until all tools are there, ms`, value: Math.round(median(many)) },
    {
      what: `${SERVERS} servers ÷ ${SERVERS} × one`,
      value: rounded(median(many) / (SERVERS * median(one))),
    },
  ];
}

/** What 500 tools put into every request. */
function prefix(): Row {
  const tools = Array.from({ length: 500 }, (_, index): Tool => ({
    name: `mcp__hub__action_${index}`,
    description: `Does the action number ${index} of the hub, and says how it went in a sentence.`,
    inputSchema: { type: 'object', properties: { title: { type: 'string' } } },
    sideEffects: true,
    level: 'user',
    module: 'hub',
    permission: 'execute',
    check: (input) => ({ input }),
    run: async () => ({ content: [] }),
  }));
  const deferred = withFindTool(tools, 0);
  const sent = [...withUseTool([], deferred.slice(1)), ...deferred];
  const cost = tokensOf(sent.filter(({ rare }) => rare !== true));
  return {
    what: `500 deferred tools in a request (whole: ${tokensOf(tools)}), tokens`,
    value: cost,
  };
}

/** The panel of the packaged extension without a server, and with servers that never answer. */
async function panel(): Promise<readonly Row[]> {
  await makePackage();
  const silent = Object.fromEntries(
    Array.from({ length: SERVERS }, (_, index) => [`silent-${index}`, wicked('silent')]),
  );
  const ready = async (servers: JsonObject): Promise<number> => {
    await using belay = await BelayPage.start({ settings: { 'belay.mcp.servers': servers } });
    await (await belay.input()).waitFor();
    return await readyAfter(belay, 'The panel');
  };
  const [without, beside]: [number[], number[]] = [[], []];
  for (let round = 0; round < STARTS; round += 1) {
    without.push(await ready({}));
    beside.push(await ready(silent));
  }
  return [
    { what: 'activation until the panel is there, no server, ms', value: median(without) },
    {
      what: `the same beside ${SERVERS} servers that never answer, ms`,
      value: median(beside),
    },
  ];
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
