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

/** Pairs of servers, each of which runs anew: where the system puts a process decides more than either client. */
const PAIRS = 9;
/** Calls of each client in a pair that are timed, and those before, which warm up. */
const CALLS = 500;
const WARM_UP = 300;
const STARTS = 3;
const SERVERS = 20;

export async function run(): Promise<readonly Row[]> {
  const parts = { calls, starts, prefix: async () => [prefix()], panel };
  const wanted = process.env['BELAY_MCP_PARTS']?.split(',');
  const rows: Row[] = [];
  for (const [name, part] of Object.entries(parts))
    if (wanted?.includes(name) ?? true) rows.push(...(await part()));
  return rows;
}

/** The client of Belay alone: the ledger's commits around a call are measured by `loop`. */
async function calls(): Promise<readonly Row[]> {
  const pairs: Pair[] = [];
  for (let index = 0; index < PAIRS; index += 1) pairs.push(await pair());
  const middle = (value: (pair: Pair) => number): number => rounded(median(pairs.map(value)));
  return [
    { what: 'a call by the SDK’s client alone, ms', value: middle(({ bare }) => bare.wall) },
    { what: 'a call by Belay, ms', value: middle(({ belay }) => belay.wall) },
    {
      what: 'Belay ÷ the SDK’s client (limit 1.2)',
      value: middle(({ bare, belay }) => belay.wall / bare.wall),
    },
    { what: 'the SDK’s client alone, ms of CPU', value: middle(({ bare }) => bare.cpu) },
    {
      what: 'Belay ÷ the SDK’s client, CPU',
      value: middle(({ bare, belay }) => belay.cpu / bare.cpu),
    },
  ];
}

interface Pair {
  readonly bare: Cost;
  readonly belay: Cost;
}

/** The same tool of the same program on the same revision, call by call in turn: what else the machine does meets both. */
async function pair(): Promise<Pair> {
  const definition = { command: process.execPath, args: [everything, 'stdio'] };
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StdioClientTransport({ ...inOwnSession(definition), stderr: 'pipe' }));
  const harness = new Harness();
  harness.configure({ everything: definition });
  const tool = await harness.tool('echo');
  // As in a run, whose calls share their signal.
  const context = contextOf();
  const [bare, belay]: [Cost[], Cost[]] = [[], []];
  const callBare = async (): Promise<void> => {
    const call = () => client.callTool({ name: 'echo', arguments: { message: 'x' } });
    bare.push(await costOf(call));
  };
  const callBelay = async (): Promise<void> => {
    belay.push(await costOf(() => tool.run({ message: 'x' }, context)));
  };
  try {
    for (let turn = 0; turn < WARM_UP + CALLS; turn += 1)
      for (const call of turn % 2 === 0 ? [callBare, callBelay] : [callBelay, callBare])
        await call();
  } finally {
    await client.close();
    await harness.hub.dispose();
  }
  return { bare: middleOf(bare), belay: middleOf(belay) };
}

/** Belay starts each server in a session of its own, to end all of its processes; Linux gives such a one turns of its own. */
function inOwnSession({ command, args }: { command: string; args: string[] }): {
  command: string;
  args: string[];
} {
  return process.platform === 'linux'
    ? { command: 'setsid', args: [command, ...args] }
    : { command, args };
}

const middleOf = (costs: readonly Cost[]): Cost => {
  const timed = costs.slice(WARM_UP);
  return { wall: median(timed.map(({ wall }) => wall)), cpu: median(timed.map(({ cpu }) => cpu)) };
};

/** Milliseconds of one call: until its answer, and of this process. */
interface Cost {
  readonly wall: number;
  readonly cpu: number;
}

async function costOf(call: () => Promise<unknown>): Promise<Cost> {
  const before = process.cpuUsage();
  const from = performance.now();
  await call();
  const wall = performance.now() - from;
  const { user, system } = process.cpuUsage(before);
  return { wall, cpu: (user + system) / 1000 };
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
