import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { RunEvent } from '../../../domain/event.ts';
import type { Message, Part } from '../../../domain/message.ts';
import type { TodoItem } from '../../../domain/session/todo.ts';
import { diffsOf, kindOf, locationsOf, resultOf, titleOf } from './tool-views.ts';

const STATUS = { open: 'pending', active: 'in_progress', done: 'completed' } as const;

type Chunk = 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk';

const chunk = (sessionUpdate: Chunk, text: string, messageId: string): SessionUpdate => ({
  sessionUpdate,
  content: { type: 'text', text },
  messageId,
});

/** A sentence of Belay itself. */
export const spoken = (text: string): SessionUpdate => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
});

/** Makes updates for a client of the events of one session. */
export class Updates {
  readonly #root: string;
  /** Characters of the texts of the answer that is being written that the client has, by index. */
  #sent = new Map<number, number>();
  /** Pieces were lost: the rest of the text comes with the whole answer. */
  #isBroken = false;

  /** @param root the folder that relative paths are below */
  constructor(root: string) {
    this.#root = root;
  }

  /** Pieces of the present answer may be missing. */
  lost(): void {
    this.#isBroken = true;
  }

  of(event: RunEvent): readonly SessionUpdate[] {
    switch (event.type) {
      case 'message.started':
        this.#sent = new Map();
        this.#isBroken = false;
        return [];
      case 'message.delta':
        return this.#piece(event);
      case 'message.completed':
        return this.#rest(event.message);
      case 'message.discarded':
        this.#sent = new Map();
        return [spoken('\n\n(The answer broke off and begins anew.)\n\n')];
      case 'tool.pending':
        return [callOf(this.#root, event.callId, event.name, event.input)];
      case 'tool.started':
        return [
          { sessionUpdate: 'tool_call_update', toolCallId: event.callId, status: 'in_progress' },
        ];
      case 'tool.finished':
        return [resultUpdate(event.callId, event.result)];
      case 'session.todo':
        return [planOf(event.items)];
      case 'session.titled':
        return [{ sessionUpdate: 'session_info_update', title: event.title }];
      case 'warning':
        return [spoken(`\n\n${event.message}\n\n`)];
      default:
        return [];
    }
  }

  #piece(event: Extract<RunEvent, { type: 'message.delta' }>): readonly SessionUpdate[] {
    const { kind, text, index, messageId } = event;
    if (kind === 'tool_input' || this.#isBroken) return [];
    this.#sent.set(index, (this.#sent.get(index) ?? 0) + text.length);
    return [
      chunk(kind === 'text' ? 'agent_message_chunk' : 'agent_thought_chunk', text, messageId),
    ];
  }

  #rest({ parts, id }: Message): readonly SessionUpdate[] {
    const updates = parts.flatMap((part, index) => {
      if (part.type !== 'text' && part.type !== 'reasoning') return [];
      const left = part.text.slice(this.#sent.get(index) ?? 0);
      const name = part.type === 'text' ? 'agent_message_chunk' : 'agent_thought_chunk';
      return left === '' ? [] : [chunk(name, left, id)];
    });
    this.#sent = new Map();
    this.#isBroken = false;
    return updates;
  }
}

/** A session's messages, for a client that shows them anew. */
export function replayed(root: string, messages: readonly Message[]): readonly SessionUpdate[] {
  return messages.flatMap((message) => {
    if (message.origin === 'environment' || message.origin === 'memory') return [];
    return message.parts.flatMap((part) => replayedPart(root, message, part));
  });
}

function replayedPart(root: string, message: Message, part: Part): readonly SessionUpdate[] {
  switch (part.type) {
    case 'text':
      return [
        chunk(
          message.role === 'assistant' ? 'agent_message_chunk' : 'user_message_chunk',
          part.text,
          message.id,
        ),
      ];
    case 'reasoning':
      return part.text === '' ? [] : [chunk('agent_thought_chunk', part.text, message.id)];
    case 'tool_call':
      return [callOf(root, part.id, part.name, part.input)];
    case 'tool_result':
      return [resultUpdate(part.callId, part)];
    default:
      return [];
  }
}

function callOf(
  root: string,
  toolCallId: string,
  name: string,
  input: Extract<RunEvent, { type: 'tool.pending' }>['input'],
): SessionUpdate {
  return {
    sessionUpdate: 'tool_call',
    toolCallId,
    title: titleOf(name, input),
    kind: kindOf(name),
    status: 'pending',
    rawInput: input,
    locations: locationsOf(root, input),
    content: diffsOf(root, name, input),
  };
}

function resultUpdate(
  toolCallId: string,
  { state, content, name }: Extract<RunEvent, { type: 'tool.finished' }>['result'],
): SessionUpdate {
  const isGood = state === 'done';
  return {
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: isGood ? 'completed' : 'failed',
    // The diff of an edit that went well stays.
    ...(isGood && kindOf(name) === 'edit' ? {} : { content: resultOf(content) }),
  };
}

const planOf = (items: readonly TodoItem[]): SessionUpdate => ({
  sessionUpdate: 'plan',
  entries: items.map(({ text, status }) => ({
    content: text,
    status: STATUS[status],
    priority: 'medium',
  })),
});
