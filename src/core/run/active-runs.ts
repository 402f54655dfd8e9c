import { fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { RunEnd } from '../../domain/run.ts';
import { RetryWaits } from '../model-call/retry-waits.ts';
import type { EventBroker } from '../session/event-broker.ts';
import { stopReasonOf } from './run-end.ts';
import { RunTurns } from './run-turns.ts';
import { type LeasePorts, SessionLease } from './session/session-lease.ts';

/** After a stop, queued messages wait for the user, or go on with the next one. */
type AfterStop = 'hold' | 'send';

/** Decides whether a session's queue is held, before anything else can begin in it. Never rejects. */
type HoldQueue = (sessionId: string, isStopped: boolean) => Promise<void>;

/** One thing that keeps a session busy: a run, a summary, giving up what was left behind, a change as a whole. */
export interface ActiveRun {
  readonly sessionId: string;
  /** Known once the run's row is made. */
  runId: string | undefined;
  /** A `child` is a run that another one waits for: it needs no turn of its own. */
  readonly kind: 'run' | 'child' | 'summary' | 'discard' | 'change';
  readonly abort: AbortController;
  /** It stops after the step at hand, for another process to go on with. */
  leaves: boolean;
  /** Decides about the queue when the run is stopped. */
  queue: AfterStop;
  /** The waits between attempts of its model calls. */
  readonly waits: RetryWaits;
  /** Resolves when it has ended and everything of it was released; rejects when it could not begin, or failed. */
  readonly settled: Promise<RunEnd | undefined>;
}

/** Activity in this process: at most one run or summary a session (B14). */
export class ActiveRuns {
  /** Who owns a session among the windows. */
  readonly lease: SessionLease;
  /** Whose turn it is, where more sessions want to run than may. */
  readonly turns: RunTurns;
  readonly #broker: EventBroker;
  readonly #holdQueue: HoldQueue;
  readonly #active = new Map<string, ActiveRun>();

  constructor(
    ports: LeasePorts & {
      readonly broker: EventBroker;
      readonly parallelRuns: () => number;
      readonly holdQueue: HoldQueue;
    },
  ) {
    this.lease = new SessionLease(ports);
    this.turns = new RunTurns(
      () => this.all().filter(({ kind }) => kind === 'run').length,
      ports.parallelRuns,
    );
    this.#broker = ports.broker;
    this.#holdQueue = ports.holdQueue;
  }

  isBusy(sessionId: string): boolean {
    return this.#active.has(sessionId);
  }

  /** True while any session of this process has a run, a summary or a change. */
  isAnyBusy(): boolean {
    return this.#active.size > 0;
  }

  /** Resolves when what is on in the session has ended; at once when nothing is. */
  async settled(sessionId: string): Promise<RunEnd | undefined> {
    return this.of(sessionId)?.settled.catch(() => undefined);
  }

  /** Stops the session's run and its summary (C6, D4). Idempotent. The last call decides about the queue. */
  cancel(sessionId: string, queue: AfterStop = 'hold'): void {
    const active = this.of(sessionId);
    if (active === undefined) return;
    active.queue = queue;
    if (active.abort.signal.aborted) return;
    this.#broker.publish(sessionId, active.runId ?? '', { type: 'agent_run.stopping' });
    active.abort.abort('canceled');
  }

  /** Stops a run for a human who is not there; its open calls stay open for a resume. */
  suspend(sessionId: string): void {
    this.of(sessionId)?.abort.abort('needs_human');
  }

  /**
   * Lets a run stop when its step is done, its calls with it: nothing is cut off, and another process goes on. One that
   * comes to its end first ends. `false`: no run is on. @param leaves `false`: it stays after all
   */
  handOver(sessionId: string, leaves = true): boolean {
    const active = this.of(sessionId);
    if (active?.kind !== 'run') return false;
    active.leaves = leaves;
    return true;
  }

  /** Ends the wait before the next attempt of a model call. `false`: nothing waits. */
  retryNow(sessionId: string): boolean {
    return this.of(sessionId)?.waits.skip() ?? false;
  }

  all(): readonly ActiveRun[] {
    return [...this.#active.values()];
  }

  of(sessionId: string): ActiveRun | undefined {
    return this.#active.get(sessionId);
  }

  /** Makes the session busy at once, takes its lease, and frees it when `work` ends. Throws `busy`. */
  occupy(
    sessionId: string,
    kind: ActiveRun['kind'],
    work: (active: ActiveRun) => Promise<RunEnd | undefined>,
  ): ActiveRun {
    if (this.#active.has(sessionId)) {
      throw fault(
        'busy',
        told`This session is at work. Wait until it is done, or stop it first; your text is kept.`,
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
      leaves: false,
      queue: 'hold',
      waits: new RetryWaits(),
      settled: started
        .then(async () =>
          this.lease.hold(sessionId, async () => {
            try {
              return await work(active);
            } finally {
              // Messages that were sent during a summary go when it is canceled.
              const isStopped = kind === 'run' && stopReasonOf(abort.signal) === 'canceled';
              await this.#holdQueue(sessionId, isStopped && active.queue === 'hold');
            }
          }),
        )
        .finally(() => {
          if (this.#active.get(sessionId) === active) this.#active.delete(sessionId);
        }),
    };
    this.#active.set(sessionId, active);
    begin?.();
    return active;
  }
}
