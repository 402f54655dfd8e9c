import { type EffortStep, type ModelInfo, EFFORT_STEPS } from '../../domain/models/model.ts';

/** The step of effort that a model is really asked for, and its word for it. */
export interface Effort {
  readonly step: EffortStep;
  /** Absent: the model has no word for it; thinking is not asked for. */
  readonly value?: string;
}

/**
 * The nearest step that the model has: the wanted one, else the next below, else the next above. A model that cannot
 * stop thinking gets its least for `off`; one of which no steps are known is asked by the common words.
 */
export function effortFor({ thinking, efforts }: ModelInfo, wanted: EffortStep): Effort {
  if (!thinking) return { step: 'off' };
  if (efforts === undefined) return wanted === 'off' ? { step: 'off' } : plain(wanted);
  const at = EFFORT_STEPS.indexOf(wanted);
  const below = EFFORT_STEPS.slice(0, at).toReversed();
  const order = [wanted, ...below.filter((step) => step !== 'off'), ...EFFORT_STEPS.slice(at + 1)];
  const step = order.find((one) =>
    one === 'off' ? efforts.off !== null : typeof efforts[one] === 'string',
  );
  if (step === undefined) return { step: 'off' };
  const value = efforts[step];
  return typeof value === 'string' ? { step, value } : { step };
}

/** The words that every server with efforts knows. */
function plain(wanted: EffortStep): Effort {
  if (wanted === 'minimal') return { step: 'low', value: 'low' };
  return wanted === 'xhigh' || wanted === 'max'
    ? { step: 'high', value: 'high' }
    : { step: wanted, value: wanted };
}
