import type { ModelRequest } from '../../../core/model-call/model-call.ts';

/** How freely a model picks its words, in an API's names; nothing for one that takes neither. */
export function samplingFields(
  { sampling = {} }: Pick<ModelRequest, 'sampling'>,
  takesThem: boolean,
  topP: 'top_p' | 'topP' = 'top_p',
): Readonly<Record<string, number>> {
  if (!takesThem) return {};
  return {
    ...(sampling.temperature === undefined ? {} : { temperature: sampling.temperature }),
    ...(sampling.topP === undefined ? {} : { [topP]: sampling.topP }),
  };
}
