import { failureOf } from '../../domain/failure.ts';
import type { Run, RunEnd } from '../../domain/run.ts';
import type { ActiveRuns } from './active-runs.ts';
import type { AgentParts } from './agent-parts.ts';
import type { Dispatcher } from './dispatcher.ts';
import { abandonedCalls, applyDecisions } from './recovery/handoff.ts';
import { runEndOf } from './run-end.ts';

/** Runs of sessions that another run delegated to (B13). */
export class ChildRuns {
  readonly #parts: AgentParts;
  readonly #runs: ActiveRuns;
  readonly #dispatcher: Dispatcher;

  constructor(parts: AgentParts, runs: ActiveRuns, dispatcher: Dispatcher) {
    this.#parts = parts;
    this.#runs = runs;
    this.#dispatcher = dispatcher;
  }

  /**
   * Brings a child's one run to its end: begins it with `task`, goes on with it where a crash cut it off, or gives the
   * end that is on record. Never rejects for what went wrong in it.
   */
  async run(sessionId: string, task: string): Promise<RunEnd> {
    try {
      if (!this.#runs.isBusy(sessionId)) {
        const last = await this.#last(sessionId);
        if (last !== undefined && isOver(last)) return last.end ?? canceled();
        await (last === undefined ? this.#begin(sessionId, task) : this.#resume(last));
      }
      const end = await this.#runs.settled(sessionId);
      // It may have ended before it could be waited for.
      return end ?? (await this.#last(sessionId))?.end ?? canceled();
    } catch (error) {
      return runEndOf({ kind: 'stop', reason: 'failure', failure: failureOf(error) });
    }
  }

  async #last(sessionId: string): Promise<Run | undefined> {
    return (await this.#parts.runs.runs({ sessionId })).at(-1);
  }

  async #begin(sessionId: string, text: string): Promise<void> {
    const opening = { kind: 'message', text, attachments: [], origin: 'parent' } as const;
    await this.#dispatcher.begin(sessionId, opening, 'child');
  }

  /** Calls whose outcome nobody knows are not repeated: the child's model looks what became of them. */
  async #resume(run: Run): Promise<void> {
    const { unknown } = await abandonedCalls(run, this.#parts);
    await applyDecisions({ unknown }, {}, this.#parts);
    const checkpoint = await this.#parts.runs.latestCheckpoint(run.id);
    await this.#dispatcher.begin(run.sessionId, { kind: 'resume', run, checkpoint }, 'child');
  }
}

export const canceled = (): RunEnd => ({
  reason: 'canceled',
  state: 'cancelled',
  canContinue: false,
});

export const isOver = ({ state }: Run): boolean =>
  state === 'completed' || state === 'cancelled' || state === 'failed';
