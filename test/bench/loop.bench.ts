// What the loop costs beside a bare loop on the SDK, in the same run: time, memory, tokens.
import { buildAll } from '../../esbuild.mjs';
import { measure } from './loop/session.ts';
import type { Measured, Plan } from './loop/session.ts';
import { measureWire } from './loop/wires.ts';
import type { BenchWire, WireMeasured } from './loop/wires.ts';
import { median } from './median.ts';

/** Rounds of which the median counts. */
const ROUNDS = 5;

const PLANS: readonly Plan[] = [
  { turns: 1, calls: 1 },
  { turns: 50, calls: 1 },
  { turns: 200, calls: 1 },
  { turns: 50, calls: 10 },
  { turns: 50, calls: 20 },
];

/** `raw` and `belay` take turns, so that a busy moment of the machine meets both. */
export async function run(): Promise<Readonly<Record<string, string | number>>[]> {
  await buildAll({ production: true });
  const rows: Readonly<Record<string, string | number>>[] = [];
  for (const plan of PLANS) {
    const raw: Measured[] = [];
    const belay: Measured[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      raw.push(await measure('raw', plan));
      belay.push(await measure('belay', plan));
    }
    rows.push(rowOf(plan, raw, belay));
  }
  rows.push(...(await wireRows()));
  const faulty = await measure('belay', { turns: 20, calls: 1, faults: true });
  rows.push({ session: '20 turns, every 5th request fails', 'exit code': String(faulty.exitCode) });
  return rows;
}

const WIRES: readonly BenchWire[] = ['messages', 'chat', 'responses'];
const WIRE_PLANS: readonly Plan[] = [
  { turns: 50, calls: 1 },
  { turns: 50, calls: 10 },
];

/** Each wire before a server that does the same work; they take turns. */
export async function wireRows(): Promise<Readonly<Record<string, string | number>>[]> {
  const rows: Readonly<Record<string, string | number>>[] = [];
  for (const plan of WIRE_PLANS) {
    const runs = new Map<BenchWire, WireMeasured[]>(WIRES.map((wire) => [wire, []]));
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [wire, measured] of runs) measured.push(await measureWire(wire, plan));
    const turnOf = (wire: BenchWire): number =>
      median((runs.get(wire) ?? []).map(({ gapsMs }) => median(gapsMs)));
    for (const wire of WIRES)
      rows.push({
        session: `${plan.turns} turns, ${plan.calls} calls, ${wire}`,
        'turn, ms': round(turnOf(wire), 1),
        'turn × messages': round(turnOf(wire) / turnOf('messages'), 2),
        // Messages is billed by its marks, not by prefixes.
        ...(wire === 'messages'
          ? {}
          : {
              'cost × ideal': round(
                median((runs.get(wire) ?? []).map(({ costRatio }) => costRatio)),
                3,
              ),
            }),
      });
  }
  return rows;
}

function rowOf(
  plan: Plan,
  raw: readonly Measured[],
  belay: readonly Measured[],
): Readonly<Record<string, string | number>> {
  const of = (runs: readonly Measured[], what: (run: Measured) => number): number =>
    median(runs.map(what));
  const perTurn = (run: Measured): number => median(run.gapsMs);
  const floor = of(raw, perTurn);
  const own = of(belay, perTurn);
  return {
    session: `${plan.turns} turns, ${plan.calls} calls`,
    'first request, s': round(of(belay, (run) => run.firstMs) / 1000, 2),
    'raw first, s': round(of(raw, (run) => run.firstMs) / 1000, 2),
    'turn, ms': round(own, 1),
    'raw turn, ms': round(floor, 1),
    'turn × raw': round(own / floor, 2),
    'last 20 ÷ first 20': round(of(belay, growth), 2),
    'peak MB': round(
      of(belay, (run) => run.peakMb),
      0,
    ),
    'raw peak MB': round(
      of(raw, (run) => run.peakMb),
      0,
    ),
    'prefix tokens': of(belay, (run) => run.prefixTokens),
    'cost × ideal': round(
      of(belay, (run) => run.cost / run.idealCost),
      3,
    ),
    'cost × raw': round(of(belay, (run) => run.cost) / of(raw, (run) => run.cost), 2),
  };
}

/** Turns at the end against turns at the start; the first five warm up. */
function growth({ gapsMs }: Measured): number {
  return median(gapsMs.slice(-20)) / median(gapsMs.slice(5, 25));
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}
