import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Store } from '../../../src/store/store.ts';
import { open } from './support.ts';

/** Ports of a store that another process can be asked through. */
type Port = 'recorder' | 'transcripts' | 'runs' | 'leases' | 'values' | 'blobs' | 'person';

/** The method of an order that asks for the problems of the store. */
const PROBLEMS = 'problems';

interface Order {
  readonly id: number;
  readonly port: Port;
  readonly method: string;
  readonly args: readonly unknown[];
}

type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly code: string; readonly message: string };

/** A store in a process of its own, which can be killed. */
export class OtherProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #last = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (answer: Answer) => {
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
  }

  /** @param person the folder of the person's database; absent: beside the other */
  static async start(folder: string, person = folder): Promise<OtherProcess> {
    const child = fork(fileURLToPath(import.meta.url), ['serve', folder, person], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: [],
      execPath: process.execPath,
    });
    const other = new OtherProcess(child);
    await once(child, 'message');
    return other;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Calls a method of a port there; an error of it comes back with its `code`. */
  async ask<P extends Port, M extends keyof Store[P] & string>(
    port: P,
    method: M,
    ...args: Store[P][M] extends (...given: infer Given) => unknown ? Given : never
  ): Promise<Store[P][M] extends (...given: never) => infer Result ? Awaited<Result> : never> {
    this.#last += 1;
    const order: Order = { id: this.#last, port, method, args };
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(order.id, resolve));
    this.#child.send(order);
    const answer = await answered;
    if ('code' in answer) throw Object.assign(new Error(answer.message), { code: answer.code });
    return answer.value as never;
  }

  /** What its store had to report so far. */
  async problems(): Promise<readonly string[]> {
    return (await this.ask('values', PROBLEMS as 'get', '')) as readonly string[];
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill(signal);
    await gone;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}

async function serve(folder: string, person: string): Promise<void> {
  const store = await open(folder, { person: { folder: person, name: 'other' } });
  process.on('message', (order: Order) => {
    const port = store[order.port] as unknown as Record<string, (...args: unknown[]) => unknown>;
    const answer =
      order.method === PROBLEMS
        ? store.problems.map(({ message }) => message)
        : port[order.method]?.(...order.args);
    Promise.resolve(answer).then(
      (value) => process.send?.({ id: order.id, value }),
      (error: Error & { readonly code?: string }) =>
        process.send?.({ id: order.id, code: error.code ?? 'thrown', message: error.message }),
    );
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.('ready');
}

if (process.argv[2] === 'serve') await serve(process.argv[3] ?? '', process.argv[4] ?? '');
