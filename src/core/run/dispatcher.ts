import { told } from '../../domain/text/told.ts';
import { BelayError, failureOf, fault, tells } from '../../domain/failure.ts';
import type { RunEnd, RunState } from '../../domain/run.ts';
import type { AbandonedRuns } from './recovery/abandoned-runs.ts';
import type { ActiveRun, ActiveRuns } from './active-runs.ts';
import type { AgentParts } from './agent-parts.ts';
import type { Lanes } from './session/lanes.ts';
import type { Opening } from './opening.ts';

/** After these the next queued message may go. */
const TERMINAL: Readonly<Record<RunState, boolean>> = {
  queued: false,
  running: false,
  waiting_on_human: false,
  completed: true,
  cancelled: true,
  failed: true,
  timed_out: true,
};

/** Begins runs: what the person sent, and what waited for a session to be free. */
export class Dispatcher {
  readonly #parts: AgentParts;
  readonly #runs: ActiveRuns;
  readonly #queue: Lanes;
  readonly #left: AbandonedRuns;
  #closing = false;

  constructor(parts: AgentParts, runs: ActiveRuns, queue: Lanes, left: AbandonedRuns) {
    this.#parts = parts;
    this.#runs = runs;
    this.#queue = queue;
    this.#left = left;
  }

  /** From now on nothing that waits is begun. */
  close(): void {
    this.#closing = true;
  }

  /**
   * Starts what was queued when its process died, where no run waits to be resumed first (C7), and no model that may
   * ask the person, who has not come yet. Never rejects.
   */
  async resumeQueues(): Promise<void> {
    const { asksPerson, sessions } = this.#parts;
    for (const sessionId of this.#queue.waiting())
      if (asksPerson?.(sessions.optionsOf(sessionId).model) !== true)
        await this.resumeQueue(sessionId);
  }

  /** Lets the next queued message go, unless the person is asked first: what to do with a run, whether to go on. Never rejects. */
  async resumeQueue(sessionId: string): Promise<void> {
    try {
      if (this.#queue.list(sessionId).length === 0) return;
      if (await this.#runs.lease.isElsewhere(sessionId)) return;
      const isHeld = await this.#parts.sessions.isHeld(sessionId);
      this.#queue.pause(sessionId, isHeld);
      if (isHeld) return;
      if ((await this.#left.run(sessionId)) === undefined) void this.next(sessionId);
    } catch (error) {
      this.#parts.log.error('Queued messages could not be sent yet; they stay queued.', error);
    }
  }

  /**
   * Holds what is queued in a session whose work ends: after a stop until the user sends it or another message, else as
   * long as it was held before. Never rejects.
   */
  async hold(sessionId: string, isStopped = true): Promise<void> {
    if (this.#queue.list(sessionId).length === 0) return;
    const { sessions, log } = this.#parts;
    try {
      if (isStopped) this.#queue.pause(sessionId, true);
      if (isStopped) await sessions.hold(sessionId);
      else this.#queue.pause(sessionId, await sessions.isHeld(sessionId));
      if (isStopped) await this.#queue.endSteering(sessionId);
    } catch (error) {
      log.error('It could not be recorded or read whether queued messages are held.', error);
    }
  }

  /** Starts the next queued message of a free session when it is its turn, unless it is held (C7). Never rejects. */
  async next(sessionId: string): Promise<void> {
    const queued = this.#queue.list(sessionId);
    if (queued.length > 0 && !this.#runs.isBusy(sessionId)) this.#runs.turns.wait(sessionId);
    await this.proceed();
    if (this.#runs.turns.of(sessionId) !== undefined)
      this.#parts.broker.publish(sessionId, '', { type: 'session.queue', queued });
  }

  /** Refuses what cannot wait in a queue. @throws BelayError `busy` while as many runs are on as may be */
  refuseFull(): void {
    if (!this.#runs.turns.isFull()) return;
    throw fault(
      'busy',
      told`As many sessions are at work as may be at a time (the setting belay.advanced.parallelRuns). Try again when one of them is done, or stop one.`,
    );
  }

  /** Starts what waits for its turn, as far as more may be on. Never rejects. */
  async proceed(): Promise<void> {
    const begun: Promise<void>[] = [];
    while (!this.#closing) {
      const sessionId = this.#runs.turns.take();
      if (sessionId === undefined) break;
      begun.push(this.#startNext(sessionId));
    }
    await Promise.all(begun);
  }

  /** Starts the next queued message of a session; one that cannot start stays queued. Never rejects. */
  async #startNext(sessionId: string): Promise<void> {
    if (this.#runs.isBusy(sessionId)) return;
    const next = this.#queue.takeNext(sessionId);
    if (next === undefined) return;
    const { text, attachments, id, origin } = next;
    try {
      await this.begin(sessionId, {
        kind: 'message',
        text,
        attachments,
        queuedId: id,
        origin,
      });
    } catch (error) {
      if (failureOf(error).details?.['queuedId'] === id) {
        await this.#queue.refresh();
        await this.next(sessionId);
        return;
      }
      this.#queue.putBack(next);
      this.#parts.log.error('A queued message could not be started; it stays queued.', error);
      const failure = failureOf(error);
      this.#parts.broker.publish(sessionId, '', {
        type: 'agent_run.dispatch_next_failed',
        failure,
      });
    }
  }

  /** Occupies the session, runs, and lets the next queued message go. Resolves when the opening is on disk. */
  async begin(sessionId: string, opening: Opening, kind: 'run' | 'child' = 'run'): Promise<string> {
    const begun = Promise.withResolvers<string>();
    const { settled } = this.#runs.occupy(sessionId, kind, async (active) =>
      this.#launch(sessionId, opening, active, begun.resolve),
    );
    void settled
      .then(
        async (end) =>
          end !== undefined && TERMINAL[end.state] ? this.next(sessionId) : undefined,
        begun.reject,
      )
      .then(async () => this.proceed());
    return begun.promise;
  }

  async #launch(
    sessionId: string,
    opening: Opening,
    active: ActiveRun,
    begun: (runId: string) => void,
  ): Promise<RunEnd> {
    const session = await this.#parts.sessions.get(sessionId);
    if (session.type === 'task' && active.kind !== 'child') throw ofParent();
    if (opening.kind === 'message' && opening.queuedId !== undefined)
      await this.#refuseSent(sessionId, opening.queuedId);
    if (opening.kind !== 'resume') await this.#left.giveWay(sessionId);
    const first = session.messageCount === 0;
    // The code that drives runs is loaded with the first one.
    const { startRun } = await import('./start-run.ts');
    await this.#parts.sessions.keepOptions(sessionId);
    const options = this.#parts.sessions.optionsOf(sessionId);
    return startRun(
      {
        session,
        options,
        opening,
        active,
        begun: (runId) => {
          begun(runId);
          if (first && opening.kind === 'message' && opening.origin !== 'parent')
            this.#parts.beside.first(session, opening.text);
        },
      },
      {
        ...this.#parts,
        steering: {
          take: (id) => this.#queue.takeSteering(id),
          putBack: (queued) => this.#queue.putBack(...queued),
        },
      },
    );
  }

  /** A queued message may have been sent by a window that has died since. */
  async #refuseSent(sessionId: string, queuedId: string): Promise<void> {
    const stored = await this.#parts.runs.queued(sessionId);
    if (stored.some(({ id }) => id === queuedId)) return;
    throw new BelayError({
      code: 'not_found',
      ...tells(told`This queued message was sent already.`),
      details: { queuedId },
    });
  }
}

/** The failure for a message to a sub-agent. */
export function ofParent(): BelayError {
  return fault(
    'invalid',
    told`This is the work of a sub-agent, which only the session above it can go on with. Write there; your text is kept.`,
  );
}
