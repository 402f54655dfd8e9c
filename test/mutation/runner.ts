// A process of its own: loads the tests once. With `learn` it runs them all, and writes which test reaches which
// mutant; else it runs, for each mutant that it is told, the tests that reach it. The parent ends it when a mutant
// makes it hang, and starts another.
import { readFileSync, writeFileSync } from 'node:fs';
import Mocha from 'mocha';
import '../rig/same-everywhere.ts';
import { Reach } from './reach.ts';
import type { Reached } from './reach.ts';

export interface Job {
  readonly tests: readonly string[];
  /** Of all mutants of the room. */
  readonly count: number;
  /** File for what was reached. */
  readonly reached: string;
  readonly learn: boolean;
  /** Seconds that the tests of one mutant take without it, at most. */
  readonly within: number;
}

export type Report =
  | { readonly ready: true }
  /** A test begins, which ends within so many milliseconds or hangs. */
  | { readonly within: number }
  /** `by`: the test that failed, or of how many tests it survived some. `spoiled`: a test that failed fails without the mutant, too; nothing counts that follows. */
  | { readonly outcome: 'killed' | 'survived' | 'hangs' | 'spoiled'; readonly by: string };

/** Milliseconds that a test may take with a mutant: ten times its own, and ten seconds, for the machine may be busy. */
const PATIENCE = 10_000;
/** Milliseconds that a hook may take. */
const HOOK = 30_000;
/** Milliseconds that anything may take without a mutant. */
const LEARNING = 120_000;

const job = JSON.parse(process.argv[2] ?? '{}') as Job;
process.on('disconnect', () => process.exit(1));
const report = (message: Report): void => void process.send?.(message);
/** Mocha makes a reporter with `new`: this one says nothing. */
function silent(): void {
  // what a mutant came to is reported by message
}
const mocha = new Mocha({ timeout: LEARNING, reporter: silent as never });
mocha.cleanReferencesAfterRun(false);
for (const file of job.tests) mocha.addFile(file);
const atLoad = new Set<number>();
globalThis.reached = (id) => atLoad.add(id);
await mocha.loadFilesAsync();
globalThis.reached = () => undefined;

const tests: Mocha.Test[] = [];
mocha.suite.eachTest((test) => tests.push(test));
const suites: { readonly suite: Mocha.Suite; readonly own: Mocha.Test[] }[] = [];
(function collect(suite: Mocha.Suite): void {
  // The first failure ends a run, and hooks still clean up: `abort` would leave them out.
  suite.bail(!job.learn);
  suites.push({ suite, own: suite.tests });
  suite.suites.forEach(collect);
})(mocha.suite);

interface Failure {
  readonly test: Mocha.Test | undefined;
  readonly title: string;
  readonly isLate: boolean;
}

/** Runs tests, up to the first that fails. */
async function run(wanted: ReadonlySet<Mocha.Test>): Promise<Failure | undefined> {
  for (const { suite, own } of suites) suite.tests = own.filter((test) => wanted.has(test));
  let failure: Failure | undefined;
  let running: Mocha.Test | undefined;
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => resolve());
    runner.on('test', (test) => {
      running = test;
      report({ within: test.timeout() });
    });
    runner.on('hook', (hook) => {
      hook.timeout(HOOK);
      report({ within: HOOK });
    });
    runner.on('fail', (test, error: Error & { code?: string }) => {
      failure ??= {
        test: running,
        title: test.fullTitle(),
        isLate: error.code === 'ERR_MOCHA_TIMEOUT',
      };
    });
  });
  return failure;
}

if (job.learn) await learn();
else {
  const reached = JSON.parse(readFileSync(job.reached, 'utf8')) as Reached;
  if (reached.times.length !== tests.length) throw new Error('The tests are others at each load.');
  for (const [index, test] of tests.entries())
    test.timeout(10 * (reached.times[index] ?? 0) + PATIENCE);
  process.on('message', (id: number) => void outcomeOf(id, reached).then(report));
  report({ ready: true });
}

async function learn(): Promise<void> {
  const reach = new Reach(job.count, tests, atLoad);
  reach.follow(mocha.suite);
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => resolve());
    runner.on('suite', (suite) => reach.enter(suite));
    runner.on('suite end', (suite) => reach.enter(suite.parent));
    runner.on('test end', () => report({ within: LEARNING }));
    runner.on('fail', (test, error: Error) =>
      console.error(`Left out, it fails without a mutant: ${test.fullTitle()}: ${error.message}`),
    );
  });
  writeFileSync(job.reached, JSON.stringify(reach.end()));
  process.exit(0);
}

/** Runs the tests that reach a mutant, the fastest first, and one that fails once more without it. */
async function outcomeOf(id: number, { tests: by, times }: Reached): Promise<Report> {
  const able = (by[id] ?? [])
    .map((index) => ({ test: tests[index], time: times[index] }))
    .filter((one): one is { test: Mocha.Test; time: number } => typeof one.time === 'number')
    .toSorted((left, right) => left.time - right.time);
  let sum = 0;
  const order = able.filter(({ time }) => (sum += time) - time < job.within * 1000);
  for (const batch of batches(order)) {
    globalThis.mutant = id;
    process.env['BELAY_MUTANT'] = String(id);
    const failure = await run(new Set(batch.map(({ test }) => test)));
    globalThis.mutant = -1;
    delete process.env['BELAY_MUTANT'];
    if (failure === undefined) continue;
    const { test, title, isLate } = failure;
    if (isLate) return { outcome: 'hangs', by: title };
    const again = test === undefined ? undefined : await run(new Set([test]));
    return { outcome: again === undefined ? 'killed' : 'spoiled', by: title };
  }
  const { length } = order;
  return {
    outcome: 'survived',
    by: length < able.length ? `the fastest ${length} of ${able.length} tests` : '',
  };
}

/** Tests in groups, each with about twice the time of the ones before: mocha runs a group in its own order. */
function* batches<Item extends { readonly time: number }>(
  order: readonly Item[],
): Generator<Item[]> {
  let batch: Item[] = [];
  let sum = 0;
  let limit = 500;
  for (const item of order) {
    batch.push(item);
    sum += item.time;
    if (sum < limit) continue;
    yield batch;
    batch = [];
    limit = sum * 2;
  }
  if (batch.length > 0) yield batch;
}
