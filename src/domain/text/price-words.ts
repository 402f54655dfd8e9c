import type { ModelPrices } from '../models/model.ts';

/** "$3 in · $15 out per million tokens"; empty when nobody knows. */
export function priceWords(prices: ModelPrices | undefined): string {
  if (prices === undefined) return '';
  const dollars = (amount: number): string => `$${Number(amount.toFixed(2))}`;
  if (prices.input === 0 && prices.output === 0) return 'free';
  return `${dollars(prices.input)} in · ${dollars(prices.output)} out per million tokens`;
}
