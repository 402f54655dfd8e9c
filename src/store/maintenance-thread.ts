import { type Told, told } from '../domain/text/told.ts';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../core/ports/clock.ts';
import type { Disposable } from '../domain/lifetime/disposable.ts';
import type { Log } from '../core/ports/log.ts';
import { failureOf, sentenceOf, tells } from '../domain/failure.ts';
import type { Client } from './client.ts';
import type { MaintenanceOrder, MaintenanceReport } from './maintenance.ts';
import type { OpenReport, StoreProblem } from './rpc.ts';

/** Milliseconds after opening: the first answer comes first. */
const CHECK_AFTER = 2000;
const BACK_UP_AFTER = 60_000;

/** Between two steps of the index: most of the time is for others. */
const INDEX_PAUSE = 30;

/** Plans the check of a big database and the daily backup, and runs them in a thread of their own. */
export class Maintenance implements Disposable {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #folder: string;
  readonly #file: URL;
  readonly #tell: (problem: StoreProblem) => void;
  #timer: NodeJS.Timeout | undefined;
  #indexing: NodeJS.Timeout | undefined;
  #disposed = false;
  #thread: Worker | undefined;

  constructor(options: {
    readonly client: Client;
    readonly clock: Clock;
    readonly log: Log;
    readonly folder: string;
    readonly worker: URL;
    readonly tell: (problem: StoreProblem) => void;
  }) {
    this.#client = options.client;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#folder = options.folder;
    this.#file = options.worker;
    this.#tell = options.tell;
  }

  /** Starts what is due: the check soon, the backup when the window has settled. */
  plan(report: Pick<OpenReport, 'checkDue' | 'backupDue'>): void {
    if (report.checkDue) {
      this.#after(CHECK_AFTER, async () => {
        await this.run({ check: true, backUp: false });
        this.plan({ ...report, checkDue: false });
      });
    } else if (report.backupDue) {
      this.#after(BACK_UP_AFTER, () => this.run({ check: true, backUp: true }));
    }
  }

  /** Makes messages of before the index findable, in small steps. Never rejects: the next start goes on. */
  index(): void {
    if (this.#disposed) return;
    this.#indexing = setTimeout(() => {
      this.#client.call('indexStep', undefined).then(
        (more) => (more ? this.index() : undefined),
        (error: unknown) =>
          this.#log.warn('Older messages are not findable yet.', { reason: String(error) }),
      );
    }, INDEX_PAUSE);
    this.#indexing.unref();
  }

  /** Runs it now. Never rejects: damage is repaired, anything else is told. */
  async run(order: Pick<MaintenanceOrder, 'check' | 'backUp'>): Promise<void> {
    try {
      const at = this.#clock.now();
      const report = await this.#inThread({
        role: 'maintenance',
        folder: this.#folder,
        at,
        ...order,
      });
      if (report === undefined) return;
      if (report.damaged) await this.#client.call('recover', { at });
      else if (report.failure !== undefined) this.#fail(sentenceOf(report.failure));
      else {
        await this.#client.call('maintained', {
          ...(report.checked ? { checkedAt: at } : {}),
          ...(report.backup === undefined ? {} : { backedUpAt: at }),
        });
        this.#log.debug('The database was checked.', { backup: report.backup ?? 'not due' });
      }
    } catch (error) {
      this.#fail(sentenceOf(failureOf(error)));
    }
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#indexing);
    void this.#thread?.terminate();
  }

  /** A timer of the system's, not of the clock: it must not keep an idle process alive. */
  #after(ms: number, work: () => Promise<void>): void {
    if (this.#disposed) return;
    this.#timer = setTimeout(() => void work(), ms);
    this.#timer.unref();
  }

  #fail(reason: Told): void {
    if (this.#disposed) return;
    this.#tell({
      kind: 'maintenance_failed',
      ...tells(told`The database could not be checked or backed up: ${reason}`),
    });
  }

  /** `undefined`: the store was closed meanwhile. */
  #inThread(order: MaintenanceOrder): Promise<MaintenanceReport | undefined> {
    const thread = new Worker(this.#file, {
      name: 'belay-store-maintenance',
      execArgv: [],
      workerData: order,
    });
    thread.unref();
    this.#thread = thread;
    return new Promise((resolve, reject) => {
      thread.on('message', (report: MaintenanceReport) => resolve(report));
      thread.on('error', reject);
      thread.on('exit', () => {
        this.#thread = undefined;
        resolve(undefined);
      });
    });
  }
}
