import type { Checkpoint, LedgerEntry, LedgerState, Run, RunState } from '../../../domain/run.ts';
import type { QueuedMessage } from '../../../domain/session/session.ts';

/** Runs, checkpoints and the ledger, for resume and reconciliation (C8, C9). */
export interface RunRecords {
  run(runId: string): Promise<Run | undefined>;
  runs(filter: {
    readonly sessionId?: string;
    readonly states?: readonly RunState[];
  }): Promise<readonly Run[]>;
  latestCheckpoint(runId: string): Promise<Checkpoint | undefined>;
  ledger(filter: {
    readonly runId?: string;
    readonly sessionId?: string;
    readonly states?: readonly LedgerState[];
  }): Promise<readonly LedgerEntry[]>;
  ledgerEntry(runId: string, callId: string): Promise<LedgerEntry | undefined>;
  queued(sessionId?: string): Promise<readonly QueuedMessage[]>;
  /** Updates the heartbeat of running runs; cheap, not awaited by the loop. */
  heartbeat(runIds: readonly string[], at: number): Promise<void>;
  /** Unfinished runs without a living owner, idle for so long either way; `0`: all. */
  abandoned(olderThanMs: number): Promise<readonly Run[]>;
}
