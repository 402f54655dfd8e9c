// A process of its own: loads the tests once, learns which test reaches which mutant, then runs those tests with one
// mutant after another. The parent ends it when a mutant makes it hang, and starts it again behind that one.
import Mocha from 'mocha';
import { Reach } from './reach.ts';

interface Job {
  readonly tests: readonly string[];
  readonly mutants: readonly number[];
  /** Of all mutants, also of those that are not wanted now. */
  readonly count: number;
}

export type Report =
  | { readonly mutant: number; readonly begun: true }
  | { readonly mutant: number; readonly outcome: 'killed' | 'survived' | 'unreached' | 'at load' }
  | { readonly broken: string }
  /** A test has ended: nothing hangs. */
  | { readonly alive: true }
  /** Mutants that are reached in the thread with the tests, and those in workers and other processes. */
  | { readonly here: readonly number[]; readonly outside: readonly number[] };

const job = JSON.parse(process.argv[2] ?? '{}') as Job;
/** Mocha makes a reporter with `new`: this one says nothing. */
function silent(): void {
  // what a mutant came to is reported by message
}
const report = (message: Report): void => void process.send?.(message);
const mocha = new Mocha({ timeout: 60_000, reporter: silent as never });
mocha.cleanReferencesAfterRun(false);
for (const file of job.tests) mocha.addFile(file);
const reach = new Reach(job.count);
await mocha.loadFilesAsync();

const suites: { readonly suite: Mocha.Suite; readonly tests: Mocha.Test[] }[] = [];
const collect = (suite: Mocha.Suite): void => {
  // The first failure ends a run, and hooks still clean up: `abort` would leave them out.
  suite.bail(true);
  suites.push({ suite, tests: suite.tests });
  suite.suites.forEach(collect);
};
collect(mocha.suite);

/** Runs the tests that `wanted` names, up to the first that fails. Gives its title. */
async function run(wanted: (test: Mocha.Test) => boolean): Promise<string | undefined> {
  for (const { suite, tests } of suites) suite.tests = tests.filter(wanted);
  let failed: string | undefined;
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => resolve());
    runner.on('test end', () => report({ alive: true }));
    runner.on('fail', (test, error: Error) => {
      failed ??= `${test.fullTitle()}: ${error.message}`;
    });
  });
  return failed;
}

/** Killed mutants after which their tests are run again without any. */
const CONTROLS = 5;
let controls = 0;
reach.follow(mocha.suite);
const broken = await run(() => true);
reach.end();

if (broken !== undefined) report({ broken });
else {
  report({ here: reach.here, outside: reach.outside });
  for (const id of job.mutants) {
    const tests = reach.testsOf(id);
    if (typeof tests === 'string') {
      report({ mutant: id, outcome: tests });
      continue;
    }
    report({ mutant: id, begun: true });
    globalThis.mutant = id;
    process.env['BELAY_MUTANT'] = String(id);
    const failed = await run((test) => tests === undefined || tests.has(test));
    globalThis.mutant = -1;
    delete process.env['BELAY_MUTANT'];
    // A test that is left in its middle may spoil the next run: then nothing that follows counts.
    if (failed !== undefined && (controls += 1) <= CONTROLS) {
      const spoiled = await run((test) => tests === undefined || tests.has(test));
      if (spoiled !== undefined) {
        report({ broken: `${spoiled} (after a mutant)` });
        break;
      }
    }
    report({ mutant: id, outcome: failed === undefined ? 'survived' : 'killed' });
  }
}
process.exit(0);
