import { killAndResume } from '../chaos/kill-and-resume.ts';
import type { ChaosPlan } from '../chaos/kill-and-resume.ts';
import { operations, summed, surviveEach } from '../chaos/doom/every-operation.ts';
import type { Doom, DoomReport } from '../chaos/doom/every-operation.ts';

/** 200 kills over 240 steps of two calls each is what is promised; fewer with BELAY_CHAOS_KILLS. */
const KILLS = Number(process.env['BELAY_CHAOS_KILLS'] ?? 200);
const STEPS = Math.ceil(KILLS * 1.2);

type Row = Readonly<Record<string, string | number>>;

const PLAN: Omit<ChaosPlan, 'manner' | 'after' | 'from' | 'to'> = {
  steps: STEPS,
  kills: KILLS,
  pace: 15,
  answer: { delayMs: 10, gapMs: 1 },
  random: Math.random,
};

/** What is left of a killed run, in a table of which every figure but the kills must be 0. */
export async function run(): Promise<readonly Row[]> {
  const inTheMiddle = { from: 0, to: 25, after: { events: 60 } } as const;
  return [
    await random('60 to 700 ms after the start; the model checks what is in doubt', {
      ...PLAN,
      from: 60,
      to: 700,
      after: 'start',
      manner: 'checks',
    }),
    await random('in the middle of work; the model checks what is in doubt', {
      ...PLAN,
      ...inTheMiddle,
      manner: 'checks',
    }),
    await random('in the middle of work; the model trusts that it happened', {
      ...PLAN,
      ...inTheMiddle,
      manner: 'trusts',
    }),
    ...(await everyOperation()),
  ];
}

async function random(kills: string, plan: ChaosPlan): Promise<Row> {
  const started = performance.now();
  const report = await killAndResume(plan);
  for (const message of report.messages) console.error(message);
  const { starting, model, command } = report.landed;
  return {
    'killed …': kills,
    kills: report.kills,
    steps: plan.steps,
    'while starting': starting,
    'model, store': model,
    'command runs': command,
    'in doubt': report.doubtful,
    ...faults(report),
    seconds: Math.round((performance.now() - started) / 1000),
  };
}

/** Every durable operation of a short story, one kill a life; then pairs: the resumed life is killed as well. */
async function everyOperation(): Promise<Row[]> {
  const { length } = await operations();
  const each = Array.from({ length }, (_, index) => index + 1);
  const at = (moment: Doom['moment']): Doom[][] => each.map((n) => [{ at: n, moment }]);
  const twice = each.map((n): Doom[] => [
    { at: n, moment: n % 2 === 0 ? 'before' : 'after' },
    { at: 1 + Math.floor(Math.random() * 20), moment: n % 2 === 0 ? 'after' : 'before' },
  ]);
  return [
    await dooms(`before each of ${length} durable operations`, at('before')),
    await dooms(`after each of ${length} durable operations`, at('after')),
    await dooms('at each, and again at one of the resumed life', twice),
  ];
}

async function dooms(name: string, lives: readonly (readonly Doom[])[]): Promise<Row> {
  const started = performance.now();
  const reports: DoomReport[] = [];
  for (const life of lives) reports.push(await surviveEach(life));
  const report = summed(reports);
  for (const message of report.messages) console.error(message);
  return {
    'killed …': name,
    kills: report.kills,
    steps: lives.length * 2,
    ...faults(report),
    seconds: Math.round((performance.now() - started) / 1000),
  };
}

function faults(
  report: Pick<DoomReport, 'repeated' | 'missing' | 'lostMessages' | 'changedHistories' | 'stuck'>,
): Row {
  return {
    repeated: report.repeated,
    missing: report.missing,
    'messages lost': report.lostMessages,
    'histories changed': report.changedHistories,
    stuck: report.stuck,
  };
}
