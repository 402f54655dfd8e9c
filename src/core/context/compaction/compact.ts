import { told } from '../../../domain/text/told.ts';
import type { CompactionRequest } from './compaction-request.ts';
import { type Failure, fault, tells, sentenceOf } from '../../../domain/failure.ts';
import type { RunEventBody } from '../../../domain/event.ts';
import { JOURNAL_LENGTH } from '../../../domain/session/journal.ts';
import { textOf, type Message } from '../../../domain/message.ts';
import type { Compaction } from '../../../domain/session/session.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import { chooseCut, type Cut } from './cut.ts';
import type { TokenEstimator } from '../tokens/estimate.ts';
import { pinsOf, type PinLimits } from '../pins.ts';
import { shorten } from './shorten.ts';
import { summarize, type Summarizer } from './summarize.ts';
import { composeSummary, parseSummary } from './summary-text.ts';
import { truncationOf } from './truncation.ts';
import { isRequest, windowOf } from '../window.ts';

interface Measured {
  /** Tokens of the whole request, both measured in the same way. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly messagesBefore: number;
  readonly messagesAfter: number;
}

export interface Compacted extends Measured {
  readonly compaction: Compaction;
  /** Set when the summary was made without the model. */
  readonly summaryFailure?: Failure;
}

/** Nothing to compact: there is nothing older than what is kept, or a summary would not be shorter. */
export interface NotCompacted extends Measured {
  readonly compaction?: undefined;
}

export type CompactionResult = Compacted | NotCompacted;

/** Makes a compaction; rejects only with `canceled`. */
export type Compact = (
  request: CompactionRequest,
  signal: AbortSignal,
) => Promise<CompactionResult>;

export interface CompactorOptions {
  readonly ids: Ids;
  readonly clock: Clock;
  readonly estimator: TokenEstimator;
  /** Absent: older messages are truncated by rule instead of summarized. */
  readonly summarizer?: Summarizer;
  /** The journal of a session as markdown, which goes with the summary (C10); empty: there is none. */
  readonly journal?: (sessionId: string) => Promise<string>;
}

/** Characters the parts of a summary may have: shares of the window, within bounds. */
interface Space {
  readonly body: number;
  readonly requests: number;
  readonly journal: number;
  readonly pins: PinLimits;
}

function spaceFor(contextLimit: number, depth: CompactionRequest['depth']): Space {
  const characters = contextLimit * 4 * (depth === 'deep' ? 0.5 : 1);
  const within = (share: number, least: number, most: number): number =>
    Math.floor(Math.min(most, Math.max(least, characters * share)));
  const total = within(0.04, 1000, 16_000);
  return {
    body: within(0.04, 1500, 16_000),
    requests: within(0.03, 1000, 8000),
    journal: within(0.04, 1500, JOURNAL_LENGTH),
    pins: { each: Math.max(500, Math.floor(total / 4)), total },
  };
}

/** Requests of the person, the newest first to get space; given back in their order. */
function requestsIn(
  messages: readonly Message[],
  earlier: readonly string[],
  space: number,
): string[] {
  const all = [...earlier, ...messages.filter(isRequest).map((message) => textOf(message).trim())];
  const kept: string[] = [];
  let left = space;
  for (const request of all.filter((text) => text !== '').toReversed()) {
    const text = shorten(request, Math.min(left, Math.ceil(space / 2)));
    if (left < 100) break;
    kept.unshift(text);
    left -= text.length;
  }
  return kept;
}

function stopIfCanceled(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw fault('canceled', told`Compacting was canceled. Nothing was changed.`);
}

/** Makes compactions (C3): a record over an untouched transcript, which can be undone. */
export class Compactor {
  readonly #options: CompactorOptions;

  constructor(options: CompactorOptions) {
    this.#options = options;
  }

  /** `false`: a compaction takes no time, so there is no use in making it early. */
  get usesModel(): boolean {
    return this.#options.summarizer !== undefined;
  }

  readonly compact: Compact = async (request, signal) => {
    stopIfCanceled(signal);
    const before = await this.measure(request, request.compaction);
    const cut = await chooseCut(request, this.#options.estimator);
    const nothing: NotCompacted = {
      tokensBefore: before.tokens,
      tokensAfter: before.tokens,
      messagesBefore: before.messages,
      messagesAfter: before.messages,
    };
    if (cut === undefined) return nothing;
    const { summary, failure } = await this.#summaryOf(request, cut, signal);
    stopIfCanceled(signal);
    const { ids, clock, summarizer } = this.#options;
    const truncated = summarizer === undefined || failure !== undefined;
    const draft: Compaction = {
      id: ids.next('compaction'),
      sessionId: request.sessionId,
      throughSeq: cut.throughSeq,
      summary,
      strategy: truncated ? 'truncate' : request.depth === 'deep' ? 'prune' : 'summarize',
      reason: request.reason,
      tokensBefore: before.tokens,
      tokensAfter: before.tokens,
      ...(cut.resultLimit === undefined ? {} : { resultLimit: cut.resultLimit }),
      ...(cut.requestLimit === undefined ? {} : { requestLimit: cut.requestLimit }),
      undone: false,
      createdAt: clock.now(),
    };
    const after = await this.measure(request, draft);
    if (after.tokens >= before.tokens) return nothing;
    return {
      compaction: { ...draft, tokensAfter: after.tokens },
      tokensBefore: before.tokens,
      tokensAfter: after.tokens,
      messagesBefore: before.messages,
      messagesAfter: after.messages,
      ...(failure === undefined ? {} : { summaryFailure: failure }),
    };
  };

  /** Tokens and messages of the request with a compaction in force. */
  async measure(
    { messages, overheadTokens }: Pick<CompactionRequest, 'messages' | 'overheadTokens'>,
    compaction: Compaction | undefined,
  ): Promise<{ readonly tokens: number; readonly messages: number }> {
    const window = windowOf({ messages, compaction }).messages;
    return {
      tokens: overheadTokens + (await this.#options.estimator.measure(window)),
      messages: window.length,
    };
  }

  async #summaryOf(
    request: CompactionRequest,
    cut: Cut,
    signal: AbortSignal,
  ): Promise<{ readonly summary: string; readonly failure?: Failure }> {
    const space = spaceFor(request.contextLimit, request.depth);
    const earlier =
      request.compaction === undefined ? undefined : parseSummary(request.compaction.summary);
    const rest = {
      requests: requestsIn(cut.older, earlier?.requests ?? [], space.requests),
      pins: pinsOf(cut.older, earlier?.pins ?? [], space.pins),
      journal: shorten((await this.#options.journal?.(request.sessionId)) ?? '', space.journal),
      ...(request.depth === 'deep' ? { deep: cut.kept } : {}),
    };
    if (cut.older.length === 0) {
      const body =
        earlier?.body ??
        'Nothing was left out before this point; long results below are shortened.';
      return { summary: composeSummary({ body, ...rest }) };
    }
    const truncated = (): string =>
      composeSummary({ body: truncationOf(cut.older, earlier?.body, space.body), ...rest });
    const { summarizer } = this.#options;
    if (summarizer === undefined) return { summary: truncated() };
    const goal = request.messages.find(isRequest);
    const outcome = await summarize(
      summarizer,
      {
        sessionId: request.sessionId,
        runId: request.runId,
        emit: request.emit,
        messages: cut.older,
        goal: goal === undefined ? '' : textOf(goal),
        earlier: earlier?.body,
        instruction: request.instruction,
        limit: space.body,
      },
      signal,
    );
    if ('failure' in outcome) return { summary: truncated(), failure: outcome.failure };
    return { summary: composeSummary({ body: shorten(outcome.text, space.body), ...rest }) };
  }
}

/** The event of a compaction (C11). */
export function compactionEvent(result: Compacted): RunEventBody {
  const { compaction, tokensBefore, tokensAfter, messagesBefore, messagesAfter } = result;
  return {
    type: 'agent.compaction.run',
    compactionId: compaction.id,
    reason: compaction.reason,
    tokensBefore,
    tokensAfter,
    messagesBefore,
    messagesAfter,
    strategy: compaction.strategy,
  };
}

/** The warning about a compaction that was made without the model. */
export function compactionWarning({ summaryFailure }: Compacted): RunEventBody | undefined {
  if (summaryFailure === undefined) return undefined;
  return {
    type: 'warning',
    ...tells(
      told`Older messages were shortened by rule instead of summarized, because the summary failed: ${sentenceOf(summaryFailure)} The messages themselves are kept, and the compaction can be taken back.`,
    ),
  };
}
