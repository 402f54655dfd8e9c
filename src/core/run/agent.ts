import { BelayError, failureOf } from '../../domain/failure.ts';
import type { Run, RunEnd, RunState } from '../../domain/run.ts';
import { AFTER_NEXT_MESSAGE } from '../../domain/session-values.ts';
import type { QueuedMessage, Session } from '../../domain/session.ts';
import { ActiveRuns } from './active-runs.ts';
import type { ActiveRun } from './active-runs.ts';
import type {
  AgentService,
  Handoff,
  SendRequest,
  SessionOptions,
  UnknownDecision,
} from './agent-service.ts';
import { applyDecisions, nothingToResume, readHandoff } from './handoff.ts';
import type { HandoffPorts } from './handoff.ts';
import { Lanes } from './lanes.ts';
import { AbandonedRuns } from './abandoned-runs.ts';
import type { StartRunPorts } from './start-run.ts';
import { DAMAGED_TEXT } from './opening.ts';
import type { Opening } from './opening.ts';
import type { Disposable } from '../../domain/disposable.ts';
import type { Leases } from '../ports/store/leases.ts';
import type { RunRecords } from '../ports/store/run-records.ts';
import { SessionLease } from './session-lease.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { SessionSummaries } from '../session/session-summaries.ts';

/** Milliseconds between two heartbeats of the running runs (C8). */
const HEARTBEAT_MS = 10_000;
/**
 * Milliseconds between two looks for stale runs: C8 wants them at start and every 5 minutes, C6 a paused
 * run with a stop request settled within 3.
 */
const RECONCILE_MS = 150_000;

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

export interface AgentParts extends Omit<StartRunPorts, 'takeSteering' | 'putBackSteering'> {
  readonly runs: RunRecords;
  readonly leases: Leases;
  readonly sessions: SessionRegistry;
  readonly summaries: Pick<SessionSummaries, 'summarize' | 'undo'>;
  readonly promptHash: HandoffPorts['promptHash'];
  /** A part of the record was lost, and it is not known which. */
  readonly isDamaged: () => boolean;
  readonly stopAbandoned: (group: {
    readonly pid: number;
    readonly birth: string;
  }) => Promise<boolean>;
  /** What belongs to a session outside the store ends with it. */
  readonly forgotten?: (sessionId: string) => Promise<void>;
  /** Told after each run of a session: titles, indexes. Never awaited. */
  readonly titled: (session: Session, text: string) => void;
}

/** A session that is held. */
export interface Held {
  /** Ends the run that was left behind in it: its open calls get results, its broken answer is kept. */
  giveUp(): Promise<void>;
}

/** The agent service (B1): lanes, one run a session, resume, and nothing that knows a model or a tool. */
export class Agent implements AgentService {
  readonly #parts: AgentParts;
  readonly #active = new ActiveRuns();
  readonly #lease: SessionLease;
  readonly #left: AbandonedRuns;
  readonly #lanes: Lanes;
  readonly #timers: readonly Disposable[];
  #closing = false;

  /** `queued`: what earlier processes left in the lanes. Call `start` once the subscribers listen. */
  constructor(parts: AgentParts, queued: readonly QueuedMessage[]) {
    this.#parts = parts;
    this.#lease = new SessionLease(parts);
    this.#left = new AbandonedRuns(parts);
    this.#lanes = new Lanes({
      recorder: parts.recorder,
      ids: parts.ids,
      clock: parts.clock,
      changed: (sessionId) =>
        parts.broker.publish(sessionId, '', {
          type: 'session.queue',
          queued: this.queued(sessionId),
        }),
    });
    this.#lanes.restore(queued);
    this.#timers = [
      parts.clock.every(HEARTBEAT_MS, () => void this.#beat()),
      parts.clock.every(RECONCILE_MS, () => void this.reconcile()),
    ];
  }

  /** Marks what crashed processes left behind as timed out, and offers it for resume (C8). Never rejects. */
  async reconcile(): Promise<void> {
    await this.#left.settle((sessionId) => this.isSessionBusy(sessionId));
  }

  /** Starts what was queued when its process died, where no run waits to be resumed first (C7). */
  async resumeQueues(): Promise<void> {
    try {
      for (const sessionId of this.#lanes.waiting()) {
        if (!(await this.#lease.isElsewhere(sessionId))) await this.#resumeQueue(sessionId);
      }
    } catch (error) {
      this.#parts.log.error('Queued messages could not be sent yet; they stay queued.', error);
    }
  }

  /** Lets the next queued message go, unless the person is asked first: what to do with a run, whether to go on. */
  async #resumeQueue(sessionId: string): Promise<void> {
    if (this.queued(sessionId).length === 0) return;
    if (await this.#parts.sessions.isHeld(sessionId)) return;
    if ((await this.#left.run(sessionId)) === undefined) void this.#dispatch(sessionId);
  }

  /** Another window has written: what is queued in sessions that are not at work here may have changed. */
  async refreshQueues(): Promise<void> {
    try {
      const stored = Map.groupBy(await this.#parts.runs.queued(), ({ sessionId }) => sessionId);
      for (const sessionId of new Set([...this.#lanes.waiting(), ...stored.keys()])) {
        if (!this.isSessionBusy(sessionId))
          this.#lanes.refresh(sessionId, stored.get(sessionId) ?? []);
      }
    } catch (error) {
      this.#parts.log.warn('The queues could not be read again.', { reason: String(error) });
    }
  }

  async createSession(options?: SessionOptions): Promise<Session> {
    return this.#parts.sessions.create(options);
  }

  async setOptions(sessionId: string, options: SessionOptions): Promise<void> {
    await this.#parts.sessions.setOptions(sessionId, options);
  }

  optionsOf(sessionId: string): Required<SessionOptions> {
    return this.#parts.sessions.optionsOf(sessionId);
  }

  async rename(sessionId: string, title: string): Promise<void> {
    await this.#parts.sessions.rename(sessionId, title);
  }

  async deleteSession(sessionId: string): Promise<void> {
    await this.#lease.refuseElsewhere(sessionId);
    this.cancel(sessionId);
    await this.settled(sessionId);
    this.#lanes.forget(sessionId);
    await this.#parts.forgotten?.(sessionId);
    await this.#parts.sessions.delete(sessionId);
  }

  async send(
    sessionId: string,
    request: SendRequest,
  ): Promise<{ readonly runId?: string; readonly queuedId?: string }> {
    const { text, attachments = [], how = 'queue' } = request;
    if (text.trim() === '' && attachments.length === 0) {
      throw new BelayError({
        code: 'invalid',
        message: 'The message is empty. Type something, or attach a file.',
      });
    }
    const waiting = this.queued(sessionId).length > 0;
    if (waiting && !this.isSessionBusy(sessionId)) await this.#lease.refuseElsewhere(sessionId);
    const held = waiting ? await this.#parts.sessions.release(sessionId) : undefined;
    // What waits goes first, unless it was written for later.
    if (waiting || this.isSessionBusy(sessionId)) {
      const mode = how === 'steer' ? 'steer' : 'queue';
      const place = how === 'stop_and_send' || held === AFTER_NEXT_MESSAGE ? 'first' : 'last';
      const queued = await this.#lanes.add(sessionId, text, attachments, mode, place);
      if (how === 'stop_and_send') this.cancel(sessionId);
      // The run may have ended while the message was written.
      void this.#dispatch(sessionId);
      return { queuedId: queued.id };
    }
    return { runId: await this.#begin(sessionId, { kind: 'message', text, attachments }) };
  }

  async continueRun(sessionId: string): Promise<{ readonly runId: string }> {
    return { runId: await this.#begin(sessionId, { kind: 'continue' }) };
  }

  async settled(sessionId: string): Promise<RunEnd | undefined> {
    return this.#active.of(sessionId)?.settled;
  }

  cancel(sessionId: string): void {
    const active = this.#active.of(sessionId);
    if (active === undefined || active.abort.signal.aborted) return;
    this.#parts.broker.publish(sessionId, active.runId ?? '', { type: 'agent_run.stopping' });
    active.abort.abort('canceled');
  }

  retryNow(sessionId: string): boolean {
    return this.#active.of(sessionId)?.waits.skip() ?? false;
  }

  /** Stops a run for a human who is not there; its open calls stay open for a resume. */
  suspend(sessionId: string): void {
    this.#active.of(sessionId)?.abort.abort('needs_human');
  }

  isSessionBusy(sessionId: string): boolean {
    return this.#active.of(sessionId) !== undefined;
  }

  isBusy(): boolean {
    return this.#active.size > 0;
  }

  async summarize(sessionId: string, wish = ''): Promise<void> {
    const { summaries } = this.#parts;
    const active = this.#active.occupy(sessionId, 'summary', async ({ abort }) => {
      const { signal } = abort;
      await this.#lease.hold(sessionId, async () =>
        summaries.summarize(sessionId, this.optionsOf(sessionId), wish, signal),
      );
      return undefined;
    });
    await active.settled.finally(() => void this.#dispatch(sessionId));
  }

  async undoCompaction(sessionId: string, compactionId: string): Promise<void> {
    await this.#parts.summaries.undo(sessionId, compactionId);
  }

  queued(sessionId: string): readonly QueuedMessage[] {
    return this.#lanes.list(sessionId);
  }

  async editQueued(id: string, text: string): Promise<void> {
    await this.#lanes.edit(id, text);
  }

  async removeQueued(id: string): Promise<void> {
    await this.#lanes.remove(id);
  }

  async moveQueued(id: string, index: number): Promise<void> {
    await this.#lanes.move(id, index);
  }

  async handoff(sessionId: string): Promise<Handoff | undefined> {
    if (this.isSessionBusy(sessionId)) return undefined;
    if (await this.#lease.isElsewhere(sessionId)) return undefined;
    return readHandoff(sessionId, this.#parts);
  }

  /** Another living process works on the session; here it can only be watched. */
  async isElsewhere(sessionId: string): Promise<boolean> {
    return this.#lease.isElsewhere(sessionId);
  }

  async resume(runId: string, decisions: Readonly<Record<string, UnknownDecision>>): Promise<void> {
    const { run, handoff } = await this.#leftBehind(runId);
    await applyDecisions(handoff, decisions, this.#parts);
    const checkpoint = await this.#parts.runs.latestCheckpoint(runId);
    const note = this.#parts.isDamaged() ? { note: DAMAGED_TEXT } : {};
    await this.#begin(run.sessionId, { kind: 'resume', run, checkpoint, ...note });
  }

  async discard(runId: string): Promise<void> {
    const { run, handoff } = await this.#leftBehind(runId);
    const { sessionId } = run;
    const active = this.#active.occupy(sessionId, 'discard', async () => {
      await this.#lease.hold(sessionId, async () => this.#left.discard(run, handoff));
      return undefined;
    });
    await active.settled.finally(() => void this.#dispatch(sessionId));
  }

  /**
   * Does something while nothing else works in the session, here or in another window, and gives what it
   * gave. What a crash left behind stays as it is, unless `work` gives it up. Rejects with `busy`.
   */
  async hold<Value>(sessionId: string, work: (held: Held) => Promise<Value>): Promise<Value> {
    const done = Promise.withResolvers<Value>();
    const held: Held = { giveUp: async () => this.#left.giveWay(sessionId) };
    const active = this.#active.occupy(sessionId, 'change', async () => {
      try {
        done.resolve(await this.#lease.hold(sessionId, async () => work(held)));
      } catch (error) {
        done.reject(error);
      }
      return undefined;
    });
    try {
      return await done.promise;
    } finally {
      await active.settled;
      await this.#resumeQueue(sessionId).catch((error: unknown) =>
        this.#parts.log.error('Queued messages could not be sent yet; they stay queued.', error),
      );
    }
  }

  async dispose(): Promise<void> {
    this.#closing = true;
    for (const timer of this.#timers) timer.dispose();
    const active = this.#active.all();
    for (const { abort } of active) abort.abort('shutdown');
    await Promise.allSettled(active.map(async ({ settled }) => settled));
    await this.#parts.recorder.flush();
  }

  async #leftBehind(runId: string): Promise<{ run: Run; handoff: Handoff }> {
    const run = await this.#parts.runs.run(runId);
    if (run !== undefined) await this.#lease.refuseElsewhere(run.sessionId);
    const handoff = run === undefined ? undefined : await this.handoff(run.sessionId);
    if (run === undefined || handoff === undefined || handoff.run.id !== runId)
      throw nothingToResume();
    return { run, handoff };
  }

  /** Occupies the session, runs, and lets the next queued message go. Resolves when the opening is on disk. */
  async #begin(sessionId: string, opening: Opening): Promise<string> {
    const begun = Promise.withResolvers<string>();
    const active = this.#active.occupy(sessionId, 'run', async (entry) => {
      try {
        return await this.#lease.hold(sessionId, async () =>
          this.#launch(sessionId, opening, entry, begun.resolve),
        );
      } catch (error) {
        begun.reject(error);
        return undefined;
      }
    });
    void this.#dispatchAfter(active);
    return begun.promise;
  }

  async #launch(
    sessionId: string,
    opening: Opening,
    active: ActiveRun,
    begun: (runId: string) => void,
  ): Promise<RunEnd> {
    const session = await this.#parts.sessions.get(sessionId);
    if (opening.kind === 'message' && opening.queuedId !== undefined)
      await this.#refuseSent(sessionId, opening.queuedId);
    if (opening.kind !== 'resume') await this.#left.giveWay(sessionId);
    const first = session.messageCount === 0;
    // What drives a run is loaded with the first one.
    const { startRun } = await import('./start-run.ts');
    await this.#parts.sessions.keepModel(sessionId);
    const options = this.optionsOf(sessionId);
    return startRun(
      {
        session,
        options,
        opening,
        active,
        begun: (runId) => {
          begun(runId);
          if (first && opening.kind === 'message') this.#parts.titled(session, opening.text);
        },
      },
      {
        ...this.#parts,
        takeSteering: (id) => this.#lanes.takeSteering(id),
        putBackSteering: (queued) => this.#lanes.putBack(...queued),
      },
    );
  }

  /** A queued message may have been sent by a window that has died since. */
  async #refuseSent(sessionId: string, queuedId: string): Promise<void> {
    const stored = await this.#parts.runs.queued(sessionId);
    if (stored.some(({ id }) => id === queuedId)) return;
    throw new BelayError({
      code: 'not_found',
      message: 'This queued message was sent already.',
      details: { queuedId },
    });
  }

  async #dispatchAfter({ sessionId, settled }: ActiveRun): Promise<void> {
    const end = await settled;
    if (end !== undefined && TERMINAL[end.state]) await this.#dispatch(sessionId);
  }

  /** Starts the next queued message of a free session; one that cannot start stays queued (C7). Never rejects. */
  async #dispatch(sessionId: string): Promise<void> {
    if (this.#closing || this.isSessionBusy(sessionId)) return;
    const next = this.#lanes.takeNext(sessionId);
    if (next === undefined) return;
    const { text, attachments, id } = next;
    try {
      await this.#begin(sessionId, { kind: 'message', text, attachments, queuedId: id });
    } catch (error) {
      if (failureOf(error).details?.['queuedId'] === id) {
        await this.refreshQueues();
        await this.#dispatch(sessionId);
        return;
      }
      this.#lanes.putBack(next);
      this.#parts.log.error('A queued message could not be started; it stays queued.', error);
      const failure = failureOf(error);
      this.#parts.broker.publish(sessionId, '', {
        type: 'agent_run.dispatch_next_failed',
        failure,
      });
    }
  }

  async #beat(): Promise<void> {
    const running = this.#active.all().flatMap(({ runId }) => (runId === undefined ? [] : [runId]));
    if (running.length === 0) return;
    const { runs, leases, clock, log } = this.#parts;
    try {
      await Promise.all([runs.heartbeat(running, clock.now()), leases.renew()]);
    } catch (error) {
      log.warn('A heartbeat could not be written.', { reason: String(error) });
    }
  }
}
