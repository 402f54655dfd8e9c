import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { ShellRequest } from '../../../core/ports/commands/shell.ts';
import { SystemClock } from '../clock.ts';

export class CommandLimits implements Disposable {
  readonly #signal: AbortSignal;
  readonly #stop: () => void;
  readonly #deadline: Disposable | undefined;
  #timedOut = false;

  /** `stop` is called once for each limit that is met from now on; of a signal that has fired already never. */
  constructor({ signal, timeoutMs }: Pick<ShellRequest, 'signal' | 'timeoutMs'>, stop: () => void) {
    this.#signal = signal;
    this.#stop = stop;
    signal.addEventListener('abort', stop, { once: true });
    if (!Number.isFinite(timeoutMs)) return;
    this.#deadline = new SystemClock().after(timeoutMs, () => {
      this.#timedOut = true;
      stop();
    });
  }

  get timedOut(): boolean {
    return this.#timedOut;
  }

  /** A limit that was met stays known. */
  dispose(): void {
    this.#deadline?.dispose();
    this.#signal.removeEventListener('abort', this.#stop);
  }
}
