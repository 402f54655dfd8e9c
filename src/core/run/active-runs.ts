import { fault } from '../../domain/failure.ts';
import type { RunEnd } from '../../domain/run.ts';
import { RetryWaits } from '../model-call/retry-waits.ts';

/** One thing that keeps a session busy: a run, a summary, giving up what was left behind, a change as a whole. */
export interface ActiveRun {
  readonly sessionId: string;
  /** Known once the run's row is made. */
  runId: string | undefined;
  readonly kind: 'run' | 'summary' | 'discard' | 'change';
  readonly abort: AbortController;
  /** The waits between attempts of its model calls. */
  readonly waits: RetryWaits;
  /** Resolves when it has ended and everything of it was released. */
  readonly settled: Promise<RunEnd | undefined>;
}

/** Activity in this process: at most one run or summary a session (B14). */
export class ActiveRuns {
  readonly #active = new Map<string, ActiveRun>();

  get size(): number {
    return this.#active.size;
  }

  all(): readonly ActiveRun[] {
    return [...this.#active.values()];
  }

  of(sessionId: string): ActiveRun | undefined {
    return this.#active.get(sessionId);
  }

  /** Makes the session busy at once, and free when `work` ends. Throws `busy`. */
  occupy(
    sessionId: string,
    kind: ActiveRun['kind'],
    work: (active: ActiveRun) => Promise<RunEnd | undefined>,
  ): ActiveRun {
    if (this.#active.has(sessionId)) {
      throw fault(
        'busy',
        'This session is at work. Wait until it is done, or stop it first; your text is kept.',
      );
    }
    const abort = new AbortController();
    let begin: (() => void) | undefined;
    const started = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const active: ActiveRun = {
      sessionId,
      runId: undefined,
      kind,
      abort,
      waits: new RetryWaits(),
      settled: started
        .then(async () => work(active))
        .finally(() => {
          if (this.#active.get(sessionId) === active) this.#active.delete(sessionId);
        }),
    };
    this.#active.set(sessionId, active);
    begin?.();
    return active;
  }
}
