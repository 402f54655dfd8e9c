import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/** What a suite came to, as the reporter leaves it for the rig. */
export interface SuiteResult {
  readonly passed: number;
  readonly failed: number;
  readonly pending: number;
}

/**
 * Prints failures (every test with BELAY_TEST_VERBOSE) and writes the numbers as JSON to the file named by
 * BELAY_TEST_RESULTS, so that nobody has to read them out of text.
 */
export default class ResultReporter extends Mocha.reporters.Base {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const print = (line: string): void => Mocha.reporters.Base.consoleLog(line);
    const verbose = process.env['BELAY_TEST_VERBOSE'] !== undefined;
    runner.on('pass', (test) => {
      if (verbose) print(`  ✔ ${test.fullTitle()} (${test.duration ?? 0} ms)`);
    });
    runner.on('pending', (test) => print(`  - ${test.fullTitle()}`));
    runner.on('fail', (test) => print(`  ✖ ${test.fullTitle()}`));
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      if (failures > 0) Mocha.reporters.Base.list(this.failures);
      const file = process.env['BELAY_TEST_RESULTS'];
      const result: SuiteResult = { passed: passes, failed: failures, pending };
      if (file !== undefined) writeFileSync(file, JSON.stringify(result));
    });
  }
}
