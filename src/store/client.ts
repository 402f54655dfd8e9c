import { Worker } from 'node:worker_threads';
import { BelayError, saidBy, tells } from '../domain/failure.ts';
import { told } from '../domain/text/told.ts';
import { storeError } from './database/failures.ts';
import type {
  Calls,
  FromWorker,
  Method,
  OpenReport,
  OpenRequest,
  Reply,
  Request,
  StoreProblem,
} from './rpc.ts';

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export interface ClientOptions {
  /** The worker's file: `dist/store-worker.cjs`, or the source in tests. */
  readonly worker: URL;
  readonly open: OpenRequest;
  readonly onProblem: (problem: StoreProblem) => void;
}

/**
 * The store's side of the worker: numbered requests. A worker that ends fails them with `store`,
 * reason `worker`, and is started again, once in a row.
 */
export class Client {
  readonly #options: ClientOptions;
  readonly #pending = new Map<number, Pending>();
  /** Requests of the present moment: they go to the worker as one message, which wakes it once. */
  #outgoing: Request[] = [];
  #worker: Worker | undefined;
  #opened: Promise<OpenReport> | undefined;
  #lastId = 0;
  #epoch: number | undefined;
  #answered = false;
  #closed = false;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  async open(): Promise<OpenReport> {
    this.#opened ??= this.#start();
    return this.#opened;
  }

  /** Asks the worker. Rejects with `BelayError`. */
  async call<M extends Method>(method: M, params: Calls[M][0]): Promise<Calls[M][1]> {
    if (this.#closed)
      throw storeError('closed', told`The store is closed. Reload the window to open it again.`);
    // After a restart, requests wait until the database is open again.
    if (this.#opened === undefined) await this.open();
    else if (this.#epoch === undefined || this.#worker === undefined) await this.#opened;
    return this.#send(method, params);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const worker = this.#worker;
    if (worker === undefined) return;
    try {
      await this.#opened;
      await this.#send('close', undefined);
    } finally {
      this.#worker = undefined;
      await worker.terminate();
    }
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** The worker's thread, for a test that ends it. */
  get worker(): Worker | undefined {
    return this.#worker;
  }

  async #start(): Promise<OpenReport> {
    const worker = new Worker(this.#options.worker, {
      name: 'belay-store',
      // Debugger and loader flags of the host are not for this thread.
      execArgv: [],
    });
    this.#worker = worker;
    this.#answered = false;
    worker.unref();
    let reason: unknown;
    worker.on('message', (message: FromWorker) => this.#receive(message));
    worker.on('error', (error) => {
      reason = error;
    });
    worker.on('exit', () => this.#ended(worker, reason));
    const report = await this.#send('open', {
      ...this.#options.open,
      ...(this.#epoch === undefined ? {} : { epoch: this.#epoch }),
    });
    this.#epoch = report.epoch;
    return report;
  }

  #send<M extends Method>(method: M, params: Calls[M][0]): Promise<Calls[M][1]> {
    const worker = this.#worker;
    if (worker === undefined) return Promise.reject(ended(undefined));
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise<Calls[M][1]>((resolve, reject) => {
      if (this.#outgoing.push({ id, method, params }) === 1)
        process.nextTick(() => this.#post(worker));
      this.#pending.set(id, { resolve: resolve as (value: unknown) => void, reject });
      // An idle store must not keep its process alive; a busy one must.
      worker.ref();
    });
  }

  #post(worker: Worker): void {
    if (this.#worker !== worker) return;
    const requests = this.#outgoing;
    this.#outgoing = [];
    try {
      worker.postMessage(requests, []);
    } catch {
      for (const request of requests) this.#postAlone(worker, request);
    }
  }

  /** One request by itself: when it cannot be copied that is its defect, for which the others do not suffer. */
  #postAlone(worker: Worker, request: Request): void {
    try {
      worker.postMessage([request], []);
    } catch (error) {
      this.#pending.get(request.id)?.reject(error as Error);
      this.#pending.delete(request.id);
    }
  }

  #receive(message: FromWorker): void {
    if (message.type === 'problem') {
      this.#options.onProblem(message.problem);
      return;
    }
    for (const reply of message.replies) this.#settle(reply);
    if (this.#pending.size === 0) this.#worker?.unref();
  }

  #settle(reply: Reply): void {
    const pending = this.#pending.get(reply.id);
    if (pending === undefined) return;
    this.#pending.delete(reply.id);
    if ('failure' in reply) {
      pending.reject(new BelayError(reply.failure));
    } else {
      this.#answered = true;
      pending.resolve(reply.value);
    }
  }

  #ended(worker: Worker, reason: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const error = ended(reason);
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
    this.#outgoing = [];
    if (this.#closed) return;
    if (!this.#answered) {
      // It ended before it did anything: starting it again and again would help nobody.
      this.#opened = Promise.reject(error);
      this.#opened.catch(() => {});
      return;
    }
    this.#options.onProblem({ kind: 'worker_restarted', ...tells(saidBy(error)) });
    this.#opened = this.#start();
    this.#opened.catch(() => {});
  }
}

function ended(reason: unknown): BelayError {
  const detail = reason instanceof Error ? told` (${reason.message})` : '';
  return storeError(
    'worker',
    told`The thread that keeps the database ended unexpectedly${detail}. Everything recorded before is kept; try again, and reload the window if this repeats.`,
    reason,
  );
}
