import { told, type Told } from '../../domain/text/told.ts';
import { type BelayError, failureOf, fault, tells } from '../../domain/failure.ts';
import type { RunEventBody } from '../../domain/event.ts';
import type { Compaction } from '../../domain/session/session.ts';
import type { SessionOptions } from '../run/agent-service.ts';
import type { EventBroker } from './event-broker.ts';
import type { ContextBuilder } from '../context/builder.ts';
import { windowShares } from '../context/window-shares.ts';
import type { WindowShares } from '../../domain/models/window-shares.ts';
import { compactionEvent, compactionWarning } from '../context/compaction/compact.ts';
import { readCompactArgument } from '../context/compaction/compact-argument.ts';
import { MANUAL_KEEP } from '../context/compaction/scheduled-compaction.ts';
import type { ScheduledCompaction } from '../context/compaction/scheduled-compaction.ts';
import type { Recorder } from '../ports/store/recorder.ts';
import type { Transcripts } from '../ports/store/transcripts.ts';
import type { Tool } from '../tool-call/tool-call.ts';

/** A summary's parts; those that a run of the session would have. */
export interface SummaryParts {
  readonly builder: ContextBuilder;
  readonly compactor: ScheduledCompaction;
  readonly tools: readonly Tool[];
  /** Tokens. */
  readonly contextLimit: number;
  dispose(): void;
}

export interface SummaryPorts {
  readonly broker: EventBroker;
  readonly recorder: Recorder;
  readonly transcripts: Transcripts;
  readonly prepare: (options: Required<SessionOptions>) => Promise<SummaryParts>;
}

/** Summaries on demand (B11): `/compact`, the way back, and what there is to be summarized. */
export class SessionSummaries {
  readonly #ports: SummaryPorts;

  constructor(ports: SummaryPorts) {
    this.#ports = ports;
  }

  /** Compacts an idle session, with the `wish` of `/compact`. Rejects: `invalid`, `canceled`. */
  async summarize(
    sessionId: string,
    options: Required<SessionOptions>,
    wish: string,
    signal: AbortSignal,
  ): Promise<void> {
    const emit = (event: RunEventBody): void => this.#ports.broker.publish(sessionId, '', event);
    emit({ type: 'summarize.progress', progress: 'Summarizing the conversation', done: false });
    try {
      await this.#compact(sessionId, options, wish, signal, emit);
      emit({ type: 'summarize.progress', progress: 'Summarized', done: true });
    } catch (error) {
      emit({
        type: 'summarize.progress',
        progress: 'Not summarized',
        done: true,
        failure: failureOf(error),
      });
      throw error;
    }
  }

  /** The parts of a session's next request, by size. */
  async shares(sessionId: string, options: Required<SessionOptions>): Promise<WindowShares> {
    const { transcripts, prepare } = this.#ports;
    const [messages, compactions, parts] = await Promise.all([
      transcripts.messages({ sessionId }),
      transcripts.compactions(sessionId),
      prepare(options),
    ]);
    try {
      const { tools, builder } = parts;
      const compaction = compactions.findLast((made) => !made.undone);
      return windowShares(builder.window({ messages, compaction, tools }), tools);
    } finally {
      parts.dispose();
    }
  }

  /** Takes a compaction back: the next request carries the messages themselves again. */
  async undo(sessionId: string, compactionId: string): Promise<void> {
    const made = (await this.#ports.transcripts.compactions(sessionId)).find(
      ({ id }) => id === compactionId,
    );
    if (made === undefined) {
      throw fault('not_found', told`This summary is not there any more.`);
    }
    await this.#ports.recorder.commit([
      { kind: 'compaction', compaction: { ...made, undone: true } },
    ]);
  }

  async #compact(
    sessionId: string,
    options: Required<SessionOptions>,
    wish: string,
    signal: AbortSignal,
    emit: (event: RunEventBody) => void,
  ): Promise<void> {
    const { transcripts, recorder } = this.#ports;
    const [messages, compactions, parts] = await Promise.all([
      transcripts.messages({ sessionId }),
      transcripts.compactions(sessionId),
      this.#ports.prepare(options),
    ]);
    try {
      const compaction: Compaction | undefined = compactions.findLast((made) => !made.undone);
      const { tools, builder, compactor, contextLimit } = parts;
      const { targetTokens, isNamed, instruction } = readCompactArgument(wish, contextLimit);
      const { overheadTokens, estimatedTokens } = await builder.build({
        messages,
        compaction,
        tools,
      });
      if (isNamed && estimatedTokens <= targetTokens)
        throw belowTarget(estimatedTokens, targetTokens);
      const result = await compactor.compact(
        {
          sessionId,
          runId: '',
          messages,
          compaction,
          keep: MANUAL_KEEP,
          depth: 'normal',
          reason: 'requested',
          targetTokens,
          contextLimit,
          overheadTokens,
          emit,
          ...(instruction === undefined ? {} : { instruction }),
        },
        signal,
      );
      if (result.compaction === undefined) {
        const message = told`There is nothing to summarize yet: the conversation is short enough as it is.`;
        throw fault('invalid', message);
      }
      await recorder.commit([{ kind: 'compaction', compaction: result.compaction }]);
      emit(compactionEvent(result));
      const warning = compactionWarning(result);
      if (warning !== undefined) emit(warning);
      if (isNamed && result.tokensAfter > targetTokens)
        emit({ type: 'warning', ...tells(aboveTarget(result.tokensAfter, targetTokens)) });
    } finally {
      parts.dispose();
    }
  }
}

const belowTarget = (tokens: number, target: number): BelayError =>
  fault(
    'invalid',
    told`The conversation already fits: the next request has ${tokens} tokens, and the target is ${target}. Nothing was changed.`,
  );

const aboveTarget = (tokens: number, target: number): Told =>
  told`The next request has ${tokens} tokens, not ${target}: tools, instructions and the last exchange alone take more. The messages themselves are kept, and the compaction can be taken back.`;
