import { told } from '../../domain/text/told.ts';
import { type Failure, type Reason, tells } from '../../domain/failure.ts';
import type { FinishPart, FinishReason, Part, Usage } from '../../domain/message.ts';
import type {
  ModelAnswer,
  ModelCall,
  ModelCallContext,
  ModelRequest,
} from '../model-call/model-call.ts';
import type { Emit } from '../ports/events.ts';

export interface AssistantTurn {
  readonly messageId: string;
  /** Finish part included. Empty when nothing is worth keeping. */
  readonly parts: readonly Part[];
  readonly finish: FinishReason;
  readonly model: string;
  readonly usage?: Usage;
  readonly failure?: Failure;
}

/**
 * Streams one model call into one message (B3). A discarded attempt stays in sight until the next
 * one shows something under a new id (E6); without that, its text is kept.
 */
export async function streamAssistantTurn(
  call: ModelCall,
  request: ModelRequest,
  context: ModelCallContext,
  place: { readonly seq: number; readonly nextId: () => string },
): Promise<AssistantTurn> {
  const { emit } = context;
  const shown = new ShownMessage(emit, place);
  let { model } = request;
  shown.begin(model);
  for await (const event of call(request, context)) {
    switch (event.type) {
      case 'started':
        model = event.model;
        break;
      case 'alive':
        break;
      case 'delta': {
        const { index, kind, text } = event;
        const messageId = shown.begin(model);
        if (kind === 'text') shown.grow(index, text);
        emit({ type: 'message.delta', messageId, index, kind, text });
        break;
      }
      case 'tool_call_started': {
        const { index, callId, name } = event;
        const messageId = shown.begin(model);
        emit({ type: 'message.tool_call_started', messageId, index, callId, name });
        break;
      }
      case 'part': {
        const { index, part } = event;
        if (part.type === 'reasoning') shown.drop(index);
        emit({ type: 'message.part', messageId: shown.begin(model), index, part });
        break;
      }
      case 'discard':
        shown.discard(event);
        break;
      case 'warning':
        emit(event);
        break;
      case 'complete':
        return completeTurn(shown.begin(model), event.answer);
      case 'failed':
        return brokenOff(shown, model, event.failure);
      default:
        return event satisfies never;
    }
  }
  return brokenOff(shown, model, {
    code: 'stream_broken',
    ...tells(
      told`The answer ended without its end mark. What was written before is kept; send a message to go on.`,
    ),
  });
}

class ShownMessage {
  readonly #emit: Emit;
  readonly #place: { readonly seq: number; readonly nextId: () => string };
  #id: string;
  #announced = false;
  #discarded: Reason | undefined;
  #texts = new Map<number, string>();

  constructor(emit: Emit, place: { readonly seq: number; readonly nextId: () => string }) {
    this.#emit = emit;
    this.#place = place;
    this.#id = place.nextId();
  }

  get id(): string {
    return this.#id;
  }

  /** The text of the attempt in sight. */
  get text(): string {
    const inOrder = [...this.#texts.entries()].toSorted(([left], [right]) => left - right);
    return inOrder.map(([, text]) => text).join('');
  }

  /** Announces the message where that was not done, in place of a discarded one. Gives its id. */
  begin(model: string): string {
    if (this.#discarded !== undefined) {
      this.#emit({ ...this.#discarded, type: 'message.discarded', messageId: this.#id });
      this.#discarded = undefined;
      this.#announced = false;
      this.#texts = new Map();
      this.#id = this.#place.nextId();
    }
    if (!this.#announced) {
      const messageSeq = this.#place.seq;
      this.#emit({ type: 'message.started', messageId: this.#id, messageSeq, model });
      this.#announced = true;
    }
    return this.#id;
  }

  grow(index: number, text: string): void {
    this.#texts.set(index, (this.#texts.get(index) ?? '') + text);
  }

  /** Text that turned out to be thinking is not part of the answer. */
  drop(index: number): void {
    this.#texts.delete(index);
  }

  discard(reason: Reason): void {
    this.#discarded = reason;
  }
}

function completeTurn(messageId: string, answer: ModelAnswer): AssistantTurn {
  const { parts, finish, finishDetail, usage, model } = answer;
  const finishPart: Part = {
    type: 'finish',
    reason: finish,
    ...(finishDetail === undefined ? {} : { detail: finishDetail }),
  };
  return {
    messageId,
    parts: parts.length === 0 ? [] : [...parts, finishPart],
    finish,
    model,
    ...(usage === undefined ? {} : { usage }),
  };
}

const detailOf = ({ message, told: said }: Failure): Pick<FinishPart, 'detail' | 'told'> => ({
  detail: message,
  ...(said === undefined ? {} : { told: said }),
});

/** A stopped or failed turn's text, without unsigned thinking and unfinished calls. */
function brokenOff(shown: ShownMessage, model: string, failure: Failure): AssistantTurn {
  const finish: FinishReason =
    failure.code === 'canceled' ? 'canceled' : failure.code === 'refusal' ? 'refusal' : 'failed';
  // A plain stop needs no more words than its reason.
  const isPlainStop = finish === 'canceled' && failure.details?.['cause'] === undefined;
  const end: Part = {
    type: 'finish',
    reason: finish,
    ...(isPlainStop ? {} : detailOf(failure)),
  };
  const { id: messageId, text } = shown;
  // Without a word, a stop leaves its mark, and so does a refusal: the next request leaves out what led to it (c11).
  const parts: readonly Part[] =
    text.trim() !== '' ? [{ type: 'text', text }, end] : finish === 'failed' ? [] : [end];
  return { messageId, parts, finish, model, failure };
}
