import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setEnvironmentData } from 'node:worker_threads';

/** What one run without a mutant shows; tests by their number in the order in which they are loaded. */
export interface Reached {
  /** Milliseconds of each test with its hooks; `null`: it was skipped, or fails without a mutant. */
  readonly times: readonly (number | null)[];
  /** Mutant → tests that reach it. */
  readonly tests: Readonly<Record<number, readonly number[]>>;
  /** Mutants that were evaluated while the files were loaded: no switch can change them any more. */
  readonly atLoad: readonly number[];
  /** Mutants that are reached in the thread with the tests, and in workers and other processes. */
  readonly here: readonly number[];
  readonly outside: readonly number[];
}

/** Which test reaches which mutant: in its own thread, in workers, and in processes that it starts. */
export class Reach {
  readonly #times: (number | null)[];
  readonly #tests: readonly Mocha.Test[];
  readonly #atLoad: ReadonlySet<number>;
  readonly #by = new Map<number, Set<number>>();
  readonly #here = new Set<number>();
  readonly #outside = new Set<number>();
  /** One byte for each mutant, set by workers. */
  readonly #flags: Uint8Array;
  readonly #folder = mkdtempSync(path.join(os.tmpdir(), 'belay-reach-'));
  /** Numbers of mutants, a line each, by processes. */
  readonly #file = path.join(this.#folder, 'reached');
  #read = 0;
  #began = 0;
  /** Numbers of the tests that may notice what is reached now: one, or all of a suite whose hook runs. */
  #current: readonly number[] = [];

  /** @param count of all mutants */
  constructor(count: number, tests: readonly Mocha.Test[], atLoad: ReadonlySet<number>) {
    this.#tests = tests;
    this.#times = tests.map(() => null);
    this.#atLoad = atLoad;
    const shared = new SharedArrayBuffer(count);
    this.#flags = new Uint8Array(shared);
    setEnvironmentData('belay.reached', shared);
    writeFileSync(this.#file, '');
    // Some tests start processes as another user.
    chmodSync(this.#folder, 0o755);
    chmodSync(this.#file, 0o666);
    process.env['BELAY_REACHED'] = this.#file;
    globalThis.reached = (id) => {
      this.#here.add(id);
      this.#note(id);
    };
  }

  follow(root: Mocha.Suite): void {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- mocha hands the test over as `this`
    const reach = this;
    root.beforeEach(function () {
      reach.#collect();
      reach.#began = performance.now();
      const { currentTest: test } = this;
      if (test !== undefined) reach.#current = [reach.#tests.indexOf(test)];
    });
    root.afterEach(function () {
      const test = this.currentTest as Mocha.Test;
      if (test.isPassed()) reach.#times[reach.#current[0] ?? -1] = performance.now() - reach.#began;
      reach.enter(test.parent);
    });
  }

  /** What is reached now is reached by a hook of this suite. */
  enter(suite: Mocha.Suite | undefined): void {
    this.#collect();
    const current: number[] = [];
    suite?.eachTest((test) => current.push(this.#tests.indexOf(test)));
    this.#current = current;
  }

  end(): Reached {
    this.#collect();
    rmSync(this.#folder, { recursive: true });
    return {
      times: this.#times,
      tests: Object.fromEntries([...this.#by].map(([id, tests]) => [id, [...tests]])),
      atLoad: [...this.#atLoad],
      here: [...this.#here],
      outside: [...this.#outside],
    };
  }

  #note(id: number): void {
    const tests = this.#by.get(id) ?? new Set();
    for (const test of this.#current) tests.add(test);
    this.#by.set(id, tests);
  }

  /** Takes over what was reached elsewhere since the last time. */
  #collect(): void {
    const text = readFileSync(this.#file, 'utf8');
    const told = text.slice(this.#read).split('\n').filter(Boolean).map(Number);
    this.#read = text.length;
    const flagged = [...this.#flags.entries()].flatMap(([id, flag]) => (flag === 0 ? [] : [id]));
    this.#flags.fill(0);
    for (const id of [...flagged, ...told]) {
      this.#outside.add(id);
      this.#note(id);
    }
  }
}
