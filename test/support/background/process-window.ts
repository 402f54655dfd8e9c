import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { DetachedState, RunEnd } from '../../../src/domain/run.ts';

interface Seen {
  readonly state?: DetachedState;
  readonly failed: readonly string[];
  readonly ended: readonly unknown[];
  readonly busy: boolean;
}

/** A `BackgroundWindow` in a process of its own: windows of one process would share what each may own alone. */
export class ProcessWindow implements AsyncDisposable {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async open(at: { readonly folder: string }, url: string): Promise<ProcessWindow> {
    const program = fileURLToPath(new URL('other-process-main.ts', import.meta.url));
    const child = fork(program, [at.folder, url]);
    await once(child, 'message');
    return new ProcessWindow(child);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async takeBack(id: string): Promise<void> {
    await this.#ask('takeBack', id);
  }

  async seen(id: string): Promise<Seen> {
    return (await this.#ask('state', id)) as Seen;
  }

  async settled(id: string): Promise<RunEnd | null> {
    return (await this.#ask('settled', id)) as RunEnd | null;
  }

  async #ask(wish: string, id: string): Promise<unknown> {
    const heard = once(this.#child, 'message');
    this.#child.send({ wish, id });
    const [value] = (await heard) as readonly unknown[];
    return value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
  }
}
