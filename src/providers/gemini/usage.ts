import { isJsonObject } from '../../domain/data/json.ts';
import type { Usage } from '../../domain/message.ts';
import { count } from '../http/fields.ts';

/** Usage as Gemini tells it; `undefined` when it says nothing. Cached tokens are taken out of the input, thinking counts as output. */
export function usageFrom(told: unknown): Usage | undefined {
  if (!isJsonObject(told)) return undefined;
  const { promptTokenCount: given, candidatesTokenCount: written } = told;
  if (typeof given !== 'number' && typeof written !== 'number') return undefined;
  const [input, read] = [count(given), count(told['cachedContentTokenCount'])];
  const thoughts = count(told['thoughtsTokenCount']);
  return {
    inputTokens: Math.max(0, input - read) + count(told['toolUsePromptTokenCount']),
    outputTokens: count(written) + thoughts,
    cacheReadTokens: Math.min(read, input),
    cacheWriteTokens: 0,
    ...(thoughts === 0 ? {} : { reasoningTokens: thoughts }),
  };
}
