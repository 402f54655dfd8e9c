import type { ModelRequest } from '../../core/model-call/model-call.ts';
import type { ModelInfo } from '../../domain/models/model.ts';
import { effortFor } from '../catalog/effort.ts';
import type { WireFlags } from '../../domain/models/wire-flags.ts';

/** The fields that tell a model whether and how hard to think, in the words of its endpoint; none for one that does not think. */
export function effortFields(
  { thinking: effort }: Pick<ModelRequest, 'thinking'>,
  info: ModelInfo,
  flags: Pick<WireFlags, 'effort' | 'thinkingSwitch'>,
): Readonly<Record<string, unknown>> {
  if (!info.thinking) return {};
  const { step, value } = effortFor(info, effort);
  const isOn = step !== 'off';
  return { ...switchFields(flags.thinkingSwitch, isOn), ...effortField(flags, isOn, value) };
}

function switchFields(
  name: WireFlags['thinkingSwitch'],
  isOn: boolean,
): Readonly<Record<string, unknown>> {
  switch (name) {
    case 'thinking':
      return { thinking: { type: isOn ? 'enabled' : 'disabled' } };
    case 'enable_thinking':
      return { enable_thinking: isOn };
    case 'reasoning.enabled':
      return { reasoning: { enabled: isOn } };
    case 'none':
      return {};
    default:
      return name satisfies never;
  }
}

function effortField(
  { effort, thinkingSwitch }: Pick<WireFlags, 'effort' | 'thinkingSwitch'>,
  isOn: boolean,
  value: string | undefined,
): Readonly<Record<string, unknown>> {
  switch (effort) {
    case 'reasoning':
      return { reasoning: value === undefined ? { enabled: isOn } : { effort: value } };
    case 'reasoning_effort':
      // Without a word for it “off” is what is not said, and where there is a switch, that says it.
      return value === undefined || (!isOn && thinkingSwitch !== 'none')
        ? {}
        : { reasoning_effort: value };
    case 'none':
      return {};
    default:
      return effort satisfies never;
  }
}
