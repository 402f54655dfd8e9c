import type { ModelPurpose, RunEvent } from '../../../domain/event.ts';
import type { Json } from '../../../domain/data/json.ts';
import type { Message, Usage } from '../../../domain/message.ts';
import type { Checkpoint, LedgerEntry, Run } from '../../../domain/run.ts';
import type {
  Attachment,
  Compaction,
  QueuedMessage,
  Session,
} from '../../../domain/session/session.ts';

/** One durable change; a batch is one transaction, on disk when `commit` resolves. */
export type Write =
  | { readonly kind: 'session'; readonly session: Session }
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'run'; readonly run: Run }
  | { readonly kind: 'checkpoint'; readonly checkpoint: Checkpoint }
  | { readonly kind: 'ledger'; readonly entry: LedgerEntry }
  | { readonly kind: 'compaction'; readonly compaction: Compaction }
  | { readonly kind: 'usage'; readonly usage: UsageRecord }
  | { readonly kind: 'queued'; readonly queued: QueuedMessage }
  | { readonly kind: 'dequeued'; readonly id: string }
  /** The same id again replaces it. */
  | { readonly kind: 'attachment'; readonly sessionId: string; readonly attachment: Attachment }
  | {
      readonly kind: 'value';
      /** Absent: of the workspace; else deleted, exported and restored with its session. */
      readonly sessionId?: string;
      readonly key: string;
      /** `null` removes it. */
      readonly value: Json;
    };

/** One model call in the token log (A8). */
export interface UsageRecord {
  readonly sessionId: string;
  readonly runId: string;
  readonly model: string;
  readonly purpose: ModelPurpose;
  readonly usage: Usage;
  /** US dollars; absent when the price is unknown. */
  readonly cost?: number;
  readonly at: number;
  readonly details?: UsageDetails;
}

/** Details for the sum over all workspaces of a person. */
export interface UsageDetails {
  /** Unlike that of any other call anywhere. A later record with the same key replaces the earlier one. */
  readonly key: string;
  /** The call is under way: its last record follows, unless the process is killed. */
  readonly open?: true;
  /** The session and the run at the top, of a call of a sub-agent: their budgets pay for it. Absent: its own. */
  readonly charged?: { readonly sessionId: string; readonly runId: string };
  /** The id of the provider instance. */
  readonly provider: string;
  /** US dollars that the prompt cache saved; below 0: writing to it cost more. Absent: no price is known. */
  readonly saved?: number;
  /** Milliseconds from the request to its end. */
  readonly ms: number;
  /** Names of the tools that the answer called. */
  readonly tools: readonly string[];
}

/**
 * The recorder of runs: every durable change of the core goes through `commit`.
 * Fails with `BelayError` code `store`: nothing of the batch is kept then; with
 * `details.retryable` (disk full, another window) the same batch may be given again later.
 * Fails with `busy` when another living window owns the session.
 *
 * Fields that the store keeps in step by itself, in the same transaction: a session's `messageCount`,
 * `inputTokens`, `outputTokens`, `cost` and `costUnknown` (B12, parents included); those fields of
 * a `session` write are ignored. A `message` must have the next `seq`, or the id and `seq` of a
 * stored one, which it replaces. A ledger entry that is complete never becomes unfinished again.
 */
export interface Recorder {
  /** Resolves when the whole batch is on disk. Batches are kept in the order of the calls. */
  commit(writes: readonly Write[]): Promise<void>;
  /** Text of the message being streamed; kept so that a crash loses 250 ms at most (B3). Not part of the history. */
  draft(sessionId: string, messageId: string, parts: Json): void;
  /** Run events for the timeline; written in the background, never awaited by the loop (B7). */
  events(events: readonly RunEvent[]): void;
  /** Resolves when everything given before is on disk. */
  flush(): Promise<void>;
}
