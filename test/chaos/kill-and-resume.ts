import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { headless } from '../support/headless/headless.ts';
import { startModelServer } from '../support/model-server/server.ts';
import { call, calls, say } from '../support/model-server/turn.ts';
import type { RecordedRequest } from '../support/model-server/server.ts';
import type { Turn, WireRequest } from '../support/model-server/turn.ts';

export interface ChaosPlan {
  readonly steps: number;
  /** Kills before the run is left to finish. */
  readonly kills: number;
  /** Milliseconds between start and kill: at least and at most. */
  readonly from: number;
  readonly to: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

export interface ChaosReport {
  readonly kills: number;
  readonly starts: number;
  readonly repeated: number;
  readonly missing: number;
  readonly changedHistories: number;
  readonly lostMessages: number;
  readonly stuck: number;
  /** Calls whose outcome was unknown after a kill. */
  readonly unknown: number;
  readonly messages: readonly string[];
}

/** Steps of the story: two commands each, run one after the other, each appends its own line. */
function nextTurn(request: WireRequest, steps: number): Turn {
  const blocks = request.messages.flatMap((message) =>
    typeof message.content === 'string' ? [] : message.content,
  );
  const inDoubt = new Set(
    blocks.flatMap((block) =>
      block.type === 'tool_result' && JSON.stringify(block.content).includes('outcome is unknown')
        ? [block.tool_use_id]
        : [],
    ),
  );
  const asked = blocks.flatMap((block) => (block.type === 'tool_use' ? [block] : []));
  const last = asked.at(-1);
  const done = asked.filter((block) => !JSON.stringify(block.input).includes('grep')).length / 2;
  const doubtful = asked.slice(-2).filter((block) => inDoubt.has(block.id));
  if (last !== undefined && doubtful.length > 0) {
    // What a careful model does: look first, repeat only what did not happen.
    return calls(
      ...doubtful.map((block, index) => {
        const line = lineOf((block.input as { command: string }).command);
        const command = `grep -qx '${line}' out.txt 2>/dev/null || echo '${line}' >> out.txt`;
        return call('run_command', { command }, `check-${asked.length}-${index}`);
      }),
    );
  }
  if (done >= steps) return say('All steps are done.');
  return calls(
    ...['a', 'b'].map((half) =>
      call(
        'run_command',
        { command: `echo 'step-${done}-${half}' >> out.txt` },
        `call-${done}-${half}`,
      ),
    ),
  );
}

function lineOf(command: string): string {
  return /'(step-[^']+)'/u.exec(command)?.[1] ?? '';
}

/** Kills the headless host at random moments and resumes it until the story has ended. */
export async function killAndResume(plan: ChaosPlan): Promise<ChaosReport> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belay-chaos-'));
  const workspace = path.join(folder, 'workspace');
  await mkdir(workspace);
  const server = await startModelServer({ script: (request) => nextTurn(request, plan.steps) });
  const messages: string[] = [];
  let kills = 0;
  let starts = 0;
  let finished = false;
  try {
    while (!finished && starts < plan.kills * 3 + 20) {
      starts += 1;
      const mayKill = kills < plan.kills;
      const result = await headless({
        modelUrl: server.url,
        workspace,
        data: path.join(folder, 'data'),
        arguments: [
          '--prompt',
          'do the steps',
          '--permission',
          'all',
          '--resume',
          '--set',
          `loop.maxIterations=1000`,
        ],
        ...(mayKill ? { killAfterMs: plan.from + plan.random() * (plan.to - plan.from) } : {}),
      });
      if (result.killed) kills += 1;
      else if (result.code === 0) finished = true;
      else messages.push(`exit ${String(result.code)}: ${result.message}`);
      if (!result.killed && result.code !== 0) break;
    }
    const lines = (await readFile(path.join(workspace, 'out.txt'), 'utf8').catch(() => ''))
      .split('\n')
      .filter(Boolean);
    const wanted = Array.from({ length: plan.steps }, (_, step) => [
      `step-${step}-a`,
      `step-${step}-b`,
    ]).flat();
    return {
      kills,
      starts,
      repeated: lines.length - new Set(lines).size,
      missing: wanted.filter((line) => !lines.includes(line)).length,
      stuck: finished ? 0 : 1,
      unknown: countUnknown(server.requests),
      messages,
      ...historiesOf(server.requests),
    };
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function countUnknown(requests: readonly RecordedRequest[]): number {
  return (requests.at(-1)?.text.match(/outcome is unknown/gu) ?? []).length;
}

/** Each request must begin with the whole history of the one before: nothing changed, nothing lost. */
function historiesOf(requests: readonly RecordedRequest[]): {
  changedHistories: number;
  lostMessages: number;
} {
  let changedHistories = 0;
  let lostMessages = 0;
  let previous: readonly string[] = [];
  for (const { body } of requests) {
    const now = body.messages.map((message) =>
      JSON.stringify(message, (key, value: unknown) =>
        key === 'cache_control' ? undefined : value,
      ),
    );
    lostMessages += Math.max(0, previous.length - now.length);
    if (previous.some((message, index) => index < now.length && now[index] !== message))
      changedHistories += 1;
    previous = now;
  }
  return { changedHistories, lostMessages };
}
