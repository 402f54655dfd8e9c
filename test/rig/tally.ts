import type { SuiteResult } from './reporter.ts';

/** Adds up suites and single jobs; a job that throws or says no is one failure, and the next one runs all the same. */
export class Tally {
  passed = 0;
  failed = 0;

  /** A job that is well or not: set-up, check, build. */
  async job(name: string, work: () => Promise<boolean | void>): Promise<boolean> {
    console.log(`\n▶ ${name}`);
    const well = await attempt(name, async () => (await work()) !== false, false);
    if (well) this.passed += 1;
    else this.failed += 1;
    return well;
  }

  /** A suite of tests; `null`, no test files, counts as nothing. */
  async suite(name: string, work: () => Promise<SuiteResult | null>): Promise<void> {
    console.log(`\n▶ ${name}`);
    const started = Date.now();
    const broken: SuiteResult = { passed: 0, failed: 1, pending: 0 };
    const result = await attempt(name, work, broken);
    if (result === null) {
      console.log(`  test/${name} has no tests`);
      return;
    }
    this.passed += result.passed;
    this.failed += result.failed;
    const pending = result.pending > 0 ? `, ${result.pending} pending` : '';
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    console.log(`  ${result.passed} passed, ${result.failed} failed${pending} (${seconds} s)`);
  }

  /** Prints the closing line and sets the exit code. Nothing may be printed after it. */
  close(): void {
    console.log(`\n${this.passed} passed, ${this.failed} failed`);
    process.exitCode = this.failed > 0 || this.passed === 0 ? 1 : 0;
  }
}

/** Closes the run of a single suite. */
export function report(result: SuiteResult | null): void {
  const tally = new Tally();
  tally.passed = result?.passed ?? 0;
  tally.failed = result?.failed ?? 0;
  tally.close();
}

async function attempt<Result>(
  name: string,
  work: () => Promise<Result>,
  broken: Result,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    console.error(`  ✖ ${name}: ${error instanceof Error ? error.message : String(error)}`);
    return broken;
  }
}
