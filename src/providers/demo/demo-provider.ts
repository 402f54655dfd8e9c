import { failureOf } from '../../domain/failure.ts';
import type { Message, Part, TextPart, ToolCallPart, Usage } from '../../domain/message.ts';
import { roughTokens } from '../../core/context/tokens/estimate.ts';
import { sizeOf } from '../../core/context/tokens/message-size.ts';
import type {
  ModelCallContext,
  ModelEvent,
  ModelRequest,
  Provider,
} from '../../core/model-call/model-call.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { backgroundAnswer } from './background-answer.ts';
import { DEMO_MODEL } from './demo-model.ts';
import { answerTo, type Reply } from './tour.ts';

/** Milliseconds before the first word and between two: quick, but visibly a stream. */
const FIRST_DELAY = 60;
const WORD_DELAY = 12;
/** Characters of a call's arguments that come at once. */
const INPUT_CHUNK = 24;

/** Creates the demo model, which works in process without key or network. */
export function createDemoProvider({ clock }: { readonly clock: Clock }): Provider {
  return {
    id: 'demo',
    models: () => [DEMO_MODEL],
    call: (request, context) => stream(request, context, clock),
  };
}

async function* stream(
  request: ModelRequest,
  context: ModelCallContext,
  clock: Clock,
): AsyncGenerator<ModelEvent> {
  try {
    const background = backgroundAnswer(request, context);
    const reply: Reply = background === undefined ? answerTo(request) : { text: background };
    await clock.sleep(FIRST_DELAY, context.signal);
    yield { type: 'started', model: DEMO_MODEL.id };
    const parts: Part[] = [];
    if (reply.text !== '') parts.push(yield* streamText(reply.text, context.signal, clock));
    const place = request.messages.at(-1)?.seq ?? 0;
    if (reply.call !== undefined) {
      const at = { index: parts.length, id: `demo_${place}_1` };
      parts.push(yield* streamCall(reply.call, at, context.signal, clock));
    }
    yield {
      type: 'complete',
      answer: {
        parts,
        finish: reply.call === undefined ? 'end_turn' : 'tool_use',
        usage: usageOf(request, parts),
        model: DEMO_MODEL.id,
      },
    };
  } catch (thrown) {
    yield { type: 'failed', failure: failureOf(thrown) };
  }
}

/** The text, word by word with the space after it. */
async function* streamText(
  text: string,
  signal: AbortSignal,
  clock: Clock,
): AsyncGenerator<ModelEvent, TextPart> {
  for (const word of text.match(/\S+\s*|\s+/gu) ?? [text]) {
    yield { type: 'delta', index: 0, kind: 'text', text: word };
    await clock.sleep(WORD_DELAY, signal);
  }
  const part: TextPart = { type: 'text', text };
  yield { type: 'part', index: 0, part };
  return part;
}

async function* streamCall(
  { name, input }: NonNullable<Reply['call']>,
  { index, id }: { readonly index: number; readonly id: string },
  signal: AbortSignal,
  clock: Clock,
): AsyncGenerator<ModelEvent, ToolCallPart> {
  yield { type: 'tool_call_started', index, callId: id, name };
  const json = JSON.stringify(input);
  const step = Math.max(INPUT_CHUNK, Math.ceil(json.length / 40));
  for (let at = 0; at < json.length; at += step) {
    yield { type: 'delta', index, kind: 'tool_input', text: json.slice(at, at + step) };
    await clock.sleep(WORD_DELAY, signal);
  }
  const part: ToolCallPart = { type: 'tool_call', id, name, input };
  yield { type: 'part', index, part };
  return part;
}

/** Tokens by length: the demo has no tokenizer, and costs nothing. */
function usageOf(request: ModelRequest, parts: readonly Part[]): Usage {
  const tokensOf = (message: Pick<Message, 'parts'>): number => {
    const size = sizeOf(message);
    return roughTokens(size.text) + size.mediaTokens;
  };
  const prefix = roughTokens(JSON.stringify([request.system, request.tools]));
  return {
    inputTokens: request.messages.reduce((sum, message) => sum + tokensOf(message), prefix),
    outputTokens: tokensOf({ parts }),
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    estimated: true,
  };
}
