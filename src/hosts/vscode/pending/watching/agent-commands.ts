import type { EventBroker } from '../../../../core/session/event-broker.ts';
import type { Disposable } from '../../../../domain/lifetime/disposable.ts';
import { Listeners } from '../../../../domain/lifetime/listeners.ts';
import type { AgentCommands } from '../source-control/git-staging.ts';

/** Follows the calls of all sessions that may execute programs: only those can stage files by themselves. */
export class RunningCommands implements AgentCommands, Disposable {
  readonly #running = new Set<string>();
  readonly #idle = new Listeners();
  readonly #listening: Disposable;

  constructor(broker: Pick<EventBroker, 'listen'>) {
    this.#listening = broker.listen((event) => {
      switch (event.type) {
        case 'tool.started':
          if (event.executes === true) this.#running.add(`${event.runId} ${event.callId}`);
          break;
        case 'tool.finished':
          this.#over((key) => key === `${event.runId} ${event.callId}`);
          break;
        case 'agent_run.completed':
        case 'agent_run.cancelled':
        case 'agent_run.failed':
        case 'agent_run.handed_over':
          this.#over((key) => key.startsWith(`${event.runId} `));
          break;
        default:
      }
    });
  }

  get running(): boolean {
    return this.#running.size > 0;
  }

  onIdle(listener: () => void): Disposable {
    return this.#idle.listen(listener);
  }

  dispose(): void {
    this.#listening.dispose();
    this.#idle.dispose();
  }

  #over(is: (key: string) => boolean): void {
    const ended = [...this.#running].filter(is);
    for (const key of ended) this.#running.delete(key);
    if (ended.length > 0 && this.#running.size === 0) this.#idle.fire();
  }
}
