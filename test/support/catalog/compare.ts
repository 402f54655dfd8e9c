import type { ModelInfo, ModelPrices } from '../../../src/domain/models/model.ts';
import type { SecondOpinion } from '../../rig/catalog/second-source.ts';

type Price = NonNullable<SecondOpinion['input']>;

/** Kinds of tokens that have a price. */
const KINDS = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;

/** What two sources say otherwise of one model, as `kind ours theirs`; nothing where one of them says nothing. */
export function differences(model: ModelInfo, other: SecondOpinion): string[] {
  const found: string[] = [];
  if (other.window !== undefined && !nearlySame(model.contextWindow, other.window))
    found.push(`window ${model.contextWindow} ${other.window}`);
  if (model.prices === undefined) return found;
  for (const kind of KINDS) {
    const theirs = other[kind];
    if (theirs === undefined) continue;
    const ours = pricesOf(model.prices, kind);
    if (!samePrices(ours, typeof theirs === 'number' ? [theirs] : theirs))
      found.push(`${kind} ${JSON.stringify(ours)} ${JSON.stringify(theirs)}`);
  }
  return found;
}

/** 1,048,576 and 1,000,000 are both "a million", 131,072 and 128,000 both "128k": up to a twentieth is no difference. */
const nearlySame = (left: number, right: number): boolean =>
  Math.abs(left - right) <= Math.max(left, right) / 20;

type Tiers = Exclude<Price, number>;

function pricesOf(prices: ModelPrices, kind: (typeof KINDS)[number]): Tiers {
  const tiers: (readonly [number, number])[] = [];
  for (let next = prices.longPrompt; next !== undefined; next = next.prices.longPrompt)
    tiers.push([next.aboveTokens, next.prices[kind]]);
  return [prices[kind], ...tiers.filter(([, price]) => price !== prices[kind])];
}

/** Whole tenths of a percent are rounding. */
function samePrices([left, ...leftTiers]: Tiers, [right, ...rightTiers]: Tiers): boolean {
  const close = (one: number, other: number): boolean =>
    Math.abs(one - other) <= Math.max(one, other) / 1000;
  return (
    close(left, right) &&
    leftTiers.length === rightTiers.length &&
    leftTiers.every(([above, price], index) => {
      const tier = rightTiers[index];
      return tier !== undefined && nearlySame(above, tier[0]) && close(price, tier[1]);
    })
  );
}
