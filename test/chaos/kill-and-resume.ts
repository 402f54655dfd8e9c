import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startHeadless } from '../support/headless/headless.ts';
import type { RunningHeadless } from '../support/headless/headless.ts';
import { startModelServer } from '../support/model-server/server.ts';
import type { RecordedRequest } from '../support/model-server/server.ts';
import { doubtfulCalls, lineIn, linesOf, nextTurn } from './careful-model.ts';
import type { Story } from './careful-model.ts';

export interface ChaosPlan extends Story {
  /** Kills before the run is left to finish. */
  readonly kills: number;
  /** Milliseconds to the kill, at least and at most … */
  readonly from: number;
  readonly to: number;
  /**
   * … after the start of the process, or after it has told so many events at most, drawn at random:
   * the second lands in the middle of work however fast the machine is.
   */
  readonly after: 'start' | { readonly events: number };
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

export interface ChaosReport {
  readonly kills: number;
  readonly starts: number;
  /** Where the kills landed, by what the process had told last. */
  readonly landed: { readonly starting: number; readonly model: number; readonly command: number };
  /** Side effects that happened more than once. */
  readonly repeated: number;
  /** Steps that never happened although nobody was told that they are in doubt. */
  readonly missing: number;
  /** Calls that the model was told to be of unknown outcome. */
  readonly doubtful: number;
  readonly changedHistories: number;
  readonly lostMessages: number;
  /** Sessions that could not go on. */
  readonly stuck: number;
  readonly messages: readonly string[];
}

/** Kills the headless host at random moments and resumes it until the story has ended. */
export async function killAndResume(plan: ChaosPlan): Promise<ChaosReport> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belay-chaos-'));
  const workspace = path.join(folder, 'workspace');
  await mkdir(workspace);
  const server = await startModelServer({ script: (request) => nextTurn(request, plan) });
  const messages: string[] = [];
  const landed = { starting: 0, model: 0, command: 0 };
  let kills = 0;
  let starts = 0;
  let finished = false;
  try {
    while (!finished && messages.length === 0) {
      starts += 1;
      const end = await oneLife(plan, {
        modelUrl: server.url,
        workspace,
        data: path.join(folder, 'data'),
        mayKill: kills < plan.kills,
      });
      // A kill alone damages nothing.
      if (/journal|damaged|rescued|how far|earlier copy/u.test(end.stderr))
        messages.push(end.stderr);
      if (end.killed !== undefined) {
        kills += 1;
        landed[end.killed] += 1;
      } else if (end.code === 0) finished = true;
      else messages.push(`exit ${String(end.code)}: ${end.message}`);
    }
    const text = await readFile(path.join(workspace, 'out.txt'), 'utf8').catch(() => '');
    const { changes, ...histories } = historiesOf(server.requests);
    return {
      kills,
      starts,
      landed,
      stuck: finished ? 0 : 1,
      messages: [...messages, ...changes],
      ...effectsOf(text.split('\n').filter(Boolean), plan, server.requests),
      ...histories,
    };
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Life {
  readonly modelUrl: string;
  readonly workspace: string;
  readonly data: string;
  readonly mayKill: boolean;
}

/** One process from its start to its kill, or to its end. */
async function oneLife(
  plan: ChaosPlan,
  { mayKill, ...where }: Life,
): Promise<{
  readonly killed?: keyof ChaosReport['landed'];
  readonly code: number | null;
  readonly message: string;
  readonly stderr: string;
}> {
  const { after, random } = plan;
  const delay = plan.from + random() * (plan.to - plan.from);
  let wanted = after === 'start' ? 0 : 1 + Math.floor(random() * after.events);
  let timer: NodeJS.Timeout | undefined;
  const arm = (running: RunningHeadless): void => {
    if (mayKill) timer ??= setTimeout(() => running.kill(), delay);
  };
  const running = await startHeadless({
    ...where,
    arguments:
      '--prompt story --permission all --resume --json --set loop.maxIterations=1000'.split(' '),
    onLine: (_line, host) => {
      wanted -= 1;
      if (wanted === 0) arm(host);
    },
  });
  if (after === 'start') arm(running);
  const { killed, code, message, stdout, stderr } = await running.ended;
  clearTimeout(timer);
  return { code, message, stderr, ...(killed ? { killed: placeOf(stdout) } : {}) };
}

/** What was going on, by the last event that tells it. */
function placeOf(stdout: string): keyof ChaosReport['landed'] {
  const types = [...stdout.matchAll(/"type":"((?:agent_run|model|message|tool)\.[a-z_]+)"/gu)];
  const last = types.findLast(([, type]) => type !== 'tool.output')?.[1];
  if (last === undefined) return 'starting';
  return last === 'tool.started' ? 'command' : 'model';
}

/** What happened in the world, against what the story wanted and what the model was told. */
function effectsOf(
  lines: readonly string[],
  story: Story,
  requests: readonly RecordedRequest[],
): Pick<ChaosReport, 'repeated' | 'missing' | 'doubtful'> {
  const last = requests.at(-1)?.body;
  const told = last === undefined ? new Set<string>() : doubtfulCalls(last);
  const inDoubt = new Set(
    (last?.messages ?? []).flatMap(({ content }) =>
      typeof content === 'string'
        ? []
        : content.flatMap((block) =>
            block.type === 'tool_use' && told.has(block.id) ? [lineIn(block.input)] : [],
          ),
    ),
  );
  const mayMiss = (line: string): boolean => story.manner === 'trusts' && inDoubt.has(line);
  return {
    repeated: lines.length - new Set(lines).size,
    missing: linesOf(story).filter((line) => !lines.includes(line) && !mayMiss(line)).length,
    doubtful: told.size,
  };
}

/** Each request must begin with the whole history of the one before: nothing changed, nothing lost. */
export function historiesOf(requests: readonly RecordedRequest[]): Pick<
  ChaosReport,
  'changedHistories' | 'lostMessages'
> & {
  readonly changes: readonly string[];
} {
  const changes: string[] = [];
  let lostMessages = 0;
  let previous: readonly string[] = [];
  for (const { body } of requests) {
    const now = body.messages.map((message) =>
      JSON.stringify(message, (key, value: unknown) =>
        key === 'cache_control' ? undefined : value,
      ),
    );
    lostMessages += Math.max(0, previous.length - now.length);
    const changed = previous.findIndex(
      (message, index) => index < now.length && now[index] !== message,
    );
    if (changed >= 0)
      changes.push(`message ${changed} was ${previous[changed]} and is ${now[changed]}`);
    previous = now;
  }
  return { changedHistories: changes.length, lostMessages, changes };
}
