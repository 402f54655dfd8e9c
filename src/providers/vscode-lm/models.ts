import type { EditorModel } from '../../core/ports/editor/editor-models.ts';
import type { ModelInfo } from '../../domain/models/model.ts';

/** Tokens of an answer that are kept free: the editor tells no output limit, and takes none. */
const ANSWER = 4096;
/** Tokens of a window that nobody names, and the smallest that is believed. */
const LEAST = 8192;

/**
 * Facts about a model of the editor: it has no price, no thinking that could be steered, no cache and no output
 * limit. What it takes is its whole input, so the answer needs no room in it.
 */
export function modelInfo(model: EditorModel, provider: string): ModelInfo {
  const { maxInputTokens } = model;
  const contextWindow =
    Number.isSafeInteger(maxInputTokens) && maxInputTokens > 0 ? maxInputTokens : LEAST;
  return {
    id: model.id,
    name: model.name === '' ? model.id : model.name,
    provider,
    contextWindow,
    maxOutputTokens: Math.min(ANSWER, contextWindow),
    thinking: false,
    vision: model.images !== false,
    toolChoice: model.tools !== false,
  };
}
