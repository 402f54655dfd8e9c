import { renameSync, writeFileSync } from 'node:fs';
import Mocha from 'mocha';
import { failureText } from './failure-text.ts';

/** What a suite came to, as the reporter leaves it for the rig. */
export interface SuiteResult {
  readonly passed: number;
  readonly failed: number;
  readonly pending: number;
  /** Full titles of the tests and hooks that failed. */
  readonly failures: readonly string[];
  /** Full titles of the tests that passed, but not at the first attempt. */
  readonly flaky: readonly string[];
}

/** The result so far: left after each test, so that a suite that is cut off has told what it did. */
export interface SuiteNotes extends SuiteResult {
  readonly ended: boolean;
  /** The test or hook that is at work. */
  readonly running?: string;
}

/**
 * Prints a failure with its error at once, that of each attempt where a test is tried again (every test with
 * BELAY_TEST_VERBOSE), and writes the numbers as JSON to the file named by BELAY_TEST_RESULTS, so that nobody has to
 * read them out of text.
 */
export default class ResultReporter extends Mocha.reporters.Base {
  private readonly failed: string[] = [];
  private readonly flaky: string[] = [];
  private running: string | undefined;
  private retried = { title: '', times: 0 };

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const verbose = process.env['BELAY_TEST_VERBOSE'] !== undefined;
    const begin = (runnable: Mocha.Runnable): void => {
      this.running = runnable.fullTitle();
      this.note(false);
    };
    runner.on('test', begin);
    runner.on('hook', begin);
    runner.on('pass', (test) => {
      const title = test.fullTitle();
      if (verbose) this.print(`  ✔ ${title} (${test.duration ?? 0} ms)`);
      if (this.attempts(test) === 1) return;
      this.flaky.push(title);
      this.print(told('↻', test, `flaky: passed at ${this.attempt(test)}`));
    });
    runner.on('pending', (test) => this.print(`  - ${test.fullTitle()}`));
    runner.on('retry', (test: Mocha.Test, error: unknown) => {
      this.print(told('↻', test, `${this.attempt(test)} failed: ${failureText(error)}`));
      this.retried = { title: test.fullTitle(), times: this.attempts(test) };
    });
    runner.on('fail', (test, error: unknown) => {
      this.failed.push(test.fullTitle());
      const which = this.attempts(test) > 1 ? `${this.attempt(test)} failed: ` : '';
      this.print(told('✖', test, which + failureText(error)));
    });
    runner.on('test end', () => {
      this.running = undefined;
      this.note(false);
    });
    runner.once('end', () => {
      this.running = undefined;
      this.note(true);
    });
  }

  /** Attempts of a test, the present one included. Mocha makes each with a copy of the test. */
  private attempts(runnable: Mocha.Runnable): number {
    return runnable.fullTitle() === this.retried.title ? this.retried.times + 1 : 1;
  }

  private attempt(runnable: Mocha.Runnable): string {
    return `attempt ${this.attempts(runnable)} of ${1 + runnable.retries()}`;
  }

  private print(text: string): void {
    Mocha.reporters.Base.consoleLog('%s', text);
  }

  private note(ended: boolean): void {
    const file = process.env['BELAY_TEST_RESULTS'];
    if (file === undefined) return;
    const { passes: passed, failures: failed, pending } = this.stats;
    const notes: SuiteNotes = {
      passed,
      failed,
      pending,
      failures: this.failed,
      flaky: this.flaky,
      ended,
      ...(this.running === undefined ? {} : { running: this.running }),
    };
    // In one step: the rig may read at any time.
    writeFileSync(`${file}.new`, JSON.stringify(notes));
    renameSync(`${file}.new`, file);
  }
}

function told(mark: string, runnable: Mocha.Runnable, text: string): string {
  return `  ${mark} ${runnable.fullTitle()}\n${text.replaceAll(/^/gmu, '    ')}`;
}
