import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { headless } from '../../support/headless/headless.ts';
import type { HeadlessResult } from '../../support/headless/headless.ts';
import { headlessProgram } from '../../support/headless/program.ts';
import { startModelServer } from '../../support/model-server/server.ts';
import type { ModelServer } from '../../support/model-server/server.ts';
import { linesOf, nextTurn } from '../careful-model.ts';
import type { Story } from '../careful-model.ts';
import { historiesOf } from '../kill-and-resume.ts';

/** Reading, a side effect, a result that is too large for one message: each has records of its own. */
const STORY: Story = {
  steps: 2,
  manner: 'checks',
  pace: 0,
  answer: { delayMs: 0, gapMs: 0 },
  loud: true,
};

export interface Doom {
  /** The how manyeth durable operation of the process. */
  readonly at: number;
  readonly moment: 'before' | 'after';
}

export interface DoomReport {
  readonly kills: number;
  readonly repeated: number;
  readonly missing: number;
  readonly changedHistories: number;
  readonly lostMessages: number;
  readonly stuck: number;
  /** What went wrong, in words. */
  readonly messages: readonly string[];
}

/** The durable operations of the story when nothing happens to it, in their order. */
export async function operations(): Promise<readonly string[]> {
  return withPlace(async (place) => {
    const log = path.join(place.folder, 'operations.txt');
    const { code, message } = await place.live({ BELAY_DOOM_LOG: log }, 'doomed');
    if (code !== 0) throw new Error(`The story does not even work by itself: ${message}`);
    return (await readFile(log, 'utf8')).trim().split('\n');
  });
}

/** One life for each doom, each killed at its operation; then the run is resumed to its end. */
export async function surviveEach(dooms: readonly Doom[]): Promise<DoomReport> {
  return withPlace(async (place) => {
    const messages: string[] = [];
    let kills = 0;
    for (const { at, moment } of dooms) {
      const doom = { BELAY_DOOM_AT: String(at), BELAY_DOOM_MOMENT: moment };
      if ((await place.live(doom, 'doomed')).killed) kills += 1;
    }
    const last = await place.live({}, 'sound');
    if (last.code !== 0)
      messages.push(`${JSON.stringify(dooms)}: exit ${String(last.code)}: ${last.message}`);
    const text = await readFile(path.join(place.workspace, 'out.txt'), 'utf8').catch(() => '');
    const lines = text.split('\n').filter(Boolean);
    const missing = linesOf(STORY).filter((line) => !lines.includes(line));
    const repeated = lines.length - new Set(lines).size;
    if (missing.length + repeated > 0)
      messages.push(`${JSON.stringify(dooms)}: the file has ${lines.join(', ')}`);
    const { changes, ...histories } = historiesOf(place.server.requests);
    messages.push(...changes.map((change) => `${JSON.stringify(dooms)}: ${change}`));
    return {
      kills,
      repeated,
      missing: missing.length,
      stuck: last.code === 0 ? 0 : 1,
      messages,
      ...histories,
    };
  });
}

/** The sum of many reports. */
export function summed(reports: readonly DoomReport[]): DoomReport {
  const sum = (key: Exclude<keyof DoomReport, 'messages'>): number =>
    reports.reduce((total, report) => total + report[key], 0);
  return {
    kills: sum('kills'),
    repeated: sum('repeated'),
    missing: sum('missing'),
    changedHistories: sum('changedHistories'),
    lostMessages: sum('lostMessages'),
    stuck: sum('stuck'),
    messages: reports.flatMap((report) => report.messages),
  };
}

interface Place {
  readonly folder: string;
  readonly workspace: string;
  readonly server: ModelServer;
  readonly live: (
    environment: Readonly<Record<string, string>>,
    program: 'doomed' | 'sound',
  ) => Promise<HeadlessResult>;
}

async function withPlace<T>(use: (place: Place) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belay-doom-'));
  const workspace = path.join(folder, 'workspace');
  await mkdir(workspace);
  const server = await startModelServer({ script: (request) => nextTurn(request, STORY) });
  const doomed = await headlessProgram('doomed');
  try {
    return await use({
      folder,
      workspace,
      server,
      live: async (environment, program) =>
        headless({
          modelUrl: server.url,
          workspace,
          data: path.join(folder, 'data'),
          environment,
          arguments: ['--prompt', 'do the steps', '--permission', 'all', '--resume'],
          ...(program === 'doomed' ? { program: doomed } : {}),
        }),
    });
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}
