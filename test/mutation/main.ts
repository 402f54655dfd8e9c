// `npm run mutate -- core/policies [--sample 200] [--seed 7] [--file PART]`: changes one expression of a room at a
// time and says which changes no test of that room notices. Not part of `npm test`.
import { fork } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';
import { root } from '../rig/processes.ts';
import { instrument } from './mutants.ts';
import type { Mutant } from './mutants.ts';
import type { Report } from './runner.ts';

/** The tests that a room's mutants are shown to. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'core/policies': ['test/unit/policies/**', 'test/unit/core/policy-board.test.ts'],
  'core/permissions': [
    'test/unit/permissions/**',
    'test/unit/tool-call/permission.test.ts',
    // Without the attack corpora and kept-yes: they take up to a minute for each mutant that survives.
    'test/security/{command-judge,command-edges,found-files,visible-command}.test.ts',
  ],
  'core/review': ['test/unit/review/**', 'test/property/review/review.test.ts'],
  'store/engine': ['test/contract/store/**', 'test/unit/store/**'],
};

/** Milliseconds in which no test ends, after which a mutant hangs; on a busy machine the slowest test of a room takes 60 s. */
const SILENCE = 120_000;
/** Before the first test of a process ends, all files are loaded. */
const SILENCE_FIRST = 300_000;

/**
 * `at load`: a constant, which cannot be changed once the files are loaded. `equivalent`: the list says why no test
 * can notice it.
 */
type Outcome = 'killed' | 'survived' | 'unreached' | 'hangs' | 'at load' | 'equivalent';

/** Mutants that behave as the code does, or that no person meets, each with the reason. */
const EQUIVALENT = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'equivalent.json'), 'utf8'),
) as readonly {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly why: string;
}[];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    file: { type: 'string', default: '' },
  },
});
const wanted = positionals.length === 0 ? Object.keys(ROOMS) : positionals;
const unknown = wanted.filter((room) => !Object.hasOwn(ROOMS, room));
if (unknown.length > 0) {
  console.error(`No room ${unknown.join(', ')}. There are: ${Object.keys(ROOMS).join(', ')}.`);
  process.exit(2);
}
for (const room of wanted) await mutate(room);

async function mutate(room: string): Promise<void> {
  const files = globSync(`src/${room}/**/*.ts`, { cwd: root })
    .filter((file) => file.includes(values.file))
    .toSorted()
    .map((file) => path.join(root, file));
  const firstIds: Record<string, number> = {};
  const all: Placed[] = [];
  for (const file of files) {
    firstIds[file] = all.length;
    const { mutants } = instrument(readFileSync(file, 'utf8'), all.length);
    all.push(...mutants.map((mutant) => ({ ...mutant, file: path.relative(root, file) })));
  }
  const chosen = sampled(all, Number(values.sample), Number(values.seed));
  console.log(`\n${room}: ${chosen.length} of ${all.length} mutants, seed ${values.seed}`);
  const tests = (ROOMS[room] ?? [])
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => path.join(root, file));
  const left = chosen.filter((one) => !isEquivalent(one));
  const started = performance.now();
  const { outcomes, reach } = await outcomesOf({
    ids: left.map(({ id }) => id),
    count: all.length,
    tests,
    files: firstIds,
  });
  for (const one of chosen) if (isEquivalent(one)) outcomes.set(one.id, 'equivalent');
  for (const line of placesOf(all, reach)) console.log(line);
  const counts = Map.groupBy(outcomes.values(), (outcome) => outcome);
  for (const { id, file, line, before, after } of chosen) {
    const outcome = outcomes.get(id);
    if (outcome !== 'survived' && outcome !== 'unreached') continue;
    console.log(`${outcome} ${file}:${line}  ${short(before)}  →  ${short(after)}`);
  }
  for (const [outcome, { length }] of counts) console.log(`${outcome}: ${length}`);
  console.log(`${Math.round((performance.now() - started) / 1000)} s`);
}

type Placed = Mutant & { readonly file: string };

function isEquivalent({ file, before, after }: Placed): boolean {
  return EQUIVALENT.some(
    (one) => one.file === file && one.before === short(before) && one.after === short(after),
  );
}

interface Reached {
  readonly here: ReadonlySet<number>;
  readonly outside: ReadonlySet<number>;
}

/** Files of which nothing runs in the thread with the tests, and how much of them runs elsewhere. */
function placesOf(all: readonly Placed[], { here, outside }: Reached): readonly string[] {
  return [...Map.groupBy(all, ({ file }) => file)].flatMap(([file, mutants]) => {
    if (mutants.some(({ id }) => here.has(id))) return [];
    const count = mutants.filter(({ id }) => outside.has(id)).length;
    return count === 0
      ? [`${file}: no test reaches it`]
      : [`${file}: in workers or other processes, ${count} of ${mutants.length} reached`];
  });
}

interface Job {
  readonly ids: readonly number[];
  /** Of all mutants of the room. */
  readonly count: number;
  readonly tests: readonly string[];
  /** File → number of its first mutant. */
  readonly files: Readonly<Record<string, number>>;
}

interface Outcomes {
  readonly outcomes: Map<number, Outcome>;
  reach: Reached;
}

/** Runs the mutants in processes of their own, each until one of them hangs. */
async function outcomesOf(job: Job): Promise<Outcomes> {
  const found: Outcomes = {
    outcomes: new Map(),
    reach: { here: new Set(), outside: new Set() },
  };
  for (let left = job.ids; left.length > 0; left = job.ids.filter((id) => !found.outcomes.has(id)))
    await runSome({ ...job, ids: left }, found);
  return found;
}

function runSome({ ids: mutants, count, tests, files }: Job, found: Outcomes): Promise<void> {
  const { outcomes } = found;
  const here = (name: string): string => path.join(import.meta.dirname, name);
  const child = fork(here('runner.ts'), [JSON.stringify({ mutants, tests, count })], {
    cwd: root,
    execArgv: ['--import', pathToFileURL(here('load.ts')).href],
    env: { ...process.env, BELAY_MUTATED: JSON.stringify(files), BELAY_PROPERTY_RUNS: '' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    let running: number | undefined;
    let watchdog = setTimeout(() => child.kill('SIGKILL'), SILENCE_FIRST);
    child.on('message', (message: Report) => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => child.kill('SIGKILL'), SILENCE);
      if ('alive' in message) return;
      if ('broken' in message) reject(new Error(`Without a mutant this fails: ${message.broken}`));
      else if ('here' in message)
        found.reach = { here: new Set(message.here), outside: new Set(message.outside) };
      else if ('begun' in message) running = message.mutant;
      else {
        outcomes.set(message.mutant, message.outcome);
        running = undefined;
      }
    });
    child.on('exit', () => {
      clearTimeout(watchdog);
      // It died of this one, or in silence.
      if (running !== undefined) outcomes.set(running, 'hangs');
      if (mutants.some((id) => outcomes.has(id))) resolve();
      else reject(new Error('The tests do not end without a mutant.'));
    });
  });
}

/** As many as wanted, the same ones for the same seed (a linear congruential generator, Numerical Recipes). */
function sampled<Item>(items: readonly Item[], count: number, seed: number): readonly Item[] {
  let state = seed;
  const next = (): number => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32);
  const keyed = items.map((item, index) => ({ item, index, key: next() }));
  return keyed
    .toSorted((left, right) => left.key - right.key)
    .slice(0, count)
    .toSorted((left, right) => left.index - right.index)
    .map(({ item }) => item);
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ');
  return line.length > 90 ? `${line.slice(0, 87)}…` : line;
}
