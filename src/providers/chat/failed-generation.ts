import type { ModelAnswer } from '../../core/model-call/model-call.ts';
import { ownCallId } from '../http/answer/shown-events.ts';
import { unusable } from '../http/answer/tool-input.ts';
import type { Refusal } from '../http/refusal/refusal.ts';

/**
 * The answer in a refusal that is the model's fault: its call was no call (Groq's `tool_use_failed`).
 * The model hears of it as of any call with unusable input; nothing is run.
 */
export function failedGeneration(
  { code, generation = '', text }: Refusal,
  { model, tools }: { readonly model: string; readonly tools: readonly string[] },
): ModelAnswer | undefined {
  if (code !== 'tool_use_failed') return undefined;
  const name =
    tools
      .toSorted((left, right) => right.length - left.length)
      .find((tool) => generation.includes(tool)) ?? 'unknown';
  const id = ownCallId();
  const { input, invalid } = unusable(generation, `The call could not be read: ${text}`);
  const part = { type: 'tool_call', id, name, input } as const;
  return {
    parts: [invalid === undefined ? part : { ...part, invalid }],
    finish: 'tool_use',
    finishDetail: code,
    model,
  };
}
