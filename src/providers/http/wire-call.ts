import { type Told, told } from '../../domain/text/told.ts';
import type {
  ModelAnswer,
  ModelCallContext,
  ModelEvent,
  ModelRequest,
} from '../../core/model-call/model-call.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { because, type Failure, tells } from '../../domain/failure.ts';
import { withoutPassword } from './address.ts';
import type { Assembler } from './answer/assembler.ts';
import { HttpRefusal } from './client.ts';
import type { WireClient } from './client.ts';
import { failureOfEnd, failureOfThrown } from './refusal/failures.ts';
import { readBody } from './answer/read-body.ts';
import { refusalFrom } from './refusal/refusal.ts';
import type { Destination, Refusal, Rule } from './refusal/refusal.ts';

/** One request as a wire writes it. */
export interface WireRequest {
  /** Below the address. */
  readonly path: string;
  /** The body; one after the other. */
  readonly pieces: readonly Uint8Array[];
  /** Names of the tools in the order in which they are sent: errors speak of their positions. */
  readonly tools: readonly string[];
  /** Sentences about what could not be sent; each is told once. */
  readonly notes: readonly Told[];
  readonly assembly: Assembler;
}

/** A way of talking to models: all that differs from the others. */
export interface Wire {
  /** `Messages API` and the like, for sentences. */
  readonly api: string;
  readonly client: WireClient;
  readonly clock: Clock;
  readonly address: () => string;
  /** Of the provider, for sentences; absent: its host says enough. */
  readonly name?: string | undefined;
  /** The setting that holds the address. */
  readonly setting: string;
  readonly billingPage?: (address: string) => string | undefined;
  /** Asked before those of all wires. */
  readonly rules: readonly Rule[];
  /** An answer that has told how it ended is whole without the end mark, too. */
  readonly endMarkOptional?: boolean;
  prepare(request: ModelRequest, context: ModelCallContext): WireRequest;
  /** Learns from a refusal how this server wants requests; `true`: it did, and the same request is written and sent anew. */
  corrected?(refusal: Refusal, request: ModelRequest): boolean;
  /** The model's answer, where a server refuses what the model wrote. */
  answerIn?(refusal: Refusal, sent: WireRequest, request: ModelRequest): ModelAnswer | undefined;
  /** Something to tell before an answer counts as whole; rejects with `BelayError` when it must not count. */
  warning?(
    request: ModelRequest,
    sent: WireRequest,
    signal: AbortSignal,
  ): Promise<Told | undefined>;
}

/** Corrections of one request; more are no difference of dialect. */
const MOST_CORRECTIONS = 6;

/** The memory of a provider from one call to the next. */
export class CallMemory {
  /** Sentences that the person was told already. */
  readonly told = new Set<string>();
  /** Answers in a row that ended after their stop reason, but without their end mark. */
  endless = 0;
}

/** One model call over HTTP: the same for every wire. */
export async function* callOver(
  wire: Wire,
  request: ModelRequest,
  context: ModelCallContext,
  memory: CallMemory,
): AsyncGenerator<ModelEvent> {
  for (let corrections = 0; ; corrections += 1) {
    const sent = wire.prepare(request, context);
    for (const words of sent.notes.map((note) => tells(note))) {
      if (memory.told.has(words.message)) continue;
      memory.told.add(words.message);
      yield { type: 'warning', ...words };
    }
    try {
      const response = await wire.client.post(sent.path, sent.pieces, context.signal);
      yield* answered(wire, sent, response, { request, context, memory });
      return;
    } catch (thrown) {
      if (thrown instanceof HttpRefusal) {
        const { refusal } = thrown;
        if (corrections < MOST_CORRECTIONS && wire.corrected?.(refusal, request) === true) continue;
        const answer = wire.answerIn?.(refusal, sent, request);
        if (answer !== undefined) {
          yield* shown(answer);
          return;
        }
      }
      yield {
        type: 'failed',
        failure: thrownFailure(thrown, wire, { request, context, memory }, sent, false),
      };
      return;
    }
  }
}

interface Call {
  readonly request: ModelRequest;
  readonly context: ModelCallContext;
  readonly memory: CallMemory;
}

async function* answered(
  wire: Wire,
  sent: WireRequest,
  response: Response,
  call: Call,
): AsyncGenerator<ModelEvent> {
  const { assembly } = sent;
  const { rules } = wire;
  let failure: Failure;
  try {
    const end = yield* readBody(response, assembly, wire.clock);
    acceptMissingEnd(end, assembly, wire.endMarkOptional === true, call.memory);
    const { outcome } = assembly;
    if (outcome?.kind === 'complete') {
      yield* assembly.take();
      const warning = await wire.warning?.(call.request, sent, call.context.signal);
      if (warning !== undefined) yield { type: 'warning', ...tells(warning) };
      yield { type: 'complete', answer: outcome.answer };
      return;
    }
    const hidden =
      outcome?.kind === 'error'
        ? wire.answerIn?.(refusalFrom(outcome.body), sent, call.request)
        : undefined;
    if (hidden !== undefined) {
      yield { type: 'discard', ...because(told`The call could not be read`) };
      yield* shown(hidden);
      return;
    }
    const requestId = response.headers.get('request-id') ?? undefined;
    const at = destinationOf(wire, call.request.model, sent.tools);
    failure = failureOfEnd(end, outcome, { at, rules, requestId });
  } catch (thrown) {
    failure = thrownFailure(thrown, wire, call, sent, true);
  }
  const { usage } = assembly;
  yield { type: 'failed', failure, ...(usage === undefined ? {} : { usage }) };
}

/** Plays an answer that came in one piece. */
function* shown(answer: ModelAnswer): Generator<ModelEvent> {
  yield { type: 'started', model: answer.model };
  for (const [index, part] of answer.parts.entries()) {
    if (part.type === 'tool_call')
      yield { type: 'tool_call_started', index, callId: part.id, name: part.name };
    if (part.type === 'text') yield { type: 'delta', index, kind: 'text', text: part.text };
    yield { type: 'part', index, part };
  }
  yield { type: 'complete', answer };
}

/**
 * A body that ends after the stop reason, but without its end mark: taken for a cut the first time
 * and asked again; when the next answer ends so too, that is how this server ends its answers, and
 * nothing can follow a stop reason but the end mark.
 */
function acceptMissingEnd(
  end: string,
  assembly: Assembler,
  optional: boolean,
  memory: CallMemory,
): void {
  const isEndless = end === 'end' && assembly.outcome === undefined && assembly.lacksOnlyTheEnd;
  if (isEndless && (optional || memory.endless > 0)) assembly.finish();
  memory.endless = isEndless ? memory.endless + 1 : 0;
}

function thrownFailure(
  thrown: unknown,
  wire: Wire,
  { request, context }: Call,
  sent: Pick<WireRequest, 'tools'>,
  inBody: boolean,
): Failure {
  const at = destinationOf(wire, request.model, sent.tools);
  return failureOfThrown(thrown, { at, rules: wire.rules, signal: context.signal, inBody });
}

/** Where a wire's requests go, for sentences. */
export function destinationOf(
  wire: Pick<Wire, 'address' | 'api' | 'billingPage' | 'clock' | 'name' | 'setting'>,
  model: string,
  tools: readonly string[] = [],
): Destination {
  const address = wire.address();
  return {
    model,
    baseUrl: withoutPassword(address),
    tools,
    now: wire.clock.now(),
    api: wire.api,
    name: wire.name,
    setting: wire.setting,
    billingPage: wire.billingPage?.(address),
  };
}
