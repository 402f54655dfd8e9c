import * as l10n from '@vscode/l10n';
import type { ModelPrices } from '../models/model.ts';

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
