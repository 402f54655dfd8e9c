import type { Message } from '../../domain/message.ts';
import type { Run } from '../../domain/run.ts';
import type { EventBroker } from '../session/event-broker.ts';
import { type AbandonedCalls, closeRun, abandonedCalls, abandonedRun } from './handoff.ts';
import { type Reconciled, type ReconcilePorts, reconcile } from './reconciler.ts';
import { announced } from '../session/transcript.ts';

export interface AbandonedRunsPorts extends Omit<ReconcilePorts, 'isBusy'> {
  readonly broker: EventBroker;
}

/** Runs of crashed processes, and the ways to be done with them; each tells what it did. */
export class AbandonedRuns {
  readonly #ports: AbandonedRunsPorts;

  constructor(ports: AbandonedRunsPorts) {
    this.#ports = ports;
  }

  /** The newest run of a session that did not end. */
  async run(sessionId: string): Promise<Run | undefined> {
    return abandonedRun(sessionId, this.#ports);
  }

  /** Marks what crashed processes left behind as timed out, and offers it for resume (C8). Never rejects. */
  async settle(isBusy: (sessionId: string) => boolean): Promise<void> {
    const { log, broker } = this.#ports;
    try {
      const { timedOut, cancelled, failed } = await reconcile({ ...this.#ports, isBusy });
      for (const { run, unknown } of timedOut) {
        if (unknown.length === 0) continue;
        broker.publish(run.sessionId, run.id, {
          type: 'agent_run.resume_unsafe',
          callIds: unknown,
          reason: 'It is unknown whether these calls happened; a human decides.',
        });
      }
      for (const { run, added } of cancelled) this.#announceClosed(run, added);
      this.#tellCounts({ timedOut, cancelled, failed });
    } catch (error) {
      log.error('Looking for runs that were left behind failed; it is tried again soon.', error);
    }
  }

  /** To each session what was settled in it; that there was nothing, to whoever listens (C11). */
  #tellCounts({ timedOut, cancelled, failed }: Reconciled): void {
    const type = 'agent_run.reconcile';
    const sessions = new Set([
      ...[...timedOut, ...cancelled].map(({ run }) => run.sessionId),
      ...failed,
    ]);
    for (const sessionId of sessions) {
      const own = ({ run }: { readonly run: Run }): boolean => run.sessionId === sessionId;
      const settled = [...timedOut, ...cancelled].filter(own);
      this.#ports.broker.publish(sessionId, settled.at(-1)?.run.id ?? '', {
        type,
        timedOut: timedOut.filter(own).length,
        failed: failed.filter((id) => id === sessionId).length,
        cancelled: cancelled.filter(own).length,
      });
    }
    if (sessions.size === 0)
      this.#ports.broker.publish('', '', { type, timedOut: 0, failed: 0, cancelled: 0 });
  }

  async discard(run: Run, remains: AbandonedCalls): Promise<void> {
    this.#announceClosed(run, await closeRun(run, remains, this.#ports));
  }

  /** A new message gives up what was left behind: its open calls get their results first (D4). */
  async giveWay(sessionId: string): Promise<void> {
    const run = await this.run(sessionId);
    if (run === undefined) return;
    const added = await closeRun(run, await abandonedCalls(run, this.#ports), this.#ports);
    for (const message of added) this.#ports.broker.publish(sessionId, run.id, announced(message));
  }

  #announceClosed({ sessionId, id }: Run, added: readonly Message[]): void {
    const { broker } = this.#ports;
    for (const message of added) broker.publish(sessionId, id, announced(message));
    const end = { reason: 'canceled', state: 'cancelled', canContinue: false } as const;
    broker.publish(sessionId, id, { type: 'agent_run.cancelled', end });
  }
}
