import * as l10n from '@vscode/l10n';
import type { Agent } from '../core/run/agent.ts';
import type { DetachedRuns } from '../core/run/detached-runs.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Log } from '../core/ports/log.ts';
import type { RunRecords } from '../core/ports/store/run-records.ts';
import type { Disposable } from '../domain/lifetime/disposable.ts';
import { failureOf, fault, wordsOf } from '../domain/failure.ts';
import { Lifetime } from '../domain/lifetime/lifetime.ts';
import { Listeners } from '../domain/lifetime/listeners.ts';
import type { DetachedState, Run, RunState } from '../domain/run.ts';

/** Milliseconds between two looks at a run that comes back, and at those that go on. */
const RETURN_LOOK = 200;
const LOOK_EVERY = 2000;

/** A process that is ready to go on with a run. */
export interface WaitingProcess {
  /** The run has stopped here; resolves when the process has it. */
  goOn(): Promise<void>;
  /** It is not needed after all. */
  end(): void;
}

export interface BackgroundRunsParts {
  readonly agent: Pick<Agent, 'runs' | 'handoffs'>;
  readonly detached: Pick<DetachedRuns, 'of' | 'wish'>;
  readonly runs: Pick<RunRecords, 'runs'>;
  /** Starts a process; rejects with a sentence where it cannot, or where a session cannot go on without this window. */
  readonly start: (sessionId: string) => Promise<WaitingProcess>;
  /** Other processes have written. */
  readonly onChange: (listener: () => void) => Disposable;
  readonly clock: Clock;
  readonly log: Log;
}

/** The end of a run in the background; `run` says how. */
export interface EndedRun {
  readonly sessionId: string;
  readonly run: Run | undefined;
}

/** A run on its way; `process` waits for it, `undefined`: it starts. */
interface Leaving {
  process: WaitingProcess | undefined;
}

/** Runs that go on in processes of their own, as this window hands them over, follows them and takes them back. */
export class BackgroundRuns implements Disposable {
  readonly #parts: BackgroundRunsParts;
  readonly #lifetime = new Lifetime();
  readonly #changed = this.#lifetime.add(new Listeners());
  readonly #ended = this.#lifetime.add(new Listeners<EndedRun>());
  readonly #failed = this.#lifetime.add(new Listeners<string>());
  /** Sessions whose run stops here after its step. */
  readonly #leaving = new Map<string, Leaving>();
  readonly #returning = new Set<string>();
  /** Sessions that were seen in the background, as they were then. */
  readonly #followed = new Map<string, DetachedState>();
  #looking = false;

  /** Fires when a session leaves, works in the background, or is back. */
  readonly onChange = this.#changed.listen;
  /** Hears of runs that ended in the background. */
  readonly onEnded = this.#ended.listen;
  /** Hears sentences about runs that could not be handed over or taken back. */
  readonly onFailed = this.#failed.listen;

  constructor(parts: BackgroundRunsParts) {
    this.#parts = parts;
    this.#lifetime.add(parts.onChange(() => void this.#look()));
    this.#lifetime.add(
      parts.clock.every(LOOK_EVERY, () => {
        if (this.#followed.size > 0) void this.#look();
      }),
    );
    void this.#look();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  async of(sessionId: string): Promise<DetachedState | undefined> {
    if (this.#leaving.has(sessionId)) return 'leaving';
    if (this.#returning.has(sessionId)) return 'returning';
    return this.#parts.detached.of(sessionId);
  }

  /** It is on its way between this window and a process: nobody is offered to go on with it. */
  isOnItsWay(sessionId: string): boolean {
    const isGiven = this.#leaving.has(sessionId) || this.#returning.has(sessionId);
    return isGiven && !this.#parts.agent.runs.isBusy(sessionId);
  }

  /**
   * Hands the session's run over when its step is done; resolves when a process is ready for it. When the window closes
   * before the step is done, that process goes on with it.
   */
  async handOver(sessionId: string): Promise<void> {
    const { agent, start } = this.#parts;
    if (this.#leaving.has(sessionId)) return;
    if (agent.runs.of(sessionId)?.kind !== 'run')
      throw fault('not_found', l10n.t('No run is on in this session that could go on elsewhere.'));
    const leaving: Leaving = { process: undefined };
    this.#leaving.set(sessionId, leaving);
    this.#changed.fire();
    const stopped = this.#stopped(sessionId, leaving);
    try {
      leaving.process = await start(sessionId);
    } catch (error) {
      agent.runs.handOver(sessionId, false);
      this.#arrived(sessionId);
      void this.#leave(sessionId, leaving, stopped);
      throw error;
    }
    void this.#leave(sessionId, leaving, stopped);
  }

  /** Lets a run go on here: one that has not left yet stays, another one stops after its step there. */
  async takeBack(sessionId: string): Promise<void> {
    const { agent, detached } = this.#parts;
    if (this.#leaving.has(sessionId)) {
      agent.runs.handOver(sessionId, false);
      this.#leaving.get(sessionId)?.process?.end();
      this.#arrived(sessionId);
      return;
    }
    if (this.#returning.has(sessionId)) return;
    await detached.wish(sessionId, 'return');
    this.#returning.add(sessionId);
    this.#changed.fire();
    void this.#return(sessionId);
  }

  /** Stops the run, wherever it is. */
  async stop(sessionId: string): Promise<void> {
    const { agent, detached } = this.#parts;
    if (agent.runs.isBusy(sessionId)) agent.runs.cancel(sessionId);
    else if ((await detached.of(sessionId)) !== undefined) await detached.wish(sessionId, 'stop');
    this.#changed.fire();
  }

  /** Lets the run stop after its step; gives the state in which it stopped, or came to its end before. Never rejects. */
  async #stopped(sessionId: string, leaving: Leaving): Promise<RunState | undefined> {
    const { runs } = this.#parts.agent;
    for (;;) {
      runs.handOver(sessionId);
      const end = await runs.settled(sessionId);
      // Behind a run that came to its end, the one that was queued leaves in its place.
      if (!runs.isBusy(sessionId) || !this.#leaves(sessionId, leaving)) return end?.state;
    }
  }

  /** It was not taken back. */
  #leaves(sessionId: string, leaving: Leaving): boolean {
    return this.#leaving.get(sessionId) === leaving;
  }

  /** Never rejects. */
  async #leave(
    sessionId: string,
    leaving: Leaving,
    stopped: Promise<RunState | undefined>,
  ): Promise<void> {
    const leaves = (): boolean => this.#leaves(sessionId, leaving);
    const hasStopped = (await stopped) === 'running';
    try {
      if (hasStopped && leaves()) await leaving.process?.goOn();
      else leaving.process?.end();
      // Told to leave once more meanwhile, it goes on where that leads.
      if (hasStopped && !this.#leaving.has(sessionId)) await this.#goOnHere(sessionId);
    } catch (error) {
      const why = wordsOf(failureOf(error));
      if (leaves()) this.#tell(l10n.t('The run could not go on in the background: {0}', why));
      await this.#goOnHere(sessionId);
    } finally {
      if (leaves()) this.#arrived(sessionId);
    }
    void this.#look();
  }

  /** Never rejects. */
  async #return(sessionId: string): Promise<void> {
    const { detached, clock, log } = this.#parts;
    try {
      while ((await detached.of(sessionId)) !== undefined) await clock.sleep(RETURN_LOOK);
      this.#followed.delete(sessionId);
      await this.#goOnHere(sessionId);
    } catch (error) {
      log.error('A run in the background could not be followed on its way back.', error);
    } finally {
      this.#returning.delete(sessionId);
      this.#changed.fire();
    }
  }

  /** Goes on with what was handed over; calls of which nobody knows whether they happened wait for the person. Never rejects. */
  async #goOnHere(sessionId: string): Promise<void> {
    const { handoffs } = this.#parts.agent;
    try {
      const handoff = await handoffs.of(sessionId);
      if (handoff?.unknown.length === 0 && handoff.asksAgain !== true)
        await handoffs.resume(handoff.run.id, {});
    } catch (error) {
      this.#tell(l10n.t('The run could not be taken back: {0}', wordsOf(failureOf(error))));
    }
  }

  #arrived(sessionId: string): void {
    this.#leaving.delete(sessionId);
    this.#changed.fire();
  }

  #tell(sentence: string): void {
    this.#parts.log.error(sentence);
    this.#failed.fire(sentence);
  }

  /** Follows runs that other processes have; what has ended is settled and told. Never rejects. */
  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    const { detached, runs, log } = this.#parts;
    try {
      const open = await runs.runs({ states: ['running', 'waiting_on_human'] });
      const sessions = new Set([...open.map((run) => run.sessionId), ...this.#followed.keys()]);
      for (const sessionId of sessions) {
        const before = this.#followed.get(sessionId);
        const now = await detached.of(sessionId);
        if (now === before) continue;
        if (now === undefined) this.#followed.delete(sessionId);
        else this.#followed.set(sessionId, now);
        // One that was taken back goes on in the window that wished it.
        if (now === undefined && before !== 'returning') await this.#end(sessionId);
        this.#changed.fire();
      }
    } catch (error) {
      log.warn('Runs in the background could not be looked at.', { reason: String(error) });
    } finally {
      this.#looking = false;
    }
  }

  async #end(sessionId: string): Promise<void> {
    const { agent, runs } = this.#parts;
    await agent.handoffs.reconcile();
    const run = (await runs.runs({ sessionId })).at(-1);
    if (!agent.runs.isBusy(sessionId)) this.#ended.fire({ sessionId, run });
  }
}
