import type { ModelUpdate } from '../catalog/updates.ts';
import { textOr } from '../http/fields.ts';
import { type AskServer, entriesIn, tokensIn, UNLOADED_WINDOW } from './answers.ts';

/** Models of LM Studio, those that are loaded first: they answer at once, and their window is known. */
export async function lmStudioModels(ask: AskServer): Promise<readonly ModelUpdate[]> {
  const entries = entriesIn(await ask('/api/v0/models'), 'data');
  const loaded = entries.filter(({ state }) => state === 'loaded');
  return [...loaded, ...entries.filter((entry) => !loaded.includes(entry))].flatMap((entry) => {
    const { id, type } = entry;
    if (type === 'embeddings') return [];
    const most = tokensIn(entry['max_context_length']) ?? UNLOADED_WINDOW;
    const contextWindow =
      tokensIn(entry['loaded_context_length']) ?? Math.min(most, UNLOADED_WINDOW);
    return [
      {
        id: textOr(id),
        contextWindow,
        maxOutputTokens: Math.ceil(contextWindow / 4),
        vision: type === 'vlm',
      },
    ];
  });
}
