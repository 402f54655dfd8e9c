import type { Failure } from '../domain/failure.ts';
import type { FinishReason, Part, Usage } from '../domain/message.ts';
import type { ModelCall, ModelCallContext, ModelRequest } from './model-call/model-call.ts';

/** What one model call left behind. */
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
 * Streams one model call into one assistant message (B3): the message is announced first, then
 * grows. A discarded attempt vanishes: the message starts anew under a new id (E6).
 */
export async function streamAssistantTurn(
  call: ModelCall,
  request: ModelRequest,
  context: ModelCallContext,
  place: { readonly seq: number; readonly nextId: () => string },
): Promise<AssistantTurn> {
  const { emit } = context;
  let messageId = place.nextId();
  let announced = false;
  let model = request.model;
  let texts = new Map<number, string>();
  const begin = (): void => {
    if (announced) return;
    announced = true;
    emit({ type: 'message.started', messageId, messageSeq: place.seq, model });
  };
  begin();
  for await (const event of call(request, context)) {
    switch (event.type) {
      case 'started':
        model = event.model;
        break;
      case 'alive':
        break;
      case 'delta':
        begin();
        if (event.kind === 'text')
          texts.set(event.index, (texts.get(event.index) ?? '') + event.text);
        emit({
          type: 'message.delta',
          messageId,
          index: event.index,
          kind: event.kind,
          text: event.text,
        });
        break;
      case 'tool_call_started':
        begin();
        emit({
          type: 'message.tool_call_started',
          messageId,
          index: event.index,
          callId: event.callId,
          name: event.name,
        });
        break;
      case 'part':
        begin();
        emit({ type: 'message.part', messageId, index: event.index, part: event.part });
        break;
      case 'discard':
        if (announced) emit({ type: 'message.discarded', messageId, reason: event.reason });
        announced = false;
        texts = new Map();
        messageId = place.nextId();
        break;
      case 'warning':
        emit({ type: 'warning', message: event.message });
        break;
      case 'complete': {
        const { parts, finish, finishDetail, usage } = event.answer;
        const finishPart: Part = {
          type: 'finish',
          reason: finish,
          ...(finishDetail === undefined ? {} : { detail: finishDetail }),
        };
        return {
          messageId,
          parts: parts.length === 0 ? [] : [...parts, finishPart],
          finish,
          model: event.answer.model,
          ...(usage === undefined ? {} : { usage }),
        };
      }
      case 'failed':
        return brokenOff(messageId, model, texts, event.failure);
      default:
        return event satisfies never;
    }
  }
  return brokenOff(messageId, model, texts, {
    code: 'stream_broken',
    message:
      'The answer ended without its end mark. What was written before is kept; send a message to go on.',
  });
}

/**
 * A turn that was stopped or failed keeps the text that was shown, marked with why it ended.
 * Thinking without a signature and unfinished calls are dropped: they cannot be sent again.
 */
function brokenOff(
  messageId: string,
  model: string,
  texts: ReadonlyMap<number, string>,
  failure: Failure,
): AssistantTurn {
  const shown = [...texts.entries()]
    .toSorted(([left], [right]) => left - right)
    .map(([, text]) => text)
    .join('');
  const finish: FinishReason =
    failure.code === 'canceled' ? 'canceled' : failure.code === 'refusal' ? 'refusal' : 'failed';
  const end: Part = { type: 'finish', reason: finish, detail: failure.message };
  // A refusal without a word is marked as well: the next request leaves out what led to it (c11).
  const parts: readonly Part[] =
    shown.trim() !== '' ? [{ type: 'text', text: shown }, end] : finish === 'refusal' ? [end] : [];
  return { messageId, parts, finish, model, failure };
}
