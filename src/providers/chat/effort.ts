import type { ModelRequest } from '../../core/model-call/model-call.ts';
import type { ModelInfo } from '../../domain/model.ts';
import { effortFor } from '../catalog/effort.ts';
import type { ChatFlags } from './flags.ts';

/** The fields that tell a model how hard to think, in the words of its endpoint; none for one that does not think. */
export function effortFields(
  { thinking: effort }: Pick<ModelRequest, 'thinking'>,
  info: ModelInfo,
  flags: Pick<ChatFlags, 'effort'>,
): Readonly<Record<string, unknown>> {
  if (!info.thinking) return {};
  const { step, value } = effortFor(info, effort);
  const isOff = step === 'off';
  switch (flags.effort) {
    case 'reasoning_effort':
      // Without a word for it, “off” is what is not said.
      return value === undefined ? {} : { reasoning_effort: value };
    case 'reasoning':
      return { reasoning: value === undefined ? { enabled: !isOff } : { effort: value } };
    case 'thinking':
      return { thinking: { type: isOff ? 'disabled' : 'enabled' } };
    case 'enable_thinking':
      return { enable_thinking: !isOff };
    case 'none':
      return {};
    default:
      return flags.effort satisfies never;
  }
}
