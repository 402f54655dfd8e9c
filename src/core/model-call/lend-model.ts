import { BelayError } from '../../domain/failure.ts';
import { type Message, textOf } from '../../domain/message.ts';
import type { ModelInfo } from '../../domain/models/model.ts';
import { type ModelCall, type ModelCallContext, completeCall } from './model-call.ts';

/** A prompt of a stranger that the person has agreed to. */
export interface LentRequest {
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
  readonly system?: string;
  /** Tokens of the answer. */
  readonly maxTokens: number;
}

export interface LentAnswer {
  readonly text: string;
  /** The model that answered. */
  readonly model: string;
  readonly stopReason: 'endTurn' | 'maxTokens';
}

/** Answers a stranger's prompt and nothing else: no tools, nothing of the conversation. Rejects with `BelayError`. */
export async function lendModel(
  { call, model }: { readonly call: ModelCall; readonly model: ModelInfo },
  { messages, system, maxTokens }: LentRequest,
  context: Omit<ModelCallContext, 'purpose'>,
): Promise<LentAnswer> {
  const outcome = await completeCall(
    call,
    {
      model: model.id,
      system: system === undefined ? [] : [system],
      messages: messages.map(({ role, text }, index): Message => ({
        id: `lent-${index}`,
        sessionId: context.sessionId,
        seq: index + 1,
        role,
        parts: [{ type: 'text', text: text.toWellFormed() }],
        createdAt: 0,
      })),
      tools: [],
      toolChoice: { type: 'auto' },
      maxOutputTokens: Math.min(maxTokens, model.maxOutputTokens),
      thinking: 'off',
    },
    { ...context, purpose: 'task' },
  );
  if ('failure' in outcome) throw new BelayError(outcome.failure);
  const { answer } = outcome;
  const stopReason = answer.finish === 'max_tokens' ? 'maxTokens' : 'endTurn';
  return { text: textOf(answer), model: answer.model, stopReason };
}
