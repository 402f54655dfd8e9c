import { isJsonObject } from '../../domain/json.ts';
import type { ModelInfo } from '../../domain/model.ts';

/** A model as servers list it, in today's knowledge of it: what the server says wins. */
export function listedModel(listed: unknown, known: ModelInfo): ModelInfo {
  if (!isJsonObject(listed)) return known;
  const number = (...names: readonly string[]): number | undefined =>
    names
      .map((name) => listed[name])
      .find((value): value is number => typeof value === 'number' && value > 0);
  const top = isJsonObject(listed['top_provider']) ? listed['top_provider'] : {};
  const contextWindow =
    number('context_length', 'max_model_len', 'context_window', 'max_context_length') ??
    known.contextWindow;
  const limit = top['max_completion_tokens'];
  const maxOutputTokens =
    (typeof limit === 'number' && limit > 0 ? limit : undefined) ??
    number('max_completion_tokens', 'max_output_tokens') ??
    known.maxOutputTokens;
  const name = typeof listed['name'] === 'string' ? listed['name'] : known.name;
  return {
    ...known,
    name,
    contextWindow,
    maxOutputTokens: Math.min(maxOutputTokens, contextWindow),
  };
}
