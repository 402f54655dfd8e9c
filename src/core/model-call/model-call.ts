import { type Failure, type Reason, tells, type Words } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { FinishReason, Message, Part, Usage } from '../../domain/message.ts';
import type { ModelInfo, ThinkingEffort, ToolChoice, ToolSpec } from '../../domain/models/model.ts';
import type { ModelPurpose } from '../../domain/event.ts';
import type { Emit } from '../ports/events.ts';
import type { RetryWaits } from './retry-waits.ts';

export interface ModelRequest {
  readonly model: string;
  /** System prompt, static text first: each block is one cache unit. */
  readonly system: readonly string[];
  /** Pairs complete, ids unique, no empty parts: see `repair`. */
  readonly messages: readonly Message[];
  /** In a stable order, so that the prompt cache holds. Empty: no tools field is sent (D3). */
  readonly tools: readonly ToolSpec[];
  readonly toolChoice: ToolChoice;
  /** Tokens; absent: the catalog's output limit. */
  readonly maxOutputTokens?: number;
  readonly thinking: ThinkingEffort;
  /** Absent: as the model has it. It is left out for models that refuse it (E12). */
  readonly sampling?: Sampling;
}

/** How freely a model picks its words; what is absent is the model's own. */
export interface Sampling {
  /** 0 to 2; some APIs end at 1. */
  readonly temperature?: number;
  /** 0 to 1. */
  readonly topP?: number;
}

export interface ModelCallContext {
  readonly signal: AbortSignal;
  readonly sessionId: string;
  readonly runId: string;
  readonly purpose: ModelPurpose;
  readonly emit: Emit;
  /** Tokens of the request, where they were counted. */
  readonly estimatedTokens?: number;
  /** Of the attempt, in the record of its usage. */
  readonly key?: string;
  /** Lets a person end a wait between two attempts. */
  readonly waits?: RetryWaits;
}

/**
 * An event of a model call (B8). Parts are numbered by `index`. Only `complete` makes a message;
 * after `discard` everything before is void.
 */
export type ModelEvent =
  /** `usage`: what the call has consumed by now, where the provider reports it with the first event. */
  | { readonly type: 'started'; readonly model: string; readonly usage?: Usage }
  /** Bytes arrived (pings too): keeps the idle watchdog quiet. */
  | { readonly type: 'alive' }
  | {
      readonly type: 'delta';
      readonly index: number;
      readonly kind: 'text' | 'reasoning' | 'tool_input';
      readonly text: string;
    }
  | {
      readonly type: 'tool_call_started';
      readonly index: number;
      readonly callId: string;
      readonly name: string;
    }
  | { readonly type: 'part'; readonly index: number; readonly part: Part }
  | ({ readonly type: 'discard' } & Reason)
  | ({ readonly type: 'warning' } & Required<Words>)
  | { readonly type: 'complete'; readonly answer: ModelAnswer }
  /** `usage`: what the failed attempt had consumed, where the provider said so. */
  | { readonly type: 'failed'; readonly failure: Failure; readonly usage?: Usage };

export interface ModelAnswer {
  /** Without the finish part; no empty text. */
  readonly parts: readonly Part[];
  readonly finish: FinishReason;
  readonly finishDetail?: string;
  /** Absent when the provider did not say: unknown cost, not zero. */
  readonly usage?: Usage;
  readonly model: string;
}

/**
 * One call of a model. It never throws for a provider's fault: it ends with exactly one of
 * `complete` or `failed`; `failed` with code `canceled` after an abort.
 */
export type ModelCall = (
  request: ModelRequest,
  context: ModelCallContext,
) => AsyncIterable<ModelEvent>;

/** A unit that makes model calls safer or richer. */
export type WrapModelCall = (next: ModelCall) => ModelCall;

/** A provider of models: one folder under `providers/`, one line in the catalog. */
export interface Provider {
  readonly id: string;
  readonly call: ModelCall;
  models(): readonly ModelInfo[];
  /** Exact count of a request's input tokens, where the provider offers it (C12). */
  countTokens?(request: ModelRequest, signal: AbortSignal): Promise<number | undefined>;
  /** The models that the provider itself lists now, where it does; rejects with `BelayError`. */
  fetchModels?(signal: AbortSignal): Promise<readonly ModelInfo[]>;
}

/** Runs a call to its end without showing anything: titles, summaries (B8 "send"). */
export async function completeCall(
  call: ModelCall,
  request: ModelRequest,
  context: ModelCallContext,
): Promise<{ readonly answer: ModelAnswer } | { readonly failure: Failure }> {
  for await (const event of call(request, context)) {
    if (event.type === 'complete') return { answer: event.answer };
    if (event.type === 'failed') return { failure: event.failure };
  }
  return {
    failure: { code: 'stream_broken', ...tells(told`The model call ended without an answer.`) },
  };
}
