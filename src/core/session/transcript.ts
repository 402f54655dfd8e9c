import type { RunEventBody } from '../../domain/event.ts';
import { toolCallsOf, toolResultsOf } from '../../domain/message.ts';
import type {
  FinishReason,
  Message,
  Origin,
  Part,
  Role,
  ToolCallPart,
  ToolResultPart,
  Usage,
} from '../../domain/message.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';

/** A new message's contents; the transcript adds id, place and time. */
export interface NewMessage {
  readonly id?: string;
  readonly role: Role;
  readonly origin?: Origin;
  readonly parts: readonly Part[];
  readonly model?: string;
  readonly usage?: Usage;
}

/** The messages of one session while a run works on it. Appending gives the message its place. */
export class Transcript {
  readonly sessionId: string;
  readonly runId: string;
  readonly #messages: Message[];
  readonly #ids: Ids;
  readonly #clock: Clock;
  readonly #callIds: Set<string>;

  constructor(
    place: { readonly sessionId: string; readonly runId: string },
    stored: readonly Message[],
    ids: Ids,
    clock: Clock,
  ) {
    this.sessionId = place.sessionId;
    this.runId = place.runId;
    this.#messages = [...stored];
    this.#ids = ids;
    this.#clock = clock;
    this.#callIds = new Set(
      stored.flatMap((message) => toolCallsOf(message).map((call) => call.id)),
    );
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** `seq` of the last message; 0 when there is none. */
  get cursor(): number {
    return this.#messages.at(-1)?.seq ?? 0;
  }

  get request(): Message | undefined {
    return this.#messages.findLast(
      ({ role, origin }) => role === 'user' && (origin ?? 'person') === 'person',
    );
  }

  /** Adds a message in memory; the caller makes it durable before it acts on it. */
  append(message: NewMessage): Message {
    const parts =
      message.role === 'assistant' ? this.#withUniqueCalls(message.parts) : message.parts;
    const added: Message = {
      ...message,
      id: message.id ?? this.#ids.next('message'),
      sessionId: this.sessionId,
      runId: this.runId,
      seq: this.cursor + 1,
      parts,
      createdAt: this.#clock.now(),
    };
    this.#messages.push(added);
    return added;
  }

  /** Adds the last calls' results, in order; a denial or stop ends the message so (B4, B15). */
  answer(results: readonly ToolResultPart[]): readonly Message[] {
    const reason = finishAfter(results);
    const refinished = reason === undefined ? [] : this.#refinish(reason);
    return [...refinished, this.append({ role: 'tool', parts: results })];
  }

  #refinish(reason: FinishReason): readonly Message[] {
    const index = this.#messages.findLastIndex(({ role }) => role === 'assistant');
    const message = this.#messages[index];
    if (message === undefined) return [];
    const parts = message.parts.map((part) =>
      part.type === 'finish' ? { ...part, reason } : part,
    );
    const changed: Message = { ...message, parts };
    this.#messages[index] = changed;
    return [changed];
  }

  /** Calls of the last assistant message that have no result yet: a resumed run begins with them. */
  unanswered(): readonly ToolCallPart[] {
    const answered = new Set<string>();
    for (let index = this.#messages.length - 1; index >= 0; index -= 1) {
      const message = this.#messages[index];
      if (message === undefined) break;
      for (const result of toolResultsOf(message)) answered.add(result.callId);
      if (message.role === 'assistant')
        return toolCallsOf(message).filter((call) => !answered.has(call.id));
    }
    return [];
  }

  /** Call ids are unique in a session, whatever the provider sends: a repeated one is renamed. */
  #withUniqueCalls(parts: readonly Part[]): readonly Part[] {
    return parts.map((part) => {
      if (part.type !== 'tool_call') return part;
      const id = this.#callIds.has(part.id) ? `${part.id}-${this.#ids.next('call')}` : part.id;
      this.#callIds.add(id);
      return id === part.id ? part : { ...part, id };
    });
  }
}

/** The reason a turn ended with its calls, where it is not their use: a denial cancels the rest. */
function finishAfter(results: readonly ToolResultPart[]): FinishReason | undefined {
  if (results.some(({ state }) => state === 'denied')) return 'permission_denied';
  return results.some(({ state }) => state === 'canceled') ? 'canceled' : undefined;
}

export function announced(message: Message): RunEventBody {
  return message.role === 'assistant'
    ? { type: 'message.completed', message }
    : { type: 'message.added', message };
}
