import type { Failure } from './failure.ts';
import type { Json, JsonObject } from './data/json.ts';

/** States of a run. The last four are terminal; `timed_out` may be resumed (C8). */
export type RunState =
  | 'queued'
  | 'running'
  | 'waiting_on_human'
  | 'completed'
  | 'cancelled'
  | 'failed'
  | 'timed_out';

/** The reason why a run ended, or paused. */
export type RunEndReason =
  | 'done'
  | 'canceled'
  | 'max_iterations'
  | 'time_limit'
  | 'budget'
  | 'context_limit'
  | 'denied'
  | 'needs_human'
  | 'failure';

export interface RunEnd {
  readonly reason: RunEndReason;
  readonly state: RunState;
  readonly failure?: Failure;
  /** True when "Continue" makes sense: the cap, a limit, a failure that may pass. */
  readonly canContinue: boolean;
}

export interface Run {
  readonly id: string;
  readonly sessionId: string;
  readonly state: RunState;
  readonly iteration: number;
  readonly model: string;
  readonly mode: string;
  /** The persona in force; absent: none. */
  readonly persona?: string;
  readonly end?: RunEnd;
  readonly cancelRequested: boolean;
  readonly resumeAvailable: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly heartbeatAt: number;
  readonly endedAt?: number;
}

/**
 * A run in the background: still in its window, until the step at hand is done; in a process of its own; and there told
 * to stop, or to give the run back after its step.
 */
export type DetachedState = 'leaving' | 'working' | 'stopping' | 'returning';

/** A checkpoint's place; decides whether a run may be resumed (C8). */
export type CheckpointKind =
  | 'input'
  | 'llm_response'
  | 'tool_result'
  | 'compaction'
  | 'journal_update'
  | 'human_pause'
  | 'final';

/** The loop's state at a safe boundary (C8). */
export interface Checkpoint {
  readonly runId: string;
  readonly sessionId: string;
  /** 0, 1, 2 … within the run; 0 is the opening’s. */
  readonly number: number;
  readonly kind: CheckpointKind;
  readonly iteration: number;
  /** `seq` of the last message that is on disk. */
  readonly messageCursor: number;
  readonly messageCount: number;
  /** Hash of the system prompt and the tools; drift waits for the human. */
  readonly promptHash: string;
  /** Of the turn; those of the whole run are in the ledger. */
  readonly finishedCallIds: readonly string[];
  readonly policyStates: JsonObject;
  /** The loop's own state: active time, forced tool, last turn flag. */
  readonly loop: LoopCarry;
}

/** The loop's own counters; per run (C14). */
export interface LoopCarry {
  /** Milliseconds of work; time waiting for the human is not in it (C5). */
  readonly activeMs: number;
  /** The tool the next model call must use (C13); `none` forbids tools. */
  readonly forceTool?: string;
  /** The newest compaction of the run, for the policies that judge it. */
  readonly lastCompaction?: CompactionAttempt;
}

/** The reason for a compaction: C3's threshold, C4's deep prune, D2's guard, provider, person. */
export type CompactionReason =
  | 'threshold'
  | 'deep_prune'
  | 'context_guard'
  | 'context_overflow'
  | 'requested';

/** One compaction within a run; also one that found nothing to compact (`tokensAfter = tokensBefore`). */
export interface CompactionAttempt {
  /** 1, 2, 3 … within the run. */
  readonly number: number;
  readonly iteration: number;
  readonly depth: 'normal' | 'deep';
  readonly reason: CompactionReason;
  /** Both measured in the same way, so that they can be compared. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** States of a tool call in the ledger (C9). */
export type LedgerState =
  | 'pending'
  | 'approved'
  | 'running'
  | 'done'
  | 'failed'
  | 'denied'
  | 'canceled'
  | 'unknown';

/** A process, or the leader of its group, by its number and its birth, so that a reused number is noticed. */
export interface StartedProcess {
  readonly pid: number;
  readonly birth: string;
}

export interface LedgerEntry {
  readonly runId: string;
  readonly sessionId: string;
  readonly callId: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly idempotent: boolean;
  readonly state: LedgerState;
  readonly startedAt?: number;
  readonly completedAt?: number;
  /** The stored result, replayed when the call comes again. */
  readonly result?: Json;
  /** Attempts made (C1). */
  readonly attempts: number;
  /** Process group started by the call, so that it can be found after a crash. */
  readonly process?: StartedProcess;
}
