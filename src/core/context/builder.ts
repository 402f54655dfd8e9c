import { type Told, told } from '../../domain/text/told.ts';
import type { Message } from '../../domain/message.ts';
import type { ModelInfo, ThinkingEffort, ToolChoice, ToolSpec } from '../../domain/models/model.ts';
import type { Compaction } from '../../domain/session/session.ts';
import type { ModelRequest, Sampling } from '../model-call/model-call.ts';
import type { EstimateInput, TokenEstimator } from './tokens/estimate.ts';
import { fingerprint } from './fingerprint.ts';
import { promptHash } from './prompt-hash.ts';
import { windowOf } from './window.ts';

export interface ContextOptions {
  readonly model: ModelInfo;
  /** Tokens: the setting, else the catalog's (D6). */
  readonly contextLimit: number;
  /** Tokens; absent: the catalog's output limit. */
  readonly maxOutputTokens?: number;
  readonly thinking: ThinkingEffort;
  readonly sampling?: Sampling;
  /** See `systemPrompt`; the same for the whole run. */
  readonly system: readonly string[];
  /** Most messages sent (E4); 0: no limit. */
  readonly historyLimit: number;
  readonly estimator: TokenEstimator;
  /** Absent: estimates decide alone. */
  readonly exact?: ExactCount;
}

/** Asks the provider for the tokens of a request where our own count is too rough for a decision (C12). */
export interface ExactCount {
  /** Tokens at which something is decided, such as a compaction. */
  readonly decidedAt: readonly number[];
  /** `undefined`: this provider does not count, or not in time. Never rejects. */
  readonly count: (request: ModelRequest) => Promise<number | undefined>;
}

export interface ContextInput {
  /** Ascending; all, or the first request and everything after the compaction's `throughSeq`. */
  readonly messages: readonly Message[];
  /** The newest compaction that is not undone. */
  readonly compaction?: Compaction | undefined;
  readonly tools: readonly ToolSpec[];
  /** The tool the model must use; `none` forbids tools (C13). */
  readonly forceTool?: string | undefined;
}

/** The content of a request. */
export interface SentWindow extends Pick<ModelRequest, 'system' | 'messages' | 'tools'> {
  /** Messages at the head that are always there: the first request and the summary. */
  readonly fixed: number;
}

/** A request ready to be sent, and what is known of it. */
export interface PreparedContext {
  readonly request: ModelRequest;
  /** See `promptHash`: a resumed run compares it (C8). */
  readonly promptHash: string;
  readonly estimatedTokens: number;
  readonly contextLimit: number;
  /** Tokens of system prompt and tools. */
  readonly overheadTokens: number;
  /** Each is given once. */
  readonly warnings: readonly Told[];
  /** For `observe`. */
  readonly key: string;
}

/** System prompt and tools, worked out once for a list of tools. */
interface Prefix {
  readonly tools: readonly ToolSpec[];
  readonly specs: readonly ToolSpec[];
  readonly text: string;
  readonly hash: string;
  readonly promptHash: string;
  overheadTokens: number | undefined;
}

/** Our own count is wrong by up to this part of it: tokenizers of models differ from the one we have. */
const ESTIMATE_ERROR = 0.3;

/** Tokens of output that are always asked for, however full the window is. */
const LEAST_OUTPUT = 1024;

/**
 * Builds the request of a turn (A7). The same input gives the same bytes, and what was sent once
 * stays the same, so that the prompt cache holds. One for a run.
 */
export class ContextBuilder {
  readonly #options: ContextOptions;
  #prefix: Prefix | undefined;
  #dropped = 0;

  constructor(options: ContextOptions) {
    this.#options = options;
  }

  async build({ messages, compaction, tools, forceTool }: ContextInput): Promise<PreparedContext> {
    const { model, contextLimit, historyLimit, sampling, system } = this.#options;
    const prefix = this.#prefixFor(tools);
    const window = windowOf({ messages, compaction, historyLimit });
    const input: EstimateInput = {
      messages: window.messages,
      overhead: prefix.text,
      key: `${model.id} ${prefix.hash} ${compaction?.id ?? ''} ${window.dropped}`,
      limit: contextLimit,
    };
    const unlimited = {
      model: model.id,
      system,
      messages: window.messages,
      tools: prefix.specs,
      toolChoice: choiceOf(forceTool, prefix.specs),
      thinking: this.#options.thinking,
      ...(sampling === undefined ? {} : { sampling }),
    };
    const estimatedTokens = await this.#tokens(input, unlimited);
    return {
      request: { ...unlimited, maxOutputTokens: this.#outputTokens(estimatedTokens) },
      promptHash: prefix.promptHash,
      estimatedTokens,
      contextLimit,
      overheadTokens: await this.#overheadTokens(prefix),
      warnings: this.#warnings(window.dropped),
      key: input.key,
    };
  }

  /** Everything that a request would carry, for who wants to know what fills it: nothing is counted. */
  window({ messages, compaction, tools }: ContextInput): SentWindow {
    const { historyLimit, system } = this.#options;
    const { messages: sent, fixed } = windowOf({ messages, compaction, historyLimit });
    return { system, tools: this.#prefixFor(tools).specs, messages: sent, fixed };
  }

  /** After a completed call: the provider's count becomes the base of the next estimate. */
  observe(prepared: Pick<PreparedContext, 'key'>, answer: Message): void {
    this.#options.estimator.observe(prepared, answer);
  }

  #prefixFor(tools: readonly ToolSpec[]): Prefix {
    if (this.#prefix?.tools === tools) return this.#prefix;
    // Two tools of one name would be refused (h17); the first one counts.
    const names = new Set<string>();
    const listed = tools.filter(
      ({ name, rare }) => rare !== true && !names.has(name) && names.add(name),
    );
    const specs = listed.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
    const text = JSON.stringify([this.#options.system, specs]);
    const before = this.#prefix;
    // Another list of the same tools is the same request.
    this.#prefix =
      before?.text === text
        ? { ...before, tools }
        : {
            tools,
            specs,
            text,
            hash: fingerprint(text),
            promptHash: promptHash(this.#options.system, listed),
            overheadTokens: undefined,
          };
    return this.#prefix;
  }

  /** Our estimate; the provider's own count where the true one may be on the other side of a decision. */
  async #tokens(input: EstimateInput, request: ModelRequest): Promise<number> {
    const { estimator, exact } = this.#options;
    const { known, own } = await estimator.parts(input);
    const estimated = Math.round(known + own);
    const error = ESTIMATE_ERROR * own;
    if (!exact?.decidedAt.some((at) => Math.abs(at - estimated) < error)) return estimated;
    const counted = await exact.count(request);
    if (counted === undefined) return estimated;
    estimator.correct(input, counted);
    return counted;
  }

  async #overheadTokens(prefix: Prefix): Promise<number> {
    prefix.overheadTokens ??= await this.#options.estimator.estimate({
      messages: [],
      overhead: prefix.text,
      key: '',
      limit: this.#options.contextLimit,
    });
    return prefix.overheadTokens;
  }

  /** The output limit, lowered where input and output together would not fit (h13). */
  #outputTokens(estimatedTokens: number): number {
    const most = this.#options.maxOutputTokens ?? this.#options.model.maxOutputTokens;
    const room = this.#options.contextLimit - estimatedTokens;
    return Math.min(most, Math.max(LEAST_OUTPUT, room));
  }

  #warnings(dropped: number): Told[] {
    if (dropped <= this.#dropped) {
      this.#dropped = dropped;
      return [];
    }
    this.#dropped = dropped;
    return [
      told`The ${dropped} oldest messages are not sent to the model any more: the limit is ${this.#options.historyLimit} messages (belay.advanced.maxHistoryMessages). They are still in the session.`,
    ];
  }
}

function choiceOf(forceTool: string | undefined, tools: readonly ToolSpec[]): ToolChoice {
  if (forceTool === 'none') return { type: 'none' };
  return forceTool !== undefined && tools.some((tool) => tool.name === forceTool)
    ? { type: 'tool', name: forceTool }
    : { type: 'auto' };
}
