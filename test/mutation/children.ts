import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../rig/processes.ts';
import type { Room } from './room.ts';
import type { Job, Report } from './runner.ts';

/** Milliseconds in which a process loads the tests. */
const LOADING = 300_000;
/** Milliseconds between a test's own limit and its process being ended. */
const GRACE = 5000;

/** One process with a room's tests; a new one is started when it hangs or is spoiled. */
export class Child {
  readonly #room: Room;
  readonly #job: Job;
  #process: ChildProcess | undefined;

  constructor(room: Room, learn: boolean, within: number) {
    this.#room = room;
    this.#job = {
      tests: room.tests,
      count: room.mutants.length,
      reached: room.reached,
      learn,
      within,
    };
  }

  /** Runs all tests without a mutant, and writes what they reach. */
  async learn(): Promise<void> {
    if (await this.#heard(this.#start())) return;
    throw new Error('The tests do not end without a mutant.');
  }

  async outcomeOf(id: number): Promise<{ outcome: 'killed' | 'survived' | 'hangs'; by: string }> {
    for (let isNew = false; ; isNew = true) {
      const child = this.#process ?? (await this.#ready());
      child.send(id);
      const report = await this.#heard(child);
      if (typeof report !== 'object') return { outcome: 'hangs', by: '' };
      if (report.outcome === 'hangs' || report.outcome === 'spoiled') this.end();
      // In a new process nothing but this mutant can have spoiled it.
      if (report.outcome !== 'spoiled') return { ...report, outcome: report.outcome };
      if (isNew) return { outcome: 'killed', by: report.by };
    }
  }

  end(): void {
    this.#process?.kill('SIGKILL');
    this.#process = undefined;
  }

  async #ready(): Promise<ChildProcess> {
    const child = this.#start();
    if (await this.#heard(child)) return child;
    throw new Error('A process with the tests ends while it loads them.');
  }

  #start(): ChildProcess {
    const load = pathToFileURL(path.join(this.#room.folder, 'load.mjs')).href;
    const child = fork(path.join(import.meta.dirname, 'runner.ts'), [JSON.stringify(this.#job)], {
      cwd: root,
      env: {
        ...process.env,
        NODE_OPTIONS: `--import=${load}`,
        BELAY_MUTATED: this.#room.folder,
        BELAY_MUTATED_ROOT: root,
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#process = child;
    return child;
  }

  /** The next outcome, `true` for the end of a load or of a whole run, `false` when it hangs or dies. */
  #heard(child: ChildProcess): Promise<Extract<Report, { outcome: string }> | boolean> {
    return new Promise((resolve) => {
      let watchdog = setTimeout(() => this.end(), LOADING);
      const done = (result: Extract<Report, { outcome: string }> | boolean): void => {
        clearTimeout(watchdog);
        child.removeAllListeners();
        resolve(result);
      };
      child.on('message', (report: Report) => {
        clearTimeout(watchdog);
        if ('outcome' in report) return done(report);
        if ('ready' in report) return done(true);
        watchdog = setTimeout(() => this.end(), report.within + GRACE);
      });
      child.on('exit', (code) => {
        this.#process = undefined;
        done(code === 0);
      });
    });
  }
}
