import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setEnvironmentData } from 'node:worker_threads';

/** Which test reaches which mutant: in its own thread, in workers, and in processes that it starts. */
export class Reach {
  /** Evaluated once, while the files were loaded: no switch can change it any more. */
  readonly #atLoad = new Set<number>();
  readonly #by = new Map<number, Set<Mocha.Test>>();
  /** Reached in a hook: any test may notice. */
  readonly #always = new Set<number>();
  readonly #here = new Set<number>();
  readonly #outside = new Set<number>();
  /** One byte for each mutant, set by workers. */
  readonly #flags: Uint8Array;
  readonly #folder = mkdtempSync(path.join(os.tmpdir(), 'belay-mutation-'));
  /** Numbers of mutants, a line each, by processes. */
  readonly #file = path.join(this.#folder, 'reached');
  #read = 0;
  /** The hooks stay. */
  #isOver = false;
  #current: Mocha.Test | undefined;

  constructor(count: number) {
    const shared = new SharedArrayBuffer(count);
    this.#flags = new Uint8Array(shared);
    setEnvironmentData('belay.reached', shared);
    writeFileSync(this.#file, '');
    // Some tests start processes as another user.
    chmodSync(this.#folder, 0o755);
    chmodSync(this.#file, 0o666);
    process.env['BELAY_REACHED'] = this.#file;
    const load = pathToFileURL(path.join(import.meta.dirname, 'load.ts')).href;
    process.env['NODE_OPTIONS'] = `--import=${load}`;
    globalThis.reached = (id) => this.#atLoad.add(id);
  }

  follow(root: Mocha.Suite): void {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- mocha hands the test over as `this`
    const reach = this;
    root.beforeEach(function () {
      reach.#collect();
      reach.#current = this.currentTest;
    });
    root.afterEach(() => {
      this.#collect();
      this.#current = undefined;
    });
    globalThis.reached = (id) => {
      this.#here.add(id);
      this.#note(id);
    };
  }

  end(): void {
    this.#collect();
    this.#isOver = true;
    globalThis.reached = () => undefined;
    setEnvironmentData('belay.reached');
    delete process.env['BELAY_REACHED'];
    rmSync(this.#folder, { recursive: true });
  }

  get here(): readonly number[] {
    return [...this.#here];
  }

  get outside(): readonly number[] {
    return [...this.#outside];
  }

  /** @returns `undefined`: all of them */
  testsOf(id: number): ReadonlySet<Mocha.Test> | undefined | 'at load' | 'unreached' {
    if (this.#always.has(id)) return undefined;
    return this.#by.get(id) ?? (this.#atLoad.has(id) ? 'at load' : 'unreached');
  }

  #note(id: number): void {
    if (this.#current === undefined) this.#always.add(id);
    else this.#by.set(id, (this.#by.get(id) ?? new Set()).add(this.#current));
  }

  /** Takes over what was reached elsewhere since the last time. */
  #collect(): void {
    if (this.#isOver) return;
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
