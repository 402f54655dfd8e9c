import { isJsonObject } from '../../domain/data/json.ts';
import type { ModelUpdate } from '../catalog/updates.ts';
import { textOr } from '../http/fields.ts';
import { type AskServer, entriesIn, tokensIn } from './answers.ts';

/** The model of a llama.cpp server. Its window is that of one slot, which `/props` tells; the list has the trained one. */
export async function llamaCppModels(ask: AskServer): Promise<readonly ModelUpdate[]> {
  const [props, listed] = await Promise.all([ask('/props'), ask('/v1/models')]);
  const settings = isJsonObject(props) ? props['default_generation_settings'] : undefined;
  const contextWindow = isJsonObject(settings) ? tokensIn(settings['n_ctx']) : undefined;
  // Many programs listen at this port; only this one tells that.
  if (contextWindow === undefined) throw new Error('no llama.cpp');
  const modalities = isJsonObject(props) ? props['modalities'] : undefined;
  return entriesIn(listed, 'data').map(({ id }) => ({
    id: textOr(id),
    name: nameOf(textOr(id)),
    contextWindow,
    maxOutputTokens: Math.ceil(contextWindow / 4),
    vision: isJsonObject(modalities) && modalities['vision'] === true,
  }));
}

/** The file of a model without its folders, where that is how it is called. */
const nameOf = (id: string): string =>
  id
    .split(/[\\/]/u)
    .at(-1)
    ?.replace(/\.gguf$/iu, '') ?? id;
