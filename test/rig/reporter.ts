import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Mocha from 'mocha';
import { failureText } from './failure-text.ts';

/** Milliseconds after the last test from which a process that has not ended is asked why. */
const LINGERING = 2000;

/** What a suite came to, as the reporter leaves it for the rig. */
export interface SuiteResult {
  readonly passed: number;
  readonly failed: number;
  readonly pending: number;
  /** Full titles of the tests and hooks that failed. */
  readonly failures: readonly string[];
  /** Their errors, in the same order. */
  readonly errors?: readonly string[];
  /** Milliseconds that the tests and hooks of each test file took. */
  readonly files: Readonly<Record<string, number>>;
}

/** The result so far: left after each test, so that a suite that is cut off has told what it did. */
export interface SuiteNotes extends SuiteResult {
  readonly ended: boolean;
  /** The test or hook that is at work. */
  readonly running?: string;
}

/**
 * Prints each failure with its error at once, each test file with its time when the next one begins (and every test
 * with BELAY_TEST_VERBOSE), and writes the numbers as JSON to the file named by BELAY_TEST_RESULTS, so that nobody has
 * to read them out of text.
 */
export default class ResultReporter extends Mocha.reporters.Base {
  private readonly failed: string[] = [];
  private readonly errors: string[] = [];
  private readonly files = new Map<string, number>();
  private file: string | undefined;
  private running: string | undefined;
  /** When what is running began, by `performance.now()`. */
  private began = 0;

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const verbose = process.env['BELAY_TEST_VERBOSE'] !== undefined;
    runner.on('test', (test) => this.begin(test));
    runner.on('hook', (hook) => this.begin(hook));
    runner.on('hook end', () => this.count());
    runner.on('pass', (test) => {
      if (verbose) this.print(`  ✔ ${test.fullTitle()} (${test.duration ?? 0} ms)`);
    });
    runner.on('pending', (test) => this.print(`  - ${test.fullTitle()}`));
    runner.on('fail', (test, error: unknown) => {
      const passed = this.count();
      this.failed.push(test.fullTitle());
      const text = `${failureText(error)}\n${circumstances(this.file, passed)}`;
      this.errors.push(text);
      this.print(`  ✖ ${test.fullTitle()}\n${text.replaceAll(/^/gmu, '    ')}`);
    });
    runner.on('test end', () => {
      this.count();
      this.running = undefined;
      this.note(false);
    });
    runner.once('end', () => {
      this.running = undefined;
      this.tellFile();
      this.note(true);
      setTimeout(() => this.print(`  still open: ${stillOpen()}`), LINGERING).unref();
    });
  }

  private begin(runnable: Mocha.Runnable): void {
    const file = runnable.file === undefined ? this.file : relative(runnable.file);
    if (file !== this.file) this.tellFile();
    this.file = file;
    this.running = runnable.fullTitle();
    this.began = performance.now();
    this.note(false);
  }

  /** Adds what has passed since the beginning, or since it was counted last, to the file's time, in ms. */
  private count(): number {
    const now = performance.now();
    const passed = now - this.began;
    this.began = now;
    if (this.file !== undefined)
      this.files.set(this.file, (this.files.get(this.file) ?? 0) + passed);
    return passed;
  }

  private tellFile(): void {
    if (this.file === undefined) return;
    this.print(`  ${seconds(this.files.get(this.file) ?? 0)} ${this.file}`);
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
      errors: this.errors,
      files: Object.fromEntries(this.files),
      ended,
      ...(this.running === undefined ? {} : { running: this.running }),
    };
    // In one step: the rig may read at any time.
    writeFileSync(`${file}.new`, JSON.stringify(notes));
    renameSync(`${file}.new`, file);
  }
}

/** What keeps this process alive, by kind, and its child processes. */
function stillOpen(): string {
  const kinds = Map.groupBy(process.getActiveResourcesInfo(), (kind) => kind);
  const counts = [...kinds].map(([kind, all]) => `${all.length} × ${kind}`);
  return [...counts, ...childCommands()].join(', ');
}

/** Command lines of the child processes, where the system tells them by files. */
function childCommands(): string[] {
  try {
    const tasks = `/proc/${process.pid}/task`;
    const pids = readdirSync(tasks).flatMap((task) =>
      readFileSync(`${tasks}/${task}/children`, 'utf8').split(' ').filter(Boolean),
    );
    return pids.map((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 100),
    );
  } catch {
    return [];
  }
}

/** Milliseconds as right-aligned seconds. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1).padStart(6)} s`;
}

/** Where a test failed, after how long, and how busy the machine was in the last minute. */
function circumstances(file: string | undefined, passed: number): string {
  const load = os.loadavg()[0] ?? 0;
  return `${file ?? 'outside of a file'}, after ${Math.round(passed)} ms; load ${load.toFixed(1)} on ${os.availableParallelism()} processors`;
}

/** Relative to where the tests run, when it lies there. */
function relative(file: string): string {
  const short = path.relative(process.cwd(), file);
  return short.startsWith('..') ? file : short;
}
