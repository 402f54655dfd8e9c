import { type Told, told } from '../../../domain/text/told.ts';
import type { ModelRequest } from '../../../core/model-call/model-call.ts';
import type { WireFlags } from '../../../domain/models/wire-flags.ts';

/**
 * How freely a model picks its words, in an API's names; nothing for one that takes neither. Where only one of the two
 * is taken, temperature is sent, and a note says so.
 */
export function samplingFields(
  { model, sampling = {} }: Pick<ModelRequest, 'model' | 'sampling'>,
  { temperature: takesThem, topP: takesBoth }: Pick<WireFlags, 'temperature' | 'topP'>,
  name: 'top_p' | 'topP' = 'top_p',
): { readonly fields: Readonly<Record<string, number>>; readonly notes: readonly Told[] } {
  const { temperature, topP } = takesThem ? sampling : {};
  const isAlone = !takesBoth && temperature !== undefined;
  const note = told`top_p is not sent to ${model} because it takes only one of temperature and top_p.`;
  return {
    fields: {
      ...(temperature === undefined ? {} : { temperature }),
      ...(topP === undefined || isAlone ? {} : { [name]: topP }),
    },
    notes: topP !== undefined && isAlone ? [note] : [],
  };
}
