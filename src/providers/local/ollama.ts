import { isJsonObject } from '../../domain/data/json.ts';
import type { ModelUpdate } from '../catalog/updates.ts';
import { textOr } from '../http/fields.ts';
import { type AskServer, entriesIn, tokensIn, UNLOADED_WINDOW } from './answers.ts';

/** Models that are asked about, the latest first; others are listed with what the list says. */
const MOST_ASKED = 50;

/**
 * Models of Ollama. Their window is the one they are loaded with, else the one that their file sets (`num_ctx`); what
 * a model could have at most is no window: Ollama cuts what is longer than the real one, and says nothing.
 */
export async function ollamaModels(ask: AskServer): Promise<readonly ModelUpdate[]> {
  const [tags, loaded] = await Promise.all([
    ask('/api/tags'),
    ask('/api/ps').then(loadedWindows, () => new Map<string, number>()),
  ]);
  const names = entriesIn(tags, 'models').map(({ name }) => textOr(name));
  const asked = names.map(async (id, index): Promise<ModelUpdate[]> => {
    const shown = index < MOST_ASKED ? ask('/api/show', { model: id }) : Promise.resolve({});
    return described(id, await shown.catch(() => ({})), loaded.get(id));
  });
  return (await Promise.all(asked)).flat();
}

/** Windows of the models that are loaded, by their names. */
export function loadedWindows(answer: unknown): Map<string, number> {
  const windows = new Map<string, number>();
  for (const { name, model, context_length: length } of entriesIn(answer, 'models')) {
    const window = tokensIn(length);
    if (window !== undefined)
      for (const one of [textOr(name), textOr(model)]) windows.set(one, window);
  }
  return windows;
}

function described(id: string, shown: unknown, loaded: number | undefined): ModelUpdate[] {
  const { capabilities, parameters, model_info: info } = isJsonObject(shown) ? shown : {};
  const can = Array.isArray(capabilities) ? (capabilities as unknown[]) : undefined;
  // Models that only make embeddings answer nothing.
  if (can !== undefined && !can.includes('completion')) return [];
  const set = /^num_ctx\s+(\d+)/mu.exec(textOr(parameters))?.[1];
  const facts = Object.entries(isJsonObject(info) ? info : {});
  const most = tokensIn(facts.find(([key]) => key.endsWith('.context_length'))?.[1]);
  const contextWindow =
    loaded ?? tokensIn(Number(set)) ?? Math.min(most ?? UNLOADED_WINDOW, UNLOADED_WINDOW);
  return [
    {
      id,
      contextWindow,
      maxOutputTokens: Math.ceil(contextWindow / 4),
      vision: can?.includes('vision') ?? false,
    },
  ];
}
