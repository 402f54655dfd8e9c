// Eight sub-agents at the same time against one alone, in the same run: wall time, memory, cost.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { buildAll } from '../../esbuild.mjs';
import { taskOf } from '../support/model-server/delegated.ts';
import { startModelServer } from '../support/model-server/server.ts';
import { type Turn, type WireRequest, call, calls, say } from '../support/model-server/turn.ts';
import { costs, headless, runProcess, sampleFiles } from './loop/session.ts';
import { median } from './median.ts';

/** Rounds of which the median counts. */
const ROUNDS = 5;
const CHILDREN = 8;
/** Files that each reads, one a turn. */
const STEPS = 10;
/** Milliseconds that the model takes before an answer; as a fast one does. */
const MODEL_MS = 300;

interface Measured {
  readonly totalMs: number;
  readonly peakMb: number;
  /** Cost of all requests, by that of the same ones with perfect caching. */
  readonly costRatio: number;
}

/** One and many take turns, so that a busy moment of the machine meets both. */
export async function run(): Promise<Readonly<Record<string, string | number>>[]> {
  await buildAll({ production: true });
  const one: Measured[] = [];
  const many: Measured[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    one.push(await measure(1));
    many.push(await measure(CHILDREN));
  }
  const of = (runs: readonly Measured[], what: keyof Measured): number =>
    median(runs.map((measured) => measured[what]));
  const more = of(many, 'peakMb') - of(one, 'peakMb');
  return [one, many].map((runs, index) => ({
    'sub-agents': index === 0 ? 1 : CHILDREN,
    'wall, s': (of(runs, 'totalMs') / 1000).toFixed(2),
    'wall × one': (of(runs, 'totalMs') / of(one, 'totalMs')).toFixed(2),
    'peak MB': Math.round(of(runs, 'peakMb')),
    'MB for each more (at most 12)': index === 0 ? '' : (more / (CHILDREN - 1)).toFixed(1),
    'cost × ideal': of(runs, 'costRatio').toFixed(3),
  }));
}

async function measure(children: number): Promise<Measured> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belay-bench-'));
  const workspace = await sampleFiles(folder, { turns: STEPS, calls: children });
  const server = await startModelServer({
    script: (request) => ({ ...nextTurn(request, children), delayMs: MODEL_MS }),
    strict: false,
  });
  try {
    const begin = performance.now();
    const { code, stderr } = await runProcess(
      headless(workspace, path.join(folder, 'data'), [
        `--model-url=${server.url}`,
        '--model=claude-sonnet-4-5',
      ]),
    );
    const totalMs = performance.now() - begin;
    if (code !== 0) throw new Error(`The run ended with ${code}: ${stderr}`);
    const asked = server.requests.length;
    const expected = 2 + children * (STEPS + 1);
    if (asked < expected) throw new Error(`${asked} requests instead of ${expected}: ${stderr}`);
    const { cost, idealCost } = costs(server, (request) => `${request.model} ${taskOf(request)}`);
    const peakMb = Number(/peak (\d+)/u.exec(stderr)?.[1] ?? Number.NaN) / 1024;
    return { totalMs, peakMb, costRatio: cost / idealCost };
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The session delegates to all at once; each reads its files, one a turn, and reports. */
function nextTurn(request: WireRequest, children: number): Turn {
  const asked = request.messages.filter(({ role }) => role === 'assistant').length;
  const task = taskOf(request);
  if (task !== '')
    return asked < STEPS
      ? calls(
          call(
            'read_file',
            { files: [{ path: `file-${asked * children + Number(task)}.txt` }] },
            `toolu_${task}_${asked}`,
          ),
        )
      : say(`Read by ${task}.`);
  if (asked > 0) return say('All have reported.');
  return calls(
    ...Array.from({ length: children }, (_, index) =>
      call('agent', { title: `Part ${index}`, task: `TASK ${index}` }, `agent_${index}`),
    ),
  );
}
