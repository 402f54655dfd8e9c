import { failureText } from './failure-text.ts';
import { seconds } from './reporter.ts';
import type { SuiteResult } from './reporter.ts';
import { Sections } from './sections.ts';

/** Prints what a job has to say. */
export type Print = (text: string) => void;

/** Test files that are named at the end with their time. */
const SLOWEST = 30;

/** Lines of an error that are repeated at the end, where a shortened log still has them. */
const MAX_ERROR_LINES = 12;

/** A suite that could not be run at all. */
const broken: SuiteResult = { passed: 0, failed: 1, pending: 0, failures: [], files: {} };

/** Adds up suites and single jobs; a job that throws or says no is one failure, and the next one runs all the same. */
export class Tally {
  passed = 0;
  failed = 0;
  private closed = false;
  private readonly failures: string[] = [];
  /** Milliseconds of each test file. */
  private readonly files: [file: string, time: number][] = [];
  private readonly print: Print;
  private readonly sections: Sections;

  constructor(print: Print = (text) => void process.stdout.write(text)) {
    this.print = print;
    this.sections = new Sections((text) => {
      if (!this.closed) print(text);
    });
  }

  /** A job that is well or not: set-up, check, build. It prints by itself, so it runs alone. */
  async job(name: string, work: () => Promise<boolean | void>): Promise<boolean> {
    const section = this.sections.begin(name);
    const well = await attempt(name, async () => (await work()) !== false, false, section.write);
    section.close();
    if (well) this.passed += 1;
    else this.failed += 1;
    if (!well) this.failures.push(name);
    return well;
  }

  /** A suite of tests, which may run beside others; `null`, no test files, counts as nothing. */
  async suite(name: string, work: (print: Print) => Promise<SuiteResult | null>): Promise<void> {
    const section = this.sections.begin(name);
    const started = Date.now();
    const result = await attempt(name, () => work(section.write), broken, section.write);
    if (result === null) section.write(`  test/${name} has no tests\n`);
    else {
      this.add(name, result);
      section.write(`  ${counts(result)} (${seconds(Date.now() - started).trim()})\n`);
    }
    section.close();
  }

  /** Adds a result. Lists the failed tests with their errors, or the suite when it failed as a whole. */
  add(name: string, result: SuiteResult): void {
    this.passed += result.passed;
    this.failed += result.failed;
    const named = result.failures.map((title, index) => {
      const lines = result.errors?.[index]?.split('\n').slice(0, MAX_ERROR_LINES) ?? [];
      return [`${name}: ${title}`, ...lines].join('\n      ');
    });
    if (result.failed > named.length) named.push(`${name}: the suite itself, see above`);
    this.failures.push(...named);
    this.files.push(...Object.entries(result.files));
  }

  /**
   * Prints the slowest test files, what failed, and the closing line, and sets the exit code. Nothing may be printed
   * after it. What still runs when a run is cut short is one failure.
   */
  close(cutShort?: string): void {
    if (this.closed) return;
    this.sections.flush();
    this.closed = true;
    if (cutShort !== undefined) {
      this.failed += 1;
      this.failures.push(cutShort);
    }
    const list = (title: string, names: readonly string[]): string =>
      names.length === 0 ? '' : `\n${title}:\n${names.map((name) => `  ${name}\n`).join('')}`;
    this.print(list('Slowest test files', this.slowest()));
    this.print(list('Failed', this.failures));
    this.print(`\n${this.passed} passed, ${this.failed} failed\n`);
    process.exitCode = this.failed > 0 || this.passed === 0 ? 1 : 0;
  }

  private slowest(): string[] {
    const sorted = this.files.toSorted(([, one], [, other]) => other - one);
    return sorted.slice(0, SLOWEST).map(([file, time]) => `${seconds(time)} ${file}`);
  }
}

/** Closes the run of a single suite. */
export function report(name: string, result: SuiteResult | null): void {
  const tally = new Tally();
  if (result !== null) tally.add(name, result);
  tally.close();
}

function counts({ passed, failed, pending }: SuiteResult): string {
  const more = pending > 0 ? [`${pending} pending`] : [];
  return [`${passed} passed`, `${failed} failed`, ...more].join(', ');
}

async function attempt<Result>(
  name: string,
  work: () => Promise<Result>,
  failed: Result,
  print: Print,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    print(`  ✖ ${name}: ${failureText(error).replaceAll('\n', '\n    ')}\n`);
    return failed;
  }
}
