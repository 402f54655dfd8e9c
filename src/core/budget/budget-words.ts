import * as l10n from '@vscode/l10n';
import type { Cap, CapUse } from '../../domain/budget.ts';
import { count, numeral, spoken } from '../../domain/text/language.ts';

/** The span of a cap in words: "today". */
export function periodWords({ period }: Pick<Cap, 'period'>): string {
  switch (period) {
    case 'run':
      return l10n.t('in this run');
    case 'session':
      return l10n.t('in this session');
    case 'day':
      return l10n.t('today');
    case 'month':
      return l10n.t('this month');
    default:
      return period satisfies never;
  }
}

/** An amount in the unit of a cap: "$1.50", "5,000 tokens", "12 minutes of models". */
export function amountWords(value: number, { unit }: Pick<Cap, 'unit'>): string {
  switch (unit) {
    case 'cost':
      return dollars(value);
    case 'tokens':
      return count(Math.round(value), 'token');
    case 'minutes':
      return l10n.t('{0} minutes of models', numeral(value, { maximumFractionDigits: 1 }));
    default:
      return unit satisfies never;
  }
}

/** US dollars; small ones with more digits. */
export const dollars = (value: number): string =>
  numeral(value, {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: digitsOf(Math.abs(value)),
    minimumFractionDigits: 2,
  });

const digitsOf = (value: number): number => (value < 0.01 ? 4 : value < 1 ? 3 : 2);

/** When a cap counts from 0 again, as a sentence; empty: never. */
export function resetWords({ resetsAt }: Pick<CapUse, 'resetsAt'>): string {
  if (resetsAt === undefined) return '';
  const when = new Date(resetsAt).toLocaleString(spoken(), {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  return l10n.t('It starts again on {0}.', when);
}
