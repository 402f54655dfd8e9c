import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { Compact, Compacted, CompactionResult, Compactor } from './compact.ts';
import type { CompactionRequest } from './compaction-request.ts';

/** Messages `/compact` keeps word for word: the person wants a small context. */
export const MANUAL_KEEP = 4;

export interface ScheduleOptions {
  /** Tokens at which a compaction is asked for; `Infinity`: never by itself, so none is made early (E5). */
  readonly dueAt: number;
  /** Messages kept word for word. */
  readonly keep: number;
}

/** Summarizing begins at this share of where it is due. */
const EARLY_SHARE = 0.85;

/** A request as the loop has it before a compaction is due. */
export type EarlyRequest = Omit<CompactionRequest, 'keep' | 'depth' | 'reason'>;

/** A summary made early frees at least this share, or a fresh one is made. */
const WORTHWHILE_SHARE = 0.3;

interface Early {
  /** The compaction it builds on. */
  readonly base: string | undefined;
  readonly result: Promise<CompactionResult | undefined>;
  readonly abort: AbortController;
}

/**
 * Compacts in the background before it is urgent, so that runs wait only when they must. The early summary keeps all
 * that came after it began, never less than the last `keep`. One for a session; disposed of with its run.
 */
export class ScheduledCompaction implements Disposable {
  readonly #compactor: Compactor;
  readonly #options: ScheduleOptions;
  #early: Early | undefined;

  constructor(compactor: Compactor, options: ScheduleOptions) {
    this.#compactor = compactor;
    this.#options = options;
  }

  /** Called before each turn: begins to summarize when the context is nearly full enough. */
  consider(request: EarlyRequest, estimatedTokens: number): void {
    const { dueAt, keep } = this.#options;
    if (!this.#compactor.usesModel) return;
    if (estimatedTokens < EARLY_SHARE * dueAt || estimatedTokens >= dueAt) return;
    const base = request.compaction?.id;
    if (this.#early !== undefined && this.#early.base === base) return;
    this.#early?.abort.abort();
    const abort = new AbortController();
    const result = this.#compactor
      .compact(
        { ...request, messages: [...request.messages], keep, depth: 'normal', reason: 'threshold' },
        abort.signal,
      )
      .catch(() => undefined);
    this.#early = { base, result, abort };
  }

  /** Makes the compaction that is due, from the early summary where there is one that helps. */
  readonly compact: Compact = async (request, signal) => {
    const early = this.#take(request);
    if (early !== undefined) {
      const stop = (): void => early.abort.abort();
      signal.addEventListener('abort', stop, { once: true });
      try {
        const ready = await this.#ready(request, await early.result);
        if (ready !== undefined && !signal.aborted) return ready;
      } finally {
        signal.removeEventListener('abort', stop);
      }
    }
    return this.#compactor.compact(request, signal);
  };

  dispose(): void {
    this.#early?.abort.abort();
    this.#early = undefined;
  }

  /** The early summary, if it answers this request; any other one is of no more use. */
  #take(request: CompactionRequest): Early | undefined {
    const early = this.#early;
    this.#early = undefined;
    const fits =
      early !== undefined &&
      early.base === request.compaction?.id &&
      request.reason === 'threshold' &&
      request.instruction === undefined &&
      request.targetTokens === undefined;
    if (!fits) early?.abort.abort();
    return fits ? early : undefined;
  }

  /** The early compaction, measured against the history as it is now. */
  async #ready(
    request: CompactionRequest,
    early: CompactionResult | undefined,
  ): Promise<Compacted | undefined> {
    if (early?.compaction === undefined || early.summaryFailure !== undefined) return undefined;
    const before = await this.#compactor.measure(request, request.compaction);
    const after = await this.#compactor.measure(request, early.compaction);
    if (after.tokens > (1 - WORTHWHILE_SHARE) * before.tokens) return undefined;
    return {
      compaction: { ...early.compaction, tokensBefore: before.tokens, tokensAfter: after.tokens },
      tokensBefore: before.tokens,
      tokensAfter: after.tokens,
      messagesBefore: before.messages,
      messagesAfter: after.messages,
    };
  }
}
