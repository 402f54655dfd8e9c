import * as l10n from '@vscode/l10n';
import { numeral } from './language.ts';

/** A sentence with its values apart: English where it is recorded, translated where a person reads it. */
export interface Told {
  /** English, with `{0}`, `{1}`, … for the values. */
  readonly text: string;
  readonly values: readonly Value[];
}

/** Numbers are said with the separators of the language. */
type Value = string | number | Told;

/** A sentence for a person, from rooms that speak English: the translations have it with `{0}` for each value. */
export function told(texts: TemplateStringsArray, ...values: readonly Value[]): Told {
  const text = texts.reduce((whole, part, index) => `${whole}{${index - 1}}${part}`);
  return { text, values };
}

/** Several as one: `{0}; {1}`. */
export const joined = (parts: readonly Value[], between: string): Told => ({
  text: parts.map((_, index) => `{${index}}`).join(between),
  values: parts,
});

/** It with its values changed, those within values too. */
export const withValues = ({ text, values }: Told, change: (value: string) => string): Told => ({
  text,
  values: values.map((one) => {
    if (typeof one === 'number') return one;
    return typeof one === 'string' ? change(one) : withValues(one, change);
  }),
});

/** Each once, by what it says. */
export const distinct = (all: readonly Told[]): readonly Told[] => [
  ...new Map(all.map((one) => [inEnglish(one), one])).values(),
];

/** True of a reason among other results. */
export const isTold = (value: object): value is Told => 'text' in value && 'values' in value;

/** It as it is recorded, and as models and programs read it. */
export const inEnglish = ({ text, values }: Told): string =>
  text.replaceAll(/\{(\d+)\}/gu, (_, index: string) => {
    const value = values[Number(index)] ?? '';
    if (typeof value === 'number') return value.toLocaleString('en-US');
    return typeof value === 'string' ? value : inEnglish(value);
  });

/** It in the language of the person. */
export const inWords = ({ text, values }: Told): string =>
  l10n.t(text, ...values.map(valueInWords));

function valueInWords(value: Value): string {
  if (typeof value === 'number') return numeral(value);
  return typeof value === 'string' ? value : inWords(value);
}
