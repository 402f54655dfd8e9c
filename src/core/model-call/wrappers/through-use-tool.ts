import type { Message, Part } from '../../../domain/message.ts';
import { collapsed, expanded } from '../../tool-call/use-tool.ts';
import type { ModelCall, ModelEvent, WrapModelCall } from '../model-call.ts';

/**
 * Outermost. The model calls rare tools through `use_tool`; everything of ours sees the call of the
 * tool itself. Messages are put back into the model's form once.
 */
export function withExpandedUseTool(): WrapModelCall {
  const sent = new WeakMap<Message, Message>();
  const asSent = (message: Message): Message => {
    if (!message.parts.some(isThrough)) return message;
    const known = sent.get(message);
    if (known !== undefined) return known;
    const parts = message.parts.map((part) => (isThrough(part) ? collapsed(part) : part));
    const made = { ...message, parts };
    sent.set(message, made);
    return made;
  };
  return (next: ModelCall): ModelCall =>
    async function* expanding(request, context) {
      const messages = request.messages.map(asSent);
      for await (const event of next({ ...request, messages }, context)) yield expandedIn(event);
    };
}

const isThrough = (part: Part): part is Extract<Part, { type: 'tool_call' }> =>
  part.type === 'tool_call' && part.via !== undefined;

const expandedPart = (part: Part): Part => (part.type === 'tool_call' ? expanded(part) : part);

function expandedIn(event: ModelEvent): ModelEvent {
  if (event.type === 'part') return { ...event, part: expandedPart(event.part) };
  if (event.type !== 'complete') return event;
  return { ...event, answer: { ...event.answer, parts: event.answer.parts.map(expandedPart) } };
}
