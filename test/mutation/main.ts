// `npm run mutate -- core/policies`: changes one expression of a room at a time and says which changes no test of that
// room notices. Not part of `npm test`.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Child } from './children.ts';
import type { Reached } from './reach.ts';
import { prepare, ROOMS } from './room.ts';
import type { Placed, Room } from './room.ts';

/**
 * `at load`: a constant, which cannot be changed once the files are loaded. `equivalent`: the list says why no test
 * can notice it.
 */
type Outcome = 'killed' | 'survived' | 'unreached' | 'hangs' | 'at load' | 'equivalent';

/** What no test notices. */
const LEFT: ReadonlySet<Outcome | undefined> = new Set<Outcome>(['survived', 'unreached']);

/** A line of the file with results. */
interface Result {
  readonly hash: string;
  /** File, change and number among equal changes: it stays when other lines of the file change. */
  readonly mutant: string;
  readonly outcome: Outcome;
  /** The test that noticed it. */
  readonly by: string;
}

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
    /** Part of a path: only mutants of such files. */
    file: { type: 'string', default: '' },
    /** Part of a path: only tests of such files. */
    test: { type: 'string', multiple: true, default: [] },
    /** Only what the last run left unnoticed. */
    left: { type: 'boolean', default: false },
    /** Keeps the results of a run of the same sources and tests that was ended. */
    resume: { type: 'boolean', default: false },
    /** Seconds that the tests of one mutant may take together, the fastest first. */
    within: { type: 'string', default: '30' },
    processes: { type: 'string', default: '2' },
  },
});
const wanted = positionals.length === 0 ? Object.keys(ROOMS) : positionals;
const unknown = wanted.filter((room) => !Object.hasOwn(ROOMS, room));
if (unknown.length > 0) {
  console.error(`No room ${unknown.join(', ')}. There are: ${Object.keys(ROOMS).join(', ')}.`);
  process.exit(2);
}
for (const name of wanted) await mutate(name);

async function mutate(name: string): Promise<void> {
  const room = prepare(name, values.test);
  const keys = keysOf(room.mutants);
  const keyOf = ({ id }: Placed): string => keys[id] ?? '';
  const file = path.join(room.folder, 'results.jsonl');
  const old = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Result)
    : [];
  const left = new Set(old.filter(({ outcome }) => LEFT.has(outcome)).map(({ mutant }) => mutant));
  const chosen = sampled(
    room.mutants.filter(
      (one) => one.file.includes(values.file) && (!values.left || left.has(keyOf(one))),
    ),
    Number(values.sample),
    Number(values.seed),
  );
  console.log(
    `\n${name}: ${chosen.length} of ${room.mutants.length} mutants, seed ${values.seed}; results in ${file}`,
  );
  const kept = old.filter(
    ({ hash, outcome }) =>
      values.resume && hash === room.hash && !(values.left && LEFT.has(outcome)),
  );
  writeFileSync(file, kept.map((result) => `${JSON.stringify(result)}\n`).join(''));
  const results = new Map(kept.map((result) => [result.mutant, result]));
  const reached = await reachedIn(room);
  for (const line of placesOf(room.mutants, reached)) console.log(line);
  const record = (one: Placed, outcome: Outcome, by = ''): void => {
    const result = { hash: room.hash, mutant: keyOf(one), outcome, by };
    results.set(result.mutant, result);
    appendFileSync(file, `${JSON.stringify(result)}\n`);
  };
  const started = performance.now();
  const queue = chosen.filter((one) => {
    if (results.has(keyOf(one))) return false;
    const outcome = withoutARun(one, reached);
    if (outcome !== undefined) record(one, outcome);
    return outcome === undefined;
  });
  const count = queue.length;
  const work = async (): Promise<void> => {
    const child = new Child(room, false, Number(values.within));
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const { outcome, by } = await child.outcomeOf(one.id);
      record(one, outcome, by);
    }
    child.end();
  };
  await Promise.all(Array.from({ length: Number(values.processes) }, work));
  for (const one of chosen.toSorted((left, right) => left.id - right.id)) {
    const { outcome, by = '' } = results.get(keyOf(one)) ?? {};
    if (LEFT.has(outcome))
      console.log(
        `${outcome} ${one.file}:${one.line}  ${short(one.before)}  →  ${short(one.after)}${by === '' ? '' : ` (${by})`}`,
      );
  }
  const outcomes = chosen.map((one) => results.get(keyOf(one))?.outcome);
  for (const [outcome, { length }] of Map.groupBy(outcomes, (one) => one))
    console.log(`${outcome}: ${length}`);
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `${Math.round(seconds)} s, ${(seconds / count).toFixed(1)} s for each of ${count} that ran`,
  );
}

/** What the tests reach: learnt anew, but for a run that goes on. */
async function reachedIn(room: Room): Promise<Reached> {
  if (!values.resume || !existsSync(room.reached)) {
    const started = performance.now();
    await new Child(room, true, 0).learn();
    console.log(`All tests once: ${Math.round((performance.now() - started) / 1000)} s`);
  }
  return JSON.parse(readFileSync(room.reached, 'utf8')) as Reached;
}

/** What is known of a mutant before any test runs with it. */
function withoutARun(one: Placed, { tests, atLoad }: Reached): Outcome | undefined {
  if (
    EQUIVALENT.some(
      ({ file, before, after }) =>
        file === one.file && before === short(one.before) && after === short(one.after),
    )
  )
    return 'equivalent';
  if (tests[one.id] !== undefined) return undefined;
  return atLoad.includes(one.id) ? 'at load' : 'unreached';
}

function keysOf(mutants: readonly Placed[]): readonly string[] {
  const seen = new Map<string, number>();
  return mutants.map(({ file, before, after }) => {
    const change = `${file}: ${short(before)} → ${short(after)}`;
    const number = (seen.get(change) ?? 0) + 1;
    seen.set(change, number);
    return `${change} #${number}`;
  });
}

/** Files of which nothing runs in the thread with the tests, and how much of them runs elsewhere. */
function placesOf(all: readonly Placed[], reached: Reached): readonly string[] {
  const here = new Set(reached.here);
  const outside = new Set(reached.outside);
  return [...Map.groupBy(all, ({ file }) => file)].flatMap(([file, mutants]) => {
    if (mutants.some(({ id }) => here.has(id))) return [];
    const count = mutants.filter(({ id }) => outside.has(id)).length;
    return count === 0
      ? [`${file}: no test reaches it`]
      : [`${file}: in workers or other processes, ${count} of ${mutants.length} reached`];
  });
}

/** As many as wanted, at random, the same ones for the same seed (a linear congruential generator, Numerical Recipes). */
function sampled<Item>(items: readonly Item[], count: number, seed: number): readonly Item[] {
  let state = seed;
  const next = (): number => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32);
  const keyed = items.map((item) => ({ item, key: next() }));
  return keyed
    .toSorted((left, right) => left.key - right.key)
    .slice(0, count)
    .map(({ item }) => item);
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ');
  return line.length > 90 ? `${line.slice(0, 87)}…` : line;
}
