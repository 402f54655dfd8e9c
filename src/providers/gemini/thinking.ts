import type { ModelRequest } from '../../core/model-call/model-call.ts';
import type { EffortStep, ModelInfo } from '../../domain/models/model.ts';
import { effortFor } from '../catalog/effort.ts';

/** Tokens of thinking for models that want a number; all take the highest. */
const BUDGETS: Readonly<Partial<Record<EffortStep, number>>> = {
  low: 4096,
  medium: 12_000,
  high: 24_576,
};
/** The least budget of models that cannot stop thinking. */
const LEAST_BUDGET = 128;

/** How hard to think: a level for models that have levels, else a budget; nothing for one that does not think. */
export function thinkingConfig(
  { thinking: wanted }: Pick<ModelRequest, 'thinking'>,
  info: ModelInfo,
  maxTokens: number,
): object | undefined {
  if (!info.thinking) return undefined;
  const { step, value } = effortFor(info, wanted);
  const includeThoughts = wanted !== 'off';
  if (info.efforts !== undefined)
    return value === undefined ? undefined : { thinkingLevel: value, includeThoughts };
  const budget = BUDGETS[step];
  if (budget === undefined)
    return { thinkingBudget: /\bpro\b/.test(info.id) ? LEAST_BUDGET : 0, includeThoughts };
  const thinkingBudget = Math.max(LEAST_BUDGET, Math.min(budget, Math.floor(maxTokens / 2)));
  return { thinkingBudget, includeThoughts };
}
