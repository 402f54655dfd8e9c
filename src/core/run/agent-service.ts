import type { Told } from '../../domain/text/told.ts';
import type { WindowShares } from '../../domain/models/window-shares.ts';
import type { Attachment, QueuedMessage, Session } from '../../domain/session/session.ts';
import type { Part } from '../../domain/message.ts';
import type { LedgerEntry, Run, RunEnd } from '../../domain/run.ts';
import type { ThinkingEffort } from '../../domain/models/model.ts';
import type { RunTurns } from './run-turns.ts';
import type { Mode } from '../tool-call/tool-call.ts';

/** The manner of a message in a busy session (C7); in a free one all three start a run. */
export type SendHow = 'queue' | 'steer' | 'stop_and_send';

export interface SendRequest {
  readonly text: string;
  readonly attachments?: readonly Attachment[];
  readonly how?: SendHow;
}

/** Options of a session, kept with it and changed between runs. */
export interface SessionOptions {
  readonly model?: string;
  readonly mode?: Mode;
  readonly thinking?: ThinkingEffort;
  /** Name of the persona; empty: the cascade decides at the next run. */
  readonly persona?: string;
}

/** The person's decision about a call whose outcome is unknown (durability rule 2). */
export type UnknownDecision = 'happened' | 'run_again' | 'let_model_check';

/** A run that a crash, a limit or a failure left behind: what the handoff card shows. */
export interface Handoff {
  readonly run: Run;
  /** The answer being written when the process died; calls in it have not begun. */
  readonly written: readonly Part[];
  /** Calls whose result is certain. */
  readonly finished: readonly LedgerEntry[];
  /** Calls that had begun, have side effects, and may or may not have happened. */
  readonly unknown: readonly LedgerEntry[];
  /** `false`: not eligible by the rules of C8; `reason` says why. */
  readonly resumable: boolean;
  /** Not eligible because it waited for the human, who may let it go on all the same: it asks again. */
  readonly asksAgain?: boolean;
  readonly reason?: Told;
  /** The system prompt or the tools changed since; resuming needs a yes. */
  readonly promptDrift: boolean;
}

/** The agent service (B1), for every surface; progress comes as events. */
export interface AgentService {
  readonly sessions: {
    create(options?: SessionOptions): Promise<Session>;
    forChannel(
      platform: string,
      channel: string,
      thread: string,
      options?: SessionOptions,
    ): Promise<Session>;
    setOptions(sessionId: string, options: SessionOptions): Promise<void>;
    optionsOf(sessionId: string): Required<SessionOptions>;
    /** True when its queue waits for the user: after a stop, a restore or an import. */
    isHeld(sessionId: string): Promise<boolean>;
    rename(sessionId: string, title: string): Promise<void>;
  };
  /** Messages that wait for their session. */
  readonly queue: {
    list(sessionId: string): readonly QueuedMessage[];
    edit(id: string, text: string): Promise<void>;
    remove(id: string): Promise<void>;
    /** Moves a queued message to a place among the queued ones, 0 first. */
    move(id: string, index: number): Promise<void>;
  };
  /** The runs of this moment. */
  readonly runs: {
    isBusy(sessionId: string): boolean;
    /** True while any session of this process is busy. */
    isAnyBusy(): boolean;
    /** Whose turn it is, where more sessions want to run than may. */
    readonly turns: Pick<RunTurns, 'of'>;
    /** Resolves when the session's present run has ended; at once when there is none. */
    settled(sessionId: string): Promise<RunEnd | undefined>;
    /** Stops the session's run and its summary (C6, D4). Idempotent. */
    cancel(sessionId: string): void;
    /** Ends the wait before the next attempt of a model call. `false`: nothing waits. */
    retryNow(sessionId: string): boolean;
  };
  /** Runs that a crash, a limit or a failure left behind. */
  readonly handoffs: {
    /** The rest of a crash in this session; `undefined` when nothing waits. */
    of(sessionId: string): Promise<Handoff | undefined>;
    resume(runId: string, decisions: Readonly<Record<string, UnknownDecision>>): Promise<void>;
    /** Gives the run up: every outstanding call gets a result, the session can go on. */
    discard(runId: string): Promise<void>;
  };

  /** Records the message durably, then starts a run or queues it. Resolves when it is on disk. */
  send(
    sessionId: string,
    request: SendRequest,
  ): Promise<{ readonly runId?: string; readonly queuedId?: string }>;
  /** Sends what was held in a session's queue, in its order, when the session is free. */
  sendQueued(sessionId: string): Promise<void>;
  /** Goes on after a cap, a limit or a failure (D1), without a new message from the person. */
  continueRun(sessionId: string): Promise<{ readonly runId: string }>;
  readonly compaction: {
    /** Compacts on demand (B11); `wish`: a target in tokens and what to keep (D2). Rejects with `busy` while a run is on. */
    summarize(sessionId: string, wish?: string): Promise<void>;
    /** Takes a compaction back. */
    undo(sessionId: string, compactionId: string): Promise<void>;
    /** Tells what fills the window of a session's next request. */
    shares(sessionId: string): Promise<WindowShares>;
  };
  readonly removal: {
    /** Stops what is on in a session and lets nothing queued begin, until it is brought back. Rejects with `busy` when another window works on it. */
    setAside(sessionId: string): Promise<void>;
    bringBack(sessionId: string): void;
    /** Sets it aside first. */
    delete(sessionId: string): Promise<void>;
  };
  /** Stops all runs and releases everything; resolves when the last record is on disk. */
  dispose(): Promise<void>;
}
