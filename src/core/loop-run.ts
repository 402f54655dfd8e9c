import type { RunEventBody } from '../domain/event.ts';
import type { Message, ToolCallPart, ToolResultPart } from '../domain/message.ts';
import type { CheckpointKind } from '../domain/run.ts';
import type { AssistantTurn } from './run/assistant-turn.ts';
import type { CallRecord, PolicyBoard, TurnOutcome, TurnView, Verdict } from './policy.ts';
import type { Transcript } from './session/transcript.ts';

/** The loop's own state; kept in every checkpoint (C8). */
export interface LoopState {
  iteration: number;
  /** The tool the next model call must use; `none` forbids tools (C13). */
  forceTool: string | undefined;
}

/**
 * Everything the loop does to the world: retries, budgets, compaction, time limits, checkpoints and
 * permissions are wrappers, policies or services behind these.
 */
export interface LoopRun {
  /** Its reason is a `StopReason`. */
  readonly signal: AbortSignal;
  readonly state: LoopState;
  readonly transcript: Transcript;
  readonly policies: PolicyBoard;
  readonly emit: (event: RunEventBody) => void;
  /** The view of the policies; before a model call with the next request prepared. */
  view(moment: 'before' | 'after', turn?: TurnOutcome): Promise<TurnView>;
  /** Streams one model call; never rejects for a provider's fault. */
  callModel(): Promise<AssistantTurn>;
  /** Answers every call, in their order (E2, D4). Never rejects for a tool's fault. */
  runBatch(calls: readonly ToolCallPart[]): Promise<readonly ToolResultPart[]>;
  recordOf(call: ToolCallPart, result: ToolResultPart): CallRecord;
  compact(verdict: Extract<Verdict, { kind: 'compact' }>): Promise<void>;
  /** Messages the person sent to this run while it worked (C7): they go in at safe boundaries. */
  takeSteering(): Promise<readonly Message[]>;
  /** Makes messages and the state durable, in the order of the calls. */
  checkpoint(kind: CheckpointKind, messages: readonly Message[]): Promise<void>;
}
