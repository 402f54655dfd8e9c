import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { root } from '../../rig/processes.ts';
import { type ModelServer, startModelServer } from '../../support/model-server/server.ts';
import { call, calls, fail, say } from '../../support/model-server/turn.ts';
import type { Turn, WireRequest } from '../../support/model-server/turn.ts';

export type Agent = 'raw' | 'belay';

export interface Plan {
  readonly turns: number;
  /** Parallel calls a turn. */
  readonly calls: number;
  /** Every fifth request fails, each time in another way. */
  readonly faults?: boolean;
}

export interface Measured {
  /** Milliseconds from the start of the process to the arrival of its first request. */
  readonly firstMs: number;
  readonly totalMs: number;
  /** Milliseconds between the arrivals of requests. */
  readonly gapsMs: readonly number[];
  readonly peakMb: number;
  /** In tokens of input: input 1, cache write 1.25, cache read 0.1, output 5. */
  readonly cost: number;
  /** The cost with perfect incremental caching of the same requests. */
  readonly idealCost: number;
  /** Tokens of system prompt and tools. */
  readonly prefixTokens: number;
  readonly exitCode: number | null;
  /** Calls that ran more than once. */
  readonly repeated: number;
}

/** Runs one session of an agent, as a process of its own, against a scripted model without latency. */
export async function measure(agent: Agent, plan: Plan): Promise<Measured> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belay-bench-'));
  const workspace = await sampleFiles(folder, plan);
  const arrivals: number[] = [];
  const server = await startModelServer({
    script: (request, n) => {
      arrivals.push(performance.now());
      return plan.faults === true && n % 5 === 0 ? fault(n / 5) : nextTurn(request, plan);
    },
    strict: false,
  });
  try {
    const begin = performance.now();
    const { code, stderr } = await run(agent, server.url, workspace, path.join(folder, 'data'));
    const totalMs = performance.now() - begin;
    return {
      firstMs: (arrivals[0] ?? Number.NaN) - begin,
      totalMs,
      gapsMs: arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? at)),
      peakMb: Number(/peak (\d+)/u.exec(stderr)?.[1] ?? Number.NaN) / 1024,
      prefixTokens: Math.round(
        JSON.stringify([server.requests[0]?.body.system, server.requests[0]?.body.tools]).length /
          4,
      ),
      exitCode: code,
      repeated: 0,
      ...costs(server, ({ model }) => model),
    };
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A workspace with a file of its own for each call: reading the same again would be a loop, and Belay would say so. */
export async function sampleFiles(
  folder: string,
  { turns, calls: parallel }: Plan,
): Promise<string> {
  const workspace = path.join(folder, 'workspace');
  await mkdir(workspace);
  for (let file = 0; file < turns * parallel; file += 1)
    await writeFile(path.join(workspace, `file-${file}.txt`), sampleText(file));
  return workspace;
}

/** About 2 kB, as a small source file has. */
function sampleText(file: number): string {
  return Array.from(
    { length: 50 },
    (_, line) => `export const value${line} = compute(${file}, ${line});`,
  ).join('\n');
}

/** The next turn follows from what was answered already: the script has no memory of its own. */
function nextTurn(request: WireRequest, { turns, calls: parallel }: Plan): Turn {
  let asked = 0;
  for (const message of request.messages) if (message.role === 'assistant') asked += 1;
  if (asked >= turns) return say('Everything was read.');
  return calls(
    ...Array.from({ length: parallel }, (_, index) =>
      call(
        'read_file',
        { files: [{ path: `file-${asked * parallel + index}.txt` }] },
        `toolu_${asked}_${index}`,
      ),
    ),
  );
}

/** Faults in turn, as providers have them. */
function fault(index: number): Turn {
  const kinds: readonly Turn[] = [
    fail(429, 'rate_limit_error', 'Slow down.', { headers: { 'retry-after': '0' } }),
    fail(529, 'overloaded_error', 'Overloaded'),
    fail(500, 'api_error', 'Internal server error'),
    {
      content: [{ type: 'text', text: 'half of an answer' }],
      cut: { how: 'reset', at: { events: 3 } },
    },
    {
      content: [{ type: 'text', text: 'half of an answer' }],
      cut: { how: 'end', at: { events: 3 } },
    },
  ];
  return kinds[index % kinds.length] ?? {};
}

async function run(
  agent: Agent,
  url: string,
  workspace: string,
  data: string,
): Promise<{ code: number | null; stderr: string }> {
  const prompt = 'Read the files.';
  return runProcess(
    agent === 'raw'
      ? [path.join(root, 'test/bench/loop/raw.ts'), url, workspace, prompt]
      : headless(workspace, data, [`--model-url=${url}`, '--model=claude-sonnet-4-5']),
  );
}

/** The command line of Belay without a window. */
export const headless = (
  workspace: string,
  data: string,
  more: readonly string[],
): readonly string[] => [
  path.join(root, 'dist/headless.cjs'),
  `--workspace=${workspace}`,
  `--data=${data}`,
  `--person=${data}`,
  '--prompt=Read the files.',
  '--permission=all',
  '--set=loop.maxIterations=1000',
  '--set=model.contextLimit=5000000',
  '--set=advanced.modelRetryDelaySeconds=0.01',
  ...more,
];

/** Runs a program to its end, and gives what it said of its memory. */
export async function runProcess(
  program: readonly string[],
): Promise<{ code: number | null; stderr: string }> {
  const preload = ['--require', path.join(root, 'test/bench/loop/peak-memory.cjs')];
  const child = spawn(process.execPath, [...preload, ...program], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ANTHROPIC_API_KEY: 'test-key', BELAY_KEY_BENCH: 'test-key' },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { code, stderr };
}

interface Tokens {
  readonly input: number;
  readonly write: number;
  readonly read: number;
  readonly output: number;
}

function usageOf(usage: Readonly<Record<string, unknown>>): Tokens {
  const field = (name: string): number => Number(usage[name] ?? 0);
  return {
    input: field('input_tokens'),
    write: field('cache_creation_input_tokens'),
    read: field('cache_read_input_tokens'),
    output: field('output_tokens'),
  };
}

/**
 * Costs of all requests, and what they had cost with perfect caching.
 * @param cacheOf the name of the conversation that shares a cache: a summary by the small model has its own
 */
export function costs(
  server: Pick<ModelServer, 'requests'>,
  cacheOf: (request: WireRequest) => string,
): { cost: number; idealCost: number } {
  let cost = 0;
  let idealCost = 0;
  /** Tokens of the last request of each conversation. */
  const sent = new Map<string, number>();
  for (const { usage, body } of server.requests) {
    if (usage === undefined) continue;
    const { input, write, read, output } = usageOf(usage);
    const before = sent.get(cacheOf(body)) ?? 0;
    cost += input + 1.25 * write + 0.1 * read + 5 * output;
    const total = input + write + read;
    idealCost += 0.1 * before + 1.25 * Math.max(0, total - before) + 5 * output;
    sent.set(cacheOf(body), total);
  }
  return { cost, idealCost };
}
