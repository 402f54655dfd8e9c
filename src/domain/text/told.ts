import * as l10n from '@vscode/l10n';
import { numeral } from './language.ts';

/** A sentence with its values apart: English where it is recorded, translated where a person reads it. */
export type Told = {
  /** English, with `{0}`, `{1}`, … for the values. */
  readonly text: string;
  readonly values: readonly Value[];
};

/** Numbers are said with the separators of the language. */
type Value = string | number | Told;

/** A sentence for a person, from rooms that speak English: the translations have it with `{0}` for each value. */
export function told(texts: TemplateStringsArray, ...values: readonly Value[]): Told {
  const text = texts.reduce((whole, part, index) => `${whole}{${index - 1}}${part}`);
  return { text, values };
}

/** Words that are not ours: they stay as they are. */
export const verbatim = (words: string): Told => ({ text: '{0}', values: [words] });

/** Several as one: `{0}; {1}`; one alone is itself. */
export function joined(parts: readonly Value[], between: string): Told {
  const [only] = parts;
  if (parts.length === 1 && typeof only === 'object') return only;
  return { text: parts.map((_, index) => `{${index}}`).join(between), values: parts };
}

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

/** True of a sentence among other values, whatever they are. */
export function isTold(value: unknown): value is Told {
  if (typeof value !== 'object' || value === null) return false;
  const { text, values } = value as { readonly text?: unknown; readonly values?: unknown };
  const isValue = (one: unknown): boolean => /^(string|number)$/u.test(typeof one) || isTold(one);
  return typeof text === 'string' && Array.isArray(values) && values.every(isValue);
}

/** It as it is recorded, and as models and programs read it. */
export const inEnglish = ({ text, values }: Told): string =>
  text.replaceAll(/\{(\d+)\}/gu, (_, index: string) => {
    const value = values[Number(index)] ?? '';
    if (typeof value === 'number') return value.toLocaleString('en-US');
    return typeof value === 'string' ? value : inEnglish(value);
  });

/** It in the language of the person; words that are not ours stay as they are. */
export const inWords = (said: Told | string): string =>
  typeof said === 'string' ? said : l10n.t(said.text, ...said.values.map(valueInWords));

function valueInWords(value: Value): string {
  return typeof value === 'number' ? numeral(value) : inWords(value);
}
