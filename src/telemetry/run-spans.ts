import type { RunEvent } from '../domain/event.ts';
import type { Message, Part, Usage } from '../domain/message.ts';
import { textOf } from '../domain/message.ts';
import { OpenSpan } from './open-span.ts';
import type { Attributes, Span } from './span.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

/** Runs that are followed at once; of more, the oldest ends as it is. */
const MOST_RUNS = 1000;

export interface RunSpansParts {
  /** The session that delegated to this one. */
  readonly parentOf: (sessionId: string) => Promise<string | undefined>;
  /** The kind of service that a model is asked at, as `gen_ai.provider.name` has it. */
  readonly providerOf: (model: string) => string;
  /** Prompts, answers, arguments and results go along. */
  readonly content: () => boolean;
}

/** A run with what is on in it. */
interface FollowedRun {
  readonly sessionId: string;
  readonly span: OpenSpan;
  readonly tools: Map<string, OpenSpan>;
  model: string;
  chat: OpenSpan | undefined;
  usage: Attributes;
  /** Messages since the last call of the model; empty without content. */
  asked: Message[];
  /** Arguments of calls, by their id; empty without content. */
  readonly inputs: Map<string, string>;
}

/** Events that are noted in the span of their run, with the fields that say nothing of content. */
const NOTED: Readonly<Partial<Record<RunEvent['type'], readonly string[]>>> = {
  'model.waiting': ['attempt', 'attempts'],
  'model.fallback': ['from', 'to'],
  'tool.approval': ['name'],
  'agent.tool.retry': ['name', 'attempt', 'waitMs'],
  'agent.loop.detected': ['tier', 'tool', 'level'],
  'agent.guardrail.escalated': ['guardrail', 'level'],
  'agent.compaction.run': ['reason', 'strategy', 'tokensBefore', 'tokensAfter'],
  'agent.recovery.fired': ['stage', 'tokensBefore', 'tokensAfter'],
  'agent.exhaustion.celery_soft': ['activeMs', 'limitMs'],
  'context.warning': ['estimatedTokens', 'contextLimit'],
  'agent_run.waiting': ['for'],
  'agent_run.answered': [],
  'agent_run.stopping': [],
};

/**
 * Makes spans of run events after the conventions for generative AI: `invoke_agent` for a run, in it `chat MODEL` for
 * each request and `execute_tool NAME` for each call. The run of a delegated session lies below the call.
 */
export class RunSpans {
  readonly #parts: RunSpansParts;
  readonly #runs = new Map<string, FollowedRun>();

  constructor(parts: RunSpansParts) {
    this.#parts = parts;
  }

  /** Spans that an event ended. */
  async take(event: RunEvent): Promise<readonly Span[]> {
    if (event.type === 'agent_run.started') return this.#begin(event);
    const run = this.#runs.get(event.runId);
    if (run === undefined) return [];
    this.#note(run, event);
    switch (event.type) {
      case 'message.added':
        if (this.#parts.content()) run.asked.push(event.message);
        return [];
      case 'model.request':
        return this.#ask(run, event);
      case 'model.usage':
        if (event.purpose === 'turn') run.usage = usageOf(event.usage, event.cost);
        return [];
      case 'message.completed':
        return this.#answered(run, event);
      case 'message.discarded':
        run.chat?.note('message.discarded', event.at, {});
        return [];
      case 'tool.started':
        return this.#call(run, event);
      case 'tool.pending':
        if (this.#parts.content()) run.inputs.set(event.callId, JSON.stringify(event.input));
        return [];
      case 'tool.finished':
        return this.#called(run, event);
      case 'agent_run.completed':
      case 'agent_run.cancelled':
      case 'agent_run.failed':
        return this.#end(run, event);
      case 'agent_run.handed_over':
        this.#runs.delete(event.runId);
        return closed(run, event.at);
      default:
        return [];
    }
  }

  /** Everything that is open: nobody follows it any more. @param at milliseconds since the epoch */
  rest(at: number): readonly Span[] {
    const left = [...this.#runs.values()].flatMap((run) => closed(run, at));
    this.#runs.clear();
    return left;
  }

  async #begin(event: Of<'agent_run.started'>): Promise<readonly Span[]> {
    const { sessionId, runId, model, resumed, at } = event;
    const parent = await this.#parentOf(sessionId);
    const span = new OpenSpan(
      'invoke_agent belay',
      at,
      {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': 'belay',
        'gen_ai.provider.name': this.#parts.providerOf(model),
        'gen_ai.request.model': model,
        'gen_ai.conversation.id': sessionId,
        'belay.run.id': runId,
        'belay.run.resumed': resumed,
      },
      parent,
    );
    const [oldest] = this.#runs.values();
    const left = this.#runs.size >= MOST_RUNS && oldest !== undefined ? closed(oldest, at) : [];
    if (left.length > 0) this.#runs.delete(this.#runs.keys().next().value ?? '');
    this.#runs.set(runId, {
      sessionId,
      span,
      tools: new Map(),
      model,
      chat: undefined,
      usage: {},
      asked: [],
      inputs: new Map(),
    });
    return left;
  }

  /** The call that a session is the work of: its id is the session's, else it is the parent's newest. */
  async #parentOf(sessionId: string): Promise<OpenSpan | undefined> {
    for (const { tools } of this.#runs.values()) {
      const call = tools.get(sessionId);
      if (call !== undefined) return call;
    }
    const parent = await this.#parts.parentOf(sessionId);
    if (parent === undefined) return undefined;
    const run = [...this.#runs.values()].findLast((one) => one.sessionId === parent);
    return run === undefined ? undefined : ([...run.tools.values()].at(-1) ?? run.span);
  }

  #note(run: FollowedRun, event: RunEvent): void {
    const fields = NOTED[event.type];
    if (fields === undefined) return;
    const values: Readonly<Record<string, unknown>> = { ...event };
    const attributes = Object.fromEntries(
      fields.flatMap((name) => {
        const value = values[name];
        return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [];
      }),
    );
    run.span.note(event.type, event.at, attributes);
  }

  #ask(run: FollowedRun, { model, at, estimatedTokens }: Of<'model.request'>): readonly Span[] {
    const before = run.chat?.end(at);
    run.model = model;
    run.usage = {};
    const asked = run.asked;
    run.asked = [];
    run.chat = new OpenSpan(
      `chat ${model}`,
      at,
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': this.#parts.providerOf(model),
        'gen_ai.request.model': model,
        'gen_ai.conversation.id': run.sessionId,
        'belay.request.estimated_tokens': estimatedTokens,
        'gen_ai.input.messages': asked.length === 0 ? undefined : JSON.stringify(asked.map(said)),
      },
      run.span,
      'client',
    );
    return before === undefined ? [] : [before];
  }

  #answered(run: FollowedRun, { message, at }: Of<'message.completed'>): readonly Span[] {
    const { chat } = run;
    run.chat = undefined;
    if (chat === undefined) return [];
    const finish = message.parts.find((part) => part.type === 'finish')?.reason;
    chat.set({
      ...run.usage,
      'gen_ai.response.model': message.model ?? run.model,
      'gen_ai.response.id': message.id,
      'gen_ai.response.finish_reasons': finish === undefined ? undefined : [finish],
      'gen_ai.output.messages': this.#parts.content() ? JSON.stringify([said(message)]) : undefined,
    });
    return [chat.end(at)];
  }

  #call(run: FollowedRun, { callId, name, at }: Of<'tool.started'>): readonly Span[] {
    const attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': callId,
      'gen_ai.tool.type': 'function',
      'gen_ai.conversation.id': run.sessionId,
      'gen_ai.tool.call.arguments': run.inputs.get(callId),
    };
    run.inputs.delete(callId);
    run.tools.set(callId, new OpenSpan(`execute_tool ${name}`, at, attributes, run.span));
    return [];
  }

  #called(run: FollowedRun, event: Of<'tool.finished'>): readonly Span[] {
    const { callId, name, result, replayed, at } = event;
    // A call that was refused never ran; one that is replayed ran in an earlier trace.
    if (!run.tools.has(callId)) {
      if (replayed) return [];
      this.#call(run, { ...event, type: 'tool.started', name });
    }
    const span = run.tools.get(callId);
    run.tools.delete(callId);
    if (span === undefined) return [];
    if (result.state !== 'done') span.fail(result.state, 'The call did not end well.');
    if (this.#parts.content())
      span.set({ 'gen_ai.tool.call.result': JSON.stringify(result.content.map(plain)) });
    return [span.end(at)];
  }

  #end(
    run: FollowedRun,
    { end, runId, at }: Of<'agent_run.completed' | 'agent_run.cancelled' | 'agent_run.failed'>,
  ): readonly Span[] {
    this.#runs.delete(runId);
    run.span.set({ 'belay.run.end': end.reason });
    if (end.failure !== undefined) {
      run.chat?.fail(end.failure.code, end.failure.message);
      run.span.fail(end.failure.code, end.failure.message);
    }
    return closed(run, at);
  }
}

/** Everything of a run that is open. */
function closed(run: FollowedRun, at: number): readonly Span[] {
  const chat = run.chat === undefined ? [] : [run.chat];
  return [...chat, ...run.tools.values(), run.span].map((span) => span.end(at));
}

/** Input has what came from the cache in it, as the conventions want. */
function usageOf(usage: Usage, cost: number | undefined): Attributes {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = usage;
  return {
    'gen_ai.usage.input_tokens': inputTokens + cacheReadTokens + cacheWriteTokens,
    'gen_ai.usage.output_tokens': outputTokens,
    'gen_ai.usage.cache_read.input_tokens': cacheReadTokens,
    'gen_ai.usage.cache_creation.input_tokens': cacheWriteTokens,
    'gen_ai.usage.reasoning.output_tokens': reasoningTokens,
    'belay.cost.usd': cost,
  };
}

const plain = (part: Part): unknown =>
  part.type === 'text' ? { type: 'text', content: part.text } : { type: part.type };

/** A message in the form of the conventions; pictures and reasoning only by their kind. */
function said(message: Message): unknown {
  const parts = message.parts.flatMap((part): readonly unknown[] => {
    switch (part.type) {
      case 'text':
        return [plain(part)];
      case 'tool_call':
        return [{ type: 'tool_call', id: part.id, name: part.name, arguments: part.input }];
      case 'tool_result':
        return [
          {
            type: 'tool_call_response',
            id: part.callId,
            response: textOf({ parts: part.content }),
          },
        ];
      case 'finish':
        return [];
      default:
        return [{ type: part.type }];
    }
  });
  return { role: message.role, parts };
}
