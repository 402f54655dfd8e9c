import { fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import { AFTER_NEXT_MESSAGE } from '../../domain/session/session-values.ts';
import type { Attachment, QueuedMessage } from '../../domain/session/session.ts';
import { AbandonedRuns } from './recovery/abandoned-runs.ts';
import { ActiveRuns } from './active-runs.ts';
import type { AgentParts } from './agent-parts.ts';
import type { AgentService, SendRequest } from './agent-service.ts';
import { ChildRuns } from './child-runs.ts';
import { Dispatcher, ofParent } from './dispatcher.ts';
import { Lanes } from './session/lanes.ts';
import { RunHandoffs } from './recovery/run-handoffs.ts';
import { SessionRemoval } from './session/session-removal.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { SessionRegistry } from '../session/session-registry.ts';

/** Milliseconds between two heartbeats of the running runs (C8). */
const HEARTBEAT_MS = 10_000;
/**
 * Milliseconds between two looks for stale runs: C8 wants them at start and every 5 minutes, C6 a paused
 * run with a stop request settled within 3.
 */
const RECONCILE_MS = 150_000;

/** A session that is held. */
export interface Held {
  /** Ends the run that was left behind in it: its open calls get results, its broken answer is kept. */
  giveUp(): Promise<void>;
}

/** The agent service (B1): lanes, one run a session, resume, and nothing that knows a model or a tool. */
export class Agent implements AgentService {
  readonly sessions: Omit<SessionRegistry, 'delete'>;
  readonly queue: Lanes;
  readonly runs: ActiveRuns;
  readonly handoffs: RunHandoffs;
  readonly children: ChildRuns;
  readonly removal: SessionRemoval;
  readonly compaction: AgentService['compaction'];
  readonly #parts: AgentParts;
  readonly #left: AbandonedRuns;
  readonly #dispatcher: Dispatcher;
  readonly #timers: Disposable[];

  /** `queued`: what earlier processes left in the lanes. Call `start` once the subscribers listen. */
  constructor(parts: AgentParts, queued: readonly QueuedMessage[]) {
    this.#parts = parts;
    this.sessions = parts.sessions;
    this.runs = new ActiveRuns({
      ...parts,
      holdQueue: async (sessionId, isStopped) => this.#dispatcher.hold(sessionId, isStopped),
    });
    this.queue = new Lanes(
      { ...parts, isBusy: (sessionId) => this.runs.isBusy(sessionId) },
      queued,
    );
    this.#left = new AbandonedRuns(parts);
    this.#dispatcher = new Dispatcher(parts, this.runs, this.queue, this.#left);
    this.handoffs = new RunHandoffs(parts, this.runs, this.#left, this.#dispatcher);
    this.children = new ChildRuns(parts, this.runs, this.#dispatcher);
    this.removal = new SessionRemoval(
      parts,
      this.runs,
      this.queue,
      (sessionId) => void this.#dispatcher.resumeQueue(sessionId),
    );
    const { sessions, summaries } = parts;
    this.compaction = {
      summarize: async (sessionId, wish = '') => this.#summarize(sessionId, wish),
      undo: async (sessionId, compactionId) => summaries.undo(sessionId, compactionId),
      shares: async (sessionId) => summaries.shares(sessionId, sessions.optionsOf(sessionId)),
    };
    this.#timers = [
      parts.clock.every(HEARTBEAT_MS, () => void this.#beat()),
      parts.clock.every(RECONCILE_MS, () => void this.handoffs.reconcile()),
    ];
  }

  /** Settles or resumes what crashed processes left behind, and starts what they had queued. Never rejects. */
  async start(): Promise<void> {
    await this.handoffs.resumeAfterStart();
    await this.#dispatcher.resumeQueues();
    const followUps = await this.#parts.followUps?.start(async () => this.#wake());
    if (followUps !== undefined) this.#timers.push(followUps);
  }

  async send(
    sessionId: string,
    request: SendRequest,
  ): Promise<{ readonly runId?: string; readonly queuedId?: string }> {
    const { text, attachments: given = [], how = 'queue' } = request;
    if (text.trim() === '' && given.length === 0) {
      throw fault('invalid', told`The message is empty. Type something, or attach a file.`);
    }
    if (this.runs.of(sessionId)?.kind === 'child') throw ofParent();
    const isStopping = this.runs.of(sessionId)?.abort.signal.aborted === true;
    // A message that is sent after a stop is not held.
    if (isStopping) this.runs.cancel(sessionId, 'send');
    const attachments = await this.#recorded(sessionId, given);
    const waiting = this.queue.list(sessionId).length > 0;
    if (waiting && !this.runs.isBusy(sessionId)) await this.runs.lease.refuseElsewhere(sessionId);
    const held = await this.#parts.sessions.release(sessionId);
    this.queue.pause(sessionId, false);
    // Waiting messages go first, unless they were written for later; and other sessions that wait for their turn.
    if (waiting || this.runs.isBusy(sessionId) || this.runs.turns.isFull()) {
      const mode = how === 'steer' ? 'steer' : 'queue';
      const isNext = how === 'stop_and_send' || isStopping || held === AFTER_NEXT_MESSAGE;
      const place = isNext ? 'first' : 'last';
      const queued = await this.queue.add(sessionId, text, attachments, mode, place);
      if (how === 'stop_and_send') this.runs.cancel(sessionId, 'send');
      // The run may have ended while the message was written.
      void this.#dispatcher.next(sessionId);
      return { queuedId: queued.id };
    }
    return {
      runId: await this.#dispatcher.begin(sessionId, { kind: 'message', text, attachments }),
    };
  }

  /** Sends what was held in a session's queue, in its order, when the session is free. */
  async sendQueued(sessionId: string): Promise<void> {
    await this.#parts.sessions.release(sessionId);
    this.#parts.broker.publish(sessionId, '', {
      type: 'session.queue',
      queued: this.queue.list(sessionId),
    });
    await this.#dispatcher.resumeQueue(sessionId);
  }

  /** Files under ids of our own; one of an earlier message, which comes without content, has its record. */
  async #recorded(sessionId: string, given: readonly Attachment[]): Promise<readonly Attachment[]> {
    const { ids, attachment: recordOf } = this.#parts;
    return Promise.all(
      given.map(async (one): Promise<Attachment> => {
        if (one.mention !== undefined) return one;
        const known = await recordOf(sessionId, one.id);
        if (known !== undefined) return { ...known, ...one };
        return { ...one, id: ids.next('attachment') };
      }),
    );
  }

  async continueRun(sessionId: string): Promise<{ readonly runId: string }> {
    this.#dispatcher.refuseFull();
    return { runId: await this.#dispatcher.begin(sessionId, { kind: 'continue' }) };
  }

  async #summarize(sessionId: string, wish: string): Promise<void> {
    const options = this.sessions.optionsOf(sessionId);
    const { settled } = this.runs.occupy(sessionId, 'summary', async ({ abort }) => {
      await this.#parts.summaries.summarize(sessionId, options, wish, abort.signal);
      return undefined;
    });
    await settled.finally(() => void this.#dispatcher.next(sessionId));
  }

  /**
   * Does something while nothing else works in the session, here or in another window, and gives what it
   * gave. What a crash left behind stays as it is, unless `work` gives it up. Rejects with `busy`.
   */
  async hold<Value>(sessionId: string, work: (held: Held) => Promise<Value>): Promise<Value> {
    const done = Promise.withResolvers<Value>();
    const { settled } = this.runs.occupy(sessionId, 'change', async () => {
      done.resolve(await work({ giveUp: async () => this.#left.giveWay(sessionId) }));
      return undefined;
    });
    try {
      await settled;
      return await done.promise;
    } finally {
      await this.#dispatcher.resumeQueue(sessionId);
    }
  }

  async dispose(): Promise<void> {
    this.#dispatcher.close();
    for (const timer of this.#timers) timer.dispose();
    const active = this.runs.all();
    for (const { abort } of active) abort.abort('shutdown');
    await Promise.allSettled(active.map(async ({ settled }) => settled));
    await this.#parts.recorder.flush();
  }

  /** Starts follow-ups that came into the queues of sessions that are free. */
  async #wake(): Promise<void> {
    await this.queue.refresh();
    for (const sessionId of this.queue.waiting()) {
      const isTheirs = this.queue.list(sessionId).some(({ origin }) => origin === 'followup');
      if (isTheirs && !this.runs.isBusy(sessionId)) await this.#dispatcher.resumeQueue(sessionId);
    }
  }

  async #beat(): Promise<void> {
    // More may be on since the setting was changed.
    void this.#dispatcher.proceed();
    // A summary has no run, but it needs its lease as well.
    if (!this.runs.isAnyBusy()) return;
    const running = this.runs.all().flatMap(({ runId }) => (runId === undefined ? [] : [runId]));
    const { runs, leases, clock, log } = this.#parts;
    try {
      await Promise.all([runs.heartbeat(running, clock.now()), leases.renew()]);
    } catch (error) {
      log.warn('A heartbeat could not be written.', { reason: String(error) });
    }
  }
}
