import { inWords } from '../../domain/text/told.ts';
import { toolResultsOf } from '../../domain/message.ts';
import type { Message, Part, ToolResultPart } from '../../domain/message.ts';
import type { Mention } from '../../domain/mention.ts';
import type { MentionView, MessageView, PartView } from '../../protocol/view.ts';
import { binaryView } from '../cards/media-view.ts';
import { resultPatch, toolView } from '../cards/tool-view.ts';

/** Stored messages as the panel shows them: results are put on the cards of their calls. */
export function messageViews(messages: readonly Message[]): MessageView[] {
  const results = new Map<string, ToolResultPart>();
  for (const message of messages) {
    for (const result of toolResultsOf(message)) results.set(result.callId, result);
  }
  return messages
    .filter((message) => message.role !== 'tool')
    .map((message) => messageView(message, (callId) => results.get(callId)));
}

/** One message; `resultOf` knows the results of its calls. */
export function messageView(
  message: Message,
  resultOf: (callId: string) => ToolResultPart | undefined = () => undefined,
): MessageView {
  return {
    id: message.id,
    seq: message.seq,
    role: message.role === 'assistant' ? 'assistant' : 'user',
    createdAt: message.createdAt,
    parts: message.parts.map((part) => partView(part, resultOf)),
    open: false,
    ...(message.origin === undefined ? {} : { origin: message.origin }),
    ...(message.model === undefined ? {} : { model: message.model }),
  };
}

/** A part as the panel shows it. */
export function partView(
  part: Part,
  resultOf: (callId: string) => ToolResultPart | undefined = () => undefined,
): PartView {
  switch (part.type) {
    case 'text':
      return part.mention === undefined
        ? { type: 'text', text: part.text }
        : mentionView(part.text, part.mention);
    case 'finish': {
      const { told, ...view } = part;
      return told === undefined ? view : { ...view, detail: told.map(inWords).join(' ') };
    }
    case 'image_url':
      return part;
    case 'reasoning':
      return { type: 'reasoning', text: part.text };
    case 'tool_call': {
      const result = resultOf(part.id);
      const view = toolView(part);
      return result === undefined ? view : { ...view, ...resultPatch(result, false) };
    }
    case 'tool_result':
      // A result outside a message of role `tool` has no card of its own.
      return { type: 'text', text: '' };
    case 'binary':
      return binaryView(part);
    default:
      return part satisfies never;
  }
}

/** Characters of what was taken of a mention that the panel is sent. */
const SHOWN = 4000;

function mentionView(text: string, mention: Mention): MentionView {
  return { type: 'mention', mention, text: { text: text.slice(0, SHOWN), total: text.length } };
}
