import type {
  FinishReason,
  Message,
  Origin,
  Part,
  ToolResultState,
  Usage,
} from '../../../src/domain/message.ts';
import type { Compaction } from '../../../src/domain/session/session.ts';
import type { ModelInfo } from '../../../src/domain/models/model.ts';
import type {
  ModelCall,
  ModelCallContext,
  ModelEvent,
  ModelRequest,
} from '../../../src/core/model-call/model-call.ts';
import type { Ids } from '../../../src/core/ports/ids.ts';

/** Tells a transcript, one message after the other. */
export class Story {
  readonly messages: Message[] = [];
  #calls = 0;

  person(text: string): this {
    return this.#add({ role: 'user', origin: 'person', parts: [{ type: 'text', text }] });
  }

  note(origin: Origin, text: string): this {
    return this.#add({ role: 'user', origin, parts: [{ type: 'text', text }] });
  }

  says(text: string, finish: FinishReason = 'end_turn', usage?: Usage): this {
    const parts: Part[] = text === '' ? [] : [{ type: 'text', text }];
    parts.push({ type: 'finish', reason: finish });
    return this.#add({ role: 'assistant', parts, ...(usage === undefined ? {} : { usage }) });
  }

  /** One turn of calls and their results. */
  calls(
    ...calls: readonly {
      name: string;
      input?: Record<string, string>;
      result: string;
      state?: ToolResultState;
    }[]
  ): this {
    const ids = calls.map(() => `call-${(this.#calls += 1)}`);
    this.#add({
      role: 'assistant',
      parts: [
        ...calls.map((call, index): Part => ({
          type: 'tool_call',
          id: ids[index] ?? '',
          name: call.name,
          input: call.input ?? {},
        })),
        { type: 'finish', reason: 'tool_use' },
      ],
    });
    return this.#add({
      role: 'tool',
      parts: calls.map((call, index): Part => ({
        type: 'tool_result',
        callId: ids[index] ?? '',
        name: call.name,
        state: call.state ?? 'done',
        content: [{ type: 'text', text: call.result }],
      })),
    });
  }

  /** `count` turns that each read one file of its own. */
  reads(count: number, characters = 40): this {
    for (let n = 1; n <= count; n += 1) {
      const path = `src/file-${this.messages.length}.ts`;
      this.calls({
        name: 'read_file',
        input: { path },
        result: `${path} ${'x'.repeat(characters)}`,
      });
    }
    return this;
  }

  #add(message: Omit<Message, 'id' | 'sessionId' | 'seq' | 'createdAt'>): this {
    const seq = this.messages.length + 1;
    this.messages.push({
      ...message,
      id: `m${seq}`,
      sessionId: 's',
      runId: 'r',
      seq,
      createdAt: seq,
    });
    return this;
  }
}

export function compaction(changes: Partial<Compaction> = {}): Compaction {
  return {
    id: 'k1',
    sessionId: 's',
    throughSeq: 1,
    summary: 'What happened.',
    strategy: 'summarize',
    reason: 'threshold',
    tokensBefore: 100,
    tokensAfter: 50,
    undone: false,
    createdAt: 0,
    ...changes,
  };
}

/** Each message as one short word: role initial and seq, `S` for a summary. */
export function outline(messages: readonly Message[]): string {
  return messages
    .map((message) => (message.origin === 'summary' ? 'S' : `${message.role[0]}${message.seq}`))
    .join(' ');
}

export class CountingIds implements Ids {
  #last = 0;

  next(kind: Parameters<Ids['next']>[0]): string {
    this.#last += 1;
    return `${kind}-${this.#last}`;
  }
}

export const model: ModelInfo = {
  id: 'small',
  name: 'Small',
  provider: 'test',
  contextWindow: 100_000,
  maxOutputTokens: 8000,
  thinking: false,
  vision: false,
  toolChoice: true,
};

/** A model that answers by a rule and keeps what it was asked. */
export function scripted(
  answer: (request: ModelRequest, context: ModelCallContext) => Promise<ModelEvent> | ModelEvent,
): {
  readonly call: ModelCall;
  readonly requests: ModelRequest[];
  readonly contexts: ModelCallContext[];
} {
  const requests: ModelRequest[] = [];
  const contexts: ModelCallContext[] = [];
  async function* call(
    request: ModelRequest,
    context: ModelCallContext,
  ): AsyncGenerator<ModelEvent> {
    requests.push(request);
    contexts.push(context);
    yield { type: 'started', model: request.model };
    yield await answer(request, context);
  }
  return { call, requests, contexts };
}

export function answered(text: string, finish: FinishReason = 'end_turn'): ModelEvent {
  return {
    type: 'complete',
    answer: { parts: text === '' ? [] : [{ type: 'text', text }], finish, model: 'small' },
  };
}
