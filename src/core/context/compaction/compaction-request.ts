import type { Message } from '../../../domain/message.ts';
import type { CompactionReason } from '../../../domain/run.ts';
import type { Compaction } from '../../../domain/session/session.ts';
import type { Emit } from '../../ports/events.ts';

export interface CompactionRequest {
  readonly sessionId: string;
  readonly runId: string;
  /** As for the window: all, or the first request and everything after the compaction in force. */
  readonly messages: readonly Message[];
  readonly compaction?: Compaction | undefined;
  /** Messages kept word for word; more where a pair would be split. */
  readonly keep: number;
  readonly depth: 'normal' | 'deep';
  readonly reason: CompactionReason;
  /** Keep fewer, and shorten kept results, until the request is at most so long. */
  readonly targetTokens?: number | undefined;
  /** The person's words behind `/compact`. */
  readonly instruction?: string | undefined;
  /** Tokens. */
  readonly contextLimit: number;
  /** Tokens of system prompt and tools. */
  readonly overheadTokens: number;
  readonly emit: Emit;
}
