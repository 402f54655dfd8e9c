import * as l10n from '@vscode/l10n';
import type { ModelPrices } from '../models/model.ts';

/** Shortens a price in words of any language to "$3/$15"; empty when it is unknown, or free. */
export function shortPrices(price: string): readonly string[] {
  const amounts = price.match(/\$[\d.]+/gu);
  return amounts === null ? [] : [amounts.join('/')];
}

/** "$3 in · $15 out per million tokens"; empty when nobody knows. */
export function priceWords(prices: ModelPrices | undefined): string {
  if (prices === undefined) return '';
  const dollars = (amount: number): string => `$${Number(amount.toFixed(2))}`;
  if (prices.input === 0 && prices.output === 0) return l10n.t('free');
  return l10n.t(
    '{0} in · {1} out per million tokens',
    dollars(prices.input),
    dollars(prices.output),
  );
}
