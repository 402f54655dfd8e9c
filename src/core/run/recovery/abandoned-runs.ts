import type { Message } from '../../../domain/message.ts';
import type { Run } from '../../../domain/run.ts';
import type { EventBroker } from '../../session/event-broker.ts';
import {
  type AbandonedCalls,
  type HandoffPorts,
  closeRun,
  abandonedCalls,
  abandonedRun,
} from './handoff.ts';
import { announced } from '../../session/transcript.ts';

export interface AbandonedRunsPorts extends HandoffPorts {
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

  async discard(run: Run, remains: AbandonedCalls): Promise<void> {
    this.announceClosed(run, await closeRun(run, remains, this.#ports));
  }

  /** A new message gives up what was left behind: its open calls get their results first (D4). */
  async giveWay(sessionId: string): Promise<void> {
    const run = await this.run(sessionId);
    if (run === undefined) return;
    const added = await closeRun(run, await abandonedCalls(run, this.#ports), this.#ports);
    for (const message of added) this.#ports.broker.publish(sessionId, run.id, announced(message));
  }

  announceClosed({ sessionId, id }: Run, added: readonly Message[]): void {
    const { broker } = this.#ports;
    for (const message of added) broker.publish(sessionId, id, announced(message));
    const end = { reason: 'canceled', state: 'cancelled', canContinue: false } as const;
    broker.publish(sessionId, id, { type: 'agent_run.cancelled', end });
  }
}
