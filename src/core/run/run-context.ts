import { tells } from '../../domain/failure.ts';
import type { RunEventBody } from '../../domain/event.ts';
import type { Message } from '../../domain/message.ts';
import type { CompactionAttempt } from '../../domain/run.ts';
import type { Compaction } from '../../domain/session/session.ts';
import type { ContextBuilder, PreparedContext } from '../context/builder.ts';
import type { CompactionResult } from '../context/compaction/compact.ts';
import type { ScheduledCompaction } from '../context/compaction/scheduled-compaction.ts';
import type { Verdict } from '../policy.ts';
import type { RunTools } from '../tool-call/offered-tools.ts';
import type { Transcript } from '../session/transcript.ts';

export interface RunContextParts {
  readonly builder: ContextBuilder;
  readonly compactor: ScheduledCompaction;
  readonly tools: Pick<RunTools, 'current'>;
  readonly emit: (event: RunEventBody) => void;
  /** Tokens. */
  readonly contextLimit: number;
}

/** One run's context: prepares requests, and makes the compactions that policies ask for. */
export class RunContext {
  readonly #parts: RunContextParts;
  readonly #transcript: Transcript;
  #compaction: Compaction | undefined;
  #prepared: PreparedContext | undefined;
  /** The prepared request is of these; more messages, other tools or another compaction need another one. */
  #preparedOf: readonly unknown[] = [];
  /** The newest compaction of the run, for the policies that judge it. */
  lastCompaction: CompactionAttempt | undefined;

  constructor(
    parts: RunContextParts,
    transcript: Transcript,
    compaction: Compaction | undefined,
    lastCompaction: CompactionAttempt | undefined,
  ) {
    this.#parts = parts;
    this.#transcript = transcript;
    this.#compaction = compaction;
    this.lastCompaction = lastCompaction;
  }

  get contextLimit(): number {
    return this.#parts.contextLimit;
  }

  /** Tokens of the request prepared last; 0 before the first. */
  get estimatedTokens(): number {
    return this.#prepared?.estimatedTokens ?? 0;
  }

  /** Hash of the system prompt and the tools (C8); empty before the first request. */
  get promptHash(): string {
    return this.#prepared?.promptHash ?? '';
  }

  /** Prepares the next request; the same transcript gives the same bytes. */
  async prepare(forceTool: string | undefined): Promise<PreparedContext> {
    const tools = this.#parts.tools.current;
    const of = [this.#transcript.cursor, this.#compaction, forceTool, tools];
    if (this.#prepared !== undefined && of.every((one, index) => one === this.#preparedOf[index]))
      return this.#prepared;
    const prepared = await this.#parts.builder.build({
      messages: this.#transcript.messages,
      compaction: this.#compaction,
      tools,
      forceTool,
    });
    for (const one of prepared.warnings) this.#parts.emit({ type: 'warning', ...tells(one) });
    this.#prepared = prepared;
    this.#preparedOf = of;
    return prepared;
  }

  /** A completed call: what the provider counted is the base of the next estimate. */
  observe(answer: Message): void {
    if (this.#prepared !== undefined) this.#parts.builder.observe(this.#prepared, answer);
  }

  /** Starts summarizing early, in the background, before it is urgent. */
  considerCompaction(): void {
    if (this.#prepared === undefined) return;
    this.#parts.compactor.consider(this.#input(this.#prepared), this.#prepared.estimatedTokens);
  }

  async compact(
    verdict: Extract<Verdict, { kind: 'compact' }>,
    iteration: number,
    signal: AbortSignal,
  ): Promise<CompactionResult> {
    const prepared = this.#prepared ?? (await this.prepare(undefined));
    const { keep, depth, reason, targetTokens } = verdict;
    const result = await this.#parts.compactor.compact(
      {
        ...this.#input(prepared),
        keep,
        depth,
        reason,
        targetTokens,
      },
      signal,
    );
    if (result.compaction !== undefined) this.#compaction = result.compaction;
    this.lastCompaction = {
      number: (this.lastCompaction?.number ?? 0) + 1,
      iteration,
      depth,
      reason,
      tokensBefore: result.tokensBefore,
      tokensAfter: result.tokensAfter,
    };
    return result;
  }

  #input(prepared: PreparedContext) {
    return {
      sessionId: this.#transcript.sessionId,
      runId: this.#transcript.runId,
      messages: this.#transcript.messages,
      compaction: this.#compaction,
      contextLimit: this.#parts.contextLimit,
      overheadTokens: prepared.overheadTokens,
      emit: this.#parts.emit,
    };
  }
}
