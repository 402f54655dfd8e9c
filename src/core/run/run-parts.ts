import type { RunEventBody } from '../../domain/event.ts';
import type { Run } from '../../domain/run.ts';
import type { Compaction } from '../../domain/session/session.ts';
import type { SessionOptions } from './agent-service.ts';
import type { ContextBuilder } from '../context/builder.ts';
import type { ScheduledCompaction } from '../context/compaction/scheduled-compaction.ts';
import type { ModelCall } from '../model-call/model-call.ts';
import type { Policy } from '../policy.ts';
import type { RunRecorder } from './patient-recorder.ts';
import type { RunTools } from '../tool-call/offered-tools.ts';
import type { ToolCall, ToolContext } from '../tool-call/tool-call.ts';

/** A run's parts, made for its session and options when it starts. */
export interface RunParts {
  readonly tools: RunTools;
  readonly modelCall: ModelCall;
  readonly toolCall: ToolCall;
  readonly policies: readonly Policy[];
  readonly builder: ContextBuilder;
  readonly compactor: ScheduledCompaction;
  /** Tokens. */
  readonly contextLimit: number;
  /** The place and the person for tools; no ids where the person's database cannot be read. */
  readonly context: Pick<ToolContext, 'roots' | 'refuseReplaced' | 'userId' | 'workspaceId'>;
  /** Read-only calls that run at the same time (E2). */
  readonly parallelCalls: number;
  /** Milliseconds of work after which the run is stopped (C5). */
  readonly hardTimeLimitMs: number;
  /** Ends a summary under way. */
  dispose(): void;
  /** Lets go of what the process held for the run: ledger rows, the list of its tools. */
  release(): void;
}

/** Makes the parts of a run; the one place where all wrappers and policies come together. */
export type PrepareRun = (start: {
  readonly run: Run;
  readonly options: Required<SessionOptions>;
  readonly compaction: Compaction | undefined;
  /** `true`: the run has rows in the ledger already. */
  readonly resumed: boolean;
  /** The recorder of the run: the rows of its calls keep their order with its messages there. */
  readonly recorder: RunRecorder;
  readonly emit: (event: RunEventBody) => void;
  readonly signal: AbortSignal;
}) => Promise<RunParts>;
