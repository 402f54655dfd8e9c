import * as l10n from '@vscode/l10n';
import type { Agent } from '../core/run/agent.ts';
import type { DetachedRuns } from '../core/run/detached-runs.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Log } from '../core/ports/log.ts';
import type { RunRecords } from '../core/ports/store/run-records.ts';
import type { Disposable } from '../domain/lifetime/disposable.ts';
import { failureOf, fault, wordsOf } from '../domain/failure.ts';
import { told } from '../domain/text/told.ts';
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
  readonly detached: Pick<DetachedRuns, 'of' | 'wish' | 'wished'>;
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

/** A run on its way to a process. */
interface Leaving {
  /** It waits for the run; `undefined`: it starts. */
  process: WaitingProcess | undefined;
  /** It was told to go on: from now on the run comes back as one that works there. */
  given: boolean;
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
  /** Resolve when a run has arrived where it goes. */
  readonly #ways = new Map<string, Promise<void>>();
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
    const { agent, detached, start } = this.#parts;
    if (this.#leaving.has(sessionId)) return;
    if ((await detached.of(sessionId)) !== undefined)
      throw fault('busy', told`This session works in the background already.`);
    if (agent.runs.of(sessionId)?.kind !== 'run')
      throw fault('not_found', told`No run is on in this session that could go on elsewhere.`);
    const leaving: Leaving = { process: undefined, given: false };
    this.#leaving.set(sessionId, leaving);
    this.#changed.fire();
    const stopped = this.#stopped(sessionId, leaving);
    const ready = start(sessionId);
    this.#ways.set(sessionId, this.#leave(sessionId, leaving, { ready, stopped }));
    await ready;
  }

  /** Lets a run go on here: one that has not left yet stays, another one stops after its step there. */
  async takeBack(sessionId: string): Promise<void> {
    const { agent, detached } = this.#parts;
    const leaving = this.#leaving.get(sessionId);
    if (leaving?.given === false) {
      agent.runs.handOver(sessionId, false);
      leaving.process?.end();
      this.#arrived(sessionId);
      return;
    }
    if (leaving !== undefined) await this.#ways.get(sessionId);
    if (this.#returning.has(sessionId) || agent.runs.isBusy(sessionId)) return;
    if (!(await detached.wish(sessionId, 'return')))
      throw fault('not_found', told`Nothing works on this session in the background any more.`);
    this.#returning.add(sessionId);
    this.#changed.fire();
    this.#ways.set(sessionId, this.#return(sessionId));
  }

  /** Stops the run, wherever it is. */
  async stop(sessionId: string): Promise<void> {
    const { agent, detached } = this.#parts;
    const { runs } = agent;
    if (!runs.isBusy(sessionId) && !(await detached.wish(sessionId, 'stop'))) {
      // It may be between here and there.
      await this.#ways.get(sessionId);
      if (!runs.isBusy(sessionId)) await detached.wish(sessionId, 'stop');
    }
    runs.cancel(sessionId);
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

  /** Never rejects. @param ready a process; where none starts, the run stays here */
  async #leave(
    sessionId: string,
    leaving: Leaving,
    {
      ready,
      stopped,
    }: {
      readonly ready: Promise<WaitingProcess>;
      readonly stopped: Promise<RunState | undefined>;
    },
  ): Promise<void> {
    const leaves = (): boolean => this.#leaves(sessionId, leaving);
    try {
      leaving.process = await ready;
    } catch {
      // Whoever wished it is told.
      if (leaves()) this.#parts.agent.runs.handOver(sessionId, false);
      if (leaves()) this.#arrived(sessionId);
    }
    const hasStopped = (await stopped) === 'running';
    try {
      leaving.given = hasStopped && leaves();
      if (leaving.given) await leaving.process?.goOn();
      else leaving.process?.end();
      // Told to leave once more meanwhile, it goes on where that leads.
      if (hasStopped && !this.#leaving.has(sessionId)) await this.#goOnHere(sessionId);
    } catch (error) {
      const why = wordsOf(failureOf(error));
      this.#tell(l10n.t('The run could not go on in the background: {0}', why));
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
      if (this.#followed.delete(sessionId)) await this.#end(sessionId);
      // One that was stopped meanwhile stays so.
      if ((await detached.wished(sessionId)) === 'return') await this.#goOnHere(sessionId);
    } catch (error) {
      log.error('A run in the background could not be followed on its way back.', error);
    } finally {
      this.#returning.delete(sessionId);
      this.#changed.fire();
    }
  }

  /**
   * Goes on with what was handed over, unless another window was quicker; calls of which nobody knows whether they
   * happened wait for the person. Never rejects.
   */
  async #goOnHere(sessionId: string): Promise<void> {
    const { agent, clock } = this.#parts;
    const { handoffs, runs } = agent;
    try {
      const handoff = await handoffs.of(sessionId);
      if (handoff === undefined) return;
      if (handoff.unknown.length === 0 && handoff.asksAgain !== true)
        await handoffs.resume(handoff.run.id, {});
      else if (handoff.run.state === 'running') await this.#tellEnd(sessionId);
    } catch (error) {
      if (await runs.lease.isElsewhere(sessionId).catch(() => false)) {
        await clock.sleep(RETURN_LOOK);
        await this.#goOnHere(sessionId);
        return;
      }
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
        if (now === undefined) await this.#end(sessionId);
        this.#changed.fire();
      }
    } catch (error) {
      log.warn('Runs in the background could not be looked at.', { reason: String(error) });
    } finally {
      this.#looking = false;
    }
  }

  /** Settles and tells what has ended; a run that was given back goes on in the window that wished it. */
  async #end(sessionId: string): Promise<void> {
    const { detached } = this.#parts;
    const isOpen = (await this.#last(sessionId))?.state === 'running';
    if (!isOpen || (await detached.wished(sessionId)) !== 'return') await this.#tellEnd(sessionId);
  }

  async #tellEnd(sessionId: string): Promise<void> {
    await this.#parts.agent.handoffs.reconcile();
    const run = await this.#last(sessionId);
    // Else somebody has gone on with it.
    if (run?.state !== 'running') this.#ended.fire({ sessionId, run });
  }

  async #last(sessionId: string): Promise<Run | undefined> {
    return (await this.#parts.runs.runs({ sessionId })).at(-1);
  }
}
