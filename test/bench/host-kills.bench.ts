// The extension host of a real VS Code killed in the middle of a run, again and again in one session: how long
// until the panel shows the whole conversation and the hand-off. Fails when history or a side effect is wrong.
import { makePackage } from '../rig/package.ts';
import { BelayPage } from '../ui/belay-page.ts';
import { crashRounds } from '../ui/crash-rounds.ts';

/** 20 kills are what is promised; fewer with BELAY_HOST_KILLS. */
const KILLS = Number(process.env['BELAY_HOST_KILLS'] ?? 20);

export async function run(): Promise<readonly Readonly<Record<string, string | number>>[]> {
  await makePackage();
  await using belay = await BelayPage.start();
  const rounds = await crashRounds(belay, KILLS);
  const moments = [...new Set(rounds.map(({ moment }) => moment))];
  return ['all', ...moments].map((moment) => {
    const these = rounds.filter((round) => moment === 'all' || round.moment === moment);
    const back = these.map(({ backAfterMs }) => backAfterMs).toSorted((a, b) => a - b);
    const host = these.map(({ hostAfterMs }) => hostAfterMs).toSorted((a, b) => a - b);
    return {
      'killed while …': moment,
      kills: these.length,
      'panel back with all of it, median ms': median(back),
      'slowest ms': back.at(-1) ?? Number.NaN,
      'of that VS Code’s new host, median ms': median(host),
    };
  });
}

const median = (sorted: readonly number[]): number =>
  sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
