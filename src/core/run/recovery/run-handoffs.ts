import { told } from '../../../domain/text/told.ts';
import { because, tells } from '../../../domain/failure.ts';
import type { Run } from '../../../domain/run.ts';
import type { AbandonedRuns } from './abandoned-runs.ts';
import type { ActiveRuns } from '../active-runs.ts';
import type { AgentParts } from '../agent-parts.ts';
import type { Handoff, UnknownDecision } from '../agent-service.ts';
import type { Dispatcher } from '../dispatcher.ts';
import {
  applyDecisions,
  findLostCalls,
  findOpenCalls,
  nothingToResume,
  readHandoff,
} from './handoff.ts';
import { DAMAGED_TEXT } from '../opening.ts';
import { type Reconciled, reconcile } from './reconciler.ts';

/** Runs that were left behind, as the person decides about them. */
export class RunHandoffs {
  readonly #parts: AgentParts;
  readonly #runs: ActiveRuns;
  readonly #left: AbandonedRuns;
  readonly #dispatcher: Dispatcher;

  constructor(parts: AgentParts, runs: ActiveRuns, left: AbandonedRuns, dispatcher: Dispatcher) {
    this.#parts = parts;
    this.#runs = runs;
    this.#left = left;
    this.#dispatcher = dispatcher;
  }

  /** The rest of a crash in this session; `undefined` when nothing waits. */
  async of(sessionId: string): Promise<Handoff | undefined> {
    if (this.#runs.isBusy(sessionId)) return undefined;
    if (await this.#runs.lease.isElsewhere(sessionId)) return undefined;
    const handoff = await readHandoff(sessionId, this.#parts);
    if (handoff === undefined) return undefined;
    // A child goes on with its parent, and ends with it.
    const { type } = await this.#parts.sessions.get(sessionId);
    return type === 'task' ? undefined : handoff;
  }

  async resume(runId: string, decisions: Readonly<Record<string, UnknownDecision>>): Promise<void> {
    this.#dispatcher.refuseFull();
    const { run, handoff } = await this.#leftBehind(runId);
    const unknown = this.#parts.isDamaged()
      ? await findLostCalls(run, this.#parts)
      : handoff.unknown;
    await applyDecisions({ unknown }, decisions, this.#parts);
    await this.#parts.sessions.release(run.sessionId);
    const checkpoint = await this.#parts.runs.latestCheckpoint(runId);
    const note = this.#parts.isDamaged() ? { note: DAMAGED_TEXT } : {};
    await this.#dispatcher.begin(run.sessionId, { kind: 'resume', run, checkpoint, ...note });
  }

  async discard(runId: string): Promise<void> {
    const { run, handoff } = await this.#leftBehind(runId);
    const { sessionId } = run;
    const active = this.#runs.occupy(sessionId, 'discard', async () => {
      await this.#left.discard(run, handoff);
      return undefined;
    });
    await active.settled.finally(() => void this.#dispatcher.next(sessionId));
  }

  /** Marks what crashed processes left behind as timed out, and offers it for resume (C8). Never rejects. */
  async reconcile(): Promise<void> {
    await this.#settle();
  }

  /** Reconciles, and resumes the runs that may go on by themselves. Never rejects. */
  async resumeAfterStart(): Promise<void> {
    const { log, broker } = this.#parts;
    for (const { id, sessionId } of await this.#settle()) {
      try {
        if (!(await this.#mayGoOn(id, sessionId))) continue;
        await this.resume(id, {});
        const said = told`This run was interrupted and went on by itself, as the setting belay.loop.resume allows.`;
        broker.publish(sessionId, id, { type: 'warning', ...tells(said) });
      } catch (error) {
        log.warn('A run did not go on by itself; it is offered for resume.', {
          reason: String(error),
        });
      }
    }
  }

  /** A run goes on by itself only if it may be resumed as it is and every open call only reads. */
  async #mayGoOn(runId: string, sessionId: string): Promise<boolean> {
    const { autoResume, sessions, asksPerson, isDamaged } = this.#parts;
    const readOnly = await autoResume({ id: runId, sessionId });
    if (readOnly === undefined || isDamaged() || (await sessions.isHeld(sessionId))) return false;
    if (asksPerson?.(sessions.optionsOf(sessionId).model) === true) return false;
    const handoff = await this.of(sessionId);
    if (handoff?.run.id !== runId || !handoff.resumable || handoff.promptDrift) return false;
    if (handoff.unknown.length > 0) return false;
    const calls = await findOpenCalls(handoff.run, this.#parts);
    return calls.every(({ call }) => readOnly.has(call.name));
  }

  /** Gives the runs that timed out. Never rejects. */
  async #settle(): Promise<readonly Run[]> {
    const { log, broker } = this.#parts;
    try {
      const { timedOut, cancelled, failed } = await reconcile({
        ...this.#parts,
        isBusy: (sessionId) => this.#runs.isBusy(sessionId),
      });
      for (const { run, unknown } of timedOut) {
        if (unknown.length === 0) continue;
        broker.publish(run.sessionId, run.id, {
          type: 'agent_run.resume_unsafe',
          callIds: unknown,
          ...because(told`It is unknown whether these calls happened; a human decides.`),
        });
      }
      for (const { run, added } of cancelled) {
        this.#left.announceClosed(run, added);
        await this.#dispatcher.hold(run.sessionId);
      }
      this.#tellCounts({ timedOut, cancelled, failed });
      return timedOut.map(({ run }) => run);
    } catch (error) {
      log.error('Looking for runs that were left behind failed; it is tried again soon.', error);
      return [];
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
      this.#parts.broker.publish(sessionId, settled.at(-1)?.run.id ?? '', {
        type,
        timedOut: timedOut.filter(own).length,
        failed: failed.filter((id) => id === sessionId).length,
        cancelled: cancelled.filter(own).length,
      });
    }
    if (sessions.size === 0)
      this.#parts.broker.publish('', '', { type, timedOut: 0, failed: 0, cancelled: 0 });
  }

  async #leftBehind(runId: string): Promise<{ run: Run; handoff: Handoff }> {
    const run = await this.#parts.runs.run(runId);
    if (run !== undefined) await this.#runs.lease.refuseElsewhere(run.sessionId);
    const handoff = run === undefined ? undefined : await this.of(run.sessionId);
    if (run === undefined || handoff === undefined || handoff.run.id !== runId)
      throw nothingToResume();
    return { run, handoff };
  }
}
