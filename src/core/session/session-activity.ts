import type { EventBroker } from './event-broker.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { RunEvent } from '../../domain/event.ts';
import { Listeners } from '../../domain/lifetime/listeners.ts';

export interface SessionActivity {
  readonly running: boolean;
  /** The last run ended at a cap, a limit or a passing failure. */
  readonly canContinue: boolean;
}

const IDLE: SessionActivity = { running: false, canContinue: false };

/** Follows the runs of all sessions for commands and the status bar. */
export class Activity implements Disposable {
  readonly #sessions = new Map<string, SessionActivity>();
  readonly #changed = new Listeners();
  readonly #listening: Disposable;

  constructor(broker: Pick<EventBroker, 'listen'>) {
    this.#listening = broker.listen((event) => this.#hear(event));
  }

  /** Sessions with a run. */
  get running(): number {
    return [...this.#sessions.values()].filter((one) => one.running).length;
  }

  of(sessionId: string | undefined): SessionActivity {
    return (sessionId === undefined ? undefined : this.#sessions.get(sessionId)) ?? IDLE;
  }

  forget(sessionId: string): void {
    if (this.#sessions.delete(sessionId)) this.#changed.fire();
  }

  onChange(listener: () => void): Disposable {
    return this.#changed.listen(listener);
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changed.dispose();
  }

  #hear(event: RunEvent): void {
    switch (event.type) {
      case 'agent_run.started':
        this.#set(event.sessionId, { running: true, canContinue: false });
        break;
      case 'agent_run.handed_over':
        this.#set(event.sessionId, IDLE);
        break;
      case 'agent_run.completed':
      case 'agent_run.cancelled':
      case 'agent_run.failed':
        this.#set(event.sessionId, { running: false, canContinue: event.end.canContinue });
        break;
      default:
    }
  }

  #set(sessionId: string, activity: SessionActivity): void {
    this.#sessions.set(sessionId, activity);
    this.#changed.fire();
  }
}
