import { failureOf } from '../../domain/failure.ts';
import { databaseError, reasonOf } from '../database/failures.ts';
import { READ_PREFIX } from '../../domain/session/session-values.ts';
import type { Calls, Reply, Request } from '../rpc.ts';
import type { Engine } from './engine.ts';
import { commitGroup, LARGEST_GROUP } from './group-commit.ts';
import { isRead, isWrite, OTHERS, READS } from './handlers.ts';

/**
 * Milliseconds that the beginning of a call without side effects waits for what comes next: most such calls end sooner,
 * and their end shares its transaction.
 */
const PATIENCE_MS = 20;

/** Answers requests in order, waiting writes together; repairs damage, and tries again. */
export class RequestQueue {
  readonly #engine: Engine;
  readonly #answer: (replies: readonly Reply[]) => void;
  readonly #more: () => readonly Request[] | undefined;
  readonly #waiting: Request[] = [];
  #running = false;
  #wake: () => void = () => undefined;

  /** `more` gives what has arrived since, without waiting: it is joined to what is to be done. */
  constructor(
    engine: Engine,
    answer: (replies: readonly Reply[]) => void,
    more: () => readonly Request[] | undefined,
  ) {
    this.#engine = engine;
    this.#answer = answer;
    this.#more = more;
  }

  async push(requests: readonly Request[]): Promise<void> {
    this.#waiting.push(...requests);
    this.#wake();
    if (this.#running) return;
    this.#running = true;
    try {
      for (;;) {
        this.#takeArrived();
        if (this.#canWait()) await this.#waitForMore();
        for (const read of this.#takeEarlyReads()) await this.#perform(read);
        const next = this.#waiting.shift();
        if (next === undefined) return;
        await this.#perform(next);
      }
    } finally {
      this.#running = false;
    }
  }

  #takeArrived(): void {
    for (let more = this.#more(); more !== undefined; more = this.#more())
      this.#waiting.push(...more);
  }

  #canWait(): boolean {
    return this.#waiting.length > 0 && this.#waiting.every(isPatient);
  }

  /** Waits while there is nothing but what can wait; not longer than `PATIENCE_MS`. */
  async #waitForMore(): Promise<void> {
    const until = performance.now() + PATIENCE_MS;
    while (this.#canWait()) {
      const left = until - performance.now();
      if (left <= 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      setTimeout(resolve, left);
      this.#wake = resolve;
      await promise;
    }
  }

  /** Takes reads of values that nothing before them changes: who asks does not wait for the disk. */
  #takeEarlyReads(): readonly Request[] {
    const changed = this.#waiting.findIndex((request) => !leavesValues(request));
    const early = this.#waiting
      .slice(0, changed === -1 ? undefined : changed)
      .filter(({ method }) => method === 'value');
    for (const read of early) this.#waiting.splice(this.#waiting.indexOf(read), 1);
    return early;
  }

  async #perform(request: Request): Promise<void> {
    if (isWrite(request.method)) {
      const group = [request, ...this.#writesThatFollow()];
      await this.#answerWith(group, () => commitGroup(this.#engine.connection, group));
    } else if (isRead(request.method)) {
      await this.#answerWith([request], () => [this.#read(request)]);
    } else if (
      request.method === 'open' ||
      request.method === 'recover' ||
      request.method === 'close'
    ) {
      await this.#task(request);
    } else {
      // May ask the system about another process: the others go on meanwhile.
      void this.#task(request);
    }
  }

  #writesThatFollow(): Request[] {
    let count = 0;
    while (count < LARGEST_GROUP) {
      const next = this.#waiting[count];
      if (next === undefined || !isWrite(next.method)) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  #read(request: Request): Reply {
    const read = READS[request.method as keyof typeof READS] as (
      connection: unknown,
      params: unknown,
    ) => unknown;
    return { id: request.id, value: read(this.#engine.connection, request.params) };
  }

  async #answerWith(group: readonly Request[], work: () => Reply[]): Promise<void> {
    let replies: Reply[];
    try {
      replies = await this.#repairing(work);
    } catch (error) {
      const failure = failureOf(databaseError(error, this.#engine.file));
      replies = group.map((request) => ({ id: request.id, failure }));
    }
    this.#answer(replies);
  }

  async #task(request: Request): Promise<void> {
    const task = OTHERS[request.method as keyof typeof OTHERS] as (
      engine: Engine,
      params: unknown,
    ) => unknown;
    try {
      const value = await task(this.#engine, request.params);
      this.#answer([{ id: request.id, value }]);
    } catch (error) {
      const failure = failureOf(databaseError(error, this.#engine.file));
      this.#answer([{ id: request.id, failure }]);
    }
  }

  async #repairing<Result>(work: () => Result): Promise<Result> {
    try {
      return work();
    } catch (error) {
      const known = databaseError(error, this.#engine.file);
      if (reasonOf(known) !== 'damaged') throw known;
      await this.#engine.recover(Date.now(), (known as Error).message);
      return work();
    }
  }
}

/**
 * True for nothing but beginnings of calls that may be begun again, which are counted and nobody acts upon, and what
 * such calls have read.
 */
function isPatient({ method, params }: Request): boolean {
  if (method === 'setValue') return (params as Calls['setValue'][0]).key.startsWith(READ_PREFIX);
  if (method !== 'commit') return false;
  const writes = params as Calls['commit'][0];
  return (
    writes.length > 0 &&
    writes.every(
      (write) =>
        write.kind === 'ledger' && write.entry.idempotent && write.entry.state === 'running',
    )
  );
}

/** True for what writes no value. */
function leavesValues({ method, params }: Request): boolean {
  if (method === 'value') return true;
  return (
    method === 'commit' && (params as Calls['commit'][0]).every(({ kind }) => kind !== 'value')
  );
}
