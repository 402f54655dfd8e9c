import * as l10n from '@vscode/l10n';

/** A sentence with its values apart: English where it is recorded, translated where a person reads it. */
export interface Told {
  /** English, with `{0}`, `{1}`, … for the values. */
  readonly text: string;
  readonly values: readonly (string | Told)[];
}

/** A sentence for a person, from rooms that speak English: the translations have it with `{0}` for each value. */
export function told(texts: TemplateStringsArray, ...values: readonly (string | Told)[]): Told {
  const text = texts.reduce((whole, part, index) => `${whole}{${index - 1}}${part}`);
  return { text, values };
}

/** It as it is recorded, and as models and programs read it. */
export const inEnglish = ({ text, values }: Told): string =>
  text.replaceAll(/\{(\d+)\}/gu, (_, index: string) => {
    const value = values[Number(index)] ?? '';
    return typeof value === 'string' ? value : inEnglish(value);
  });

/** It in the language of the person. */
export const inWords = ({ text, values }: Told): string =>
  l10n.t(text, ...values.map((value) => (typeof value === 'string' ? value : inWords(value))));
