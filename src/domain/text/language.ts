import * as l10n from '@vscode/l10n';

let language = 'en';
let plurals = new Intl.PluralRules('en');

/**
 * Sets what a person is spoken to in: a language by its BCP 47 tag, and its translations by the English texts.
 * Called once, before the first text is made; without it, English.
 */
export function speak(tag: string, bundle: Readonly<Record<string, string>> = {}): void {
  language = tag;
  plurals = new Intl.PluralRules(tag);
  l10n.config({ contents: bundle });
}

/** The language that a person is spoken to in, for `Intl`. */
export const spoken = (): string => language;

/** A number with the separators of the language. */
export const numeral = (value: number, options?: Intl.NumberFormatOptions): string =>
  value.toLocaleString(language, options);

/**
 * "1 message", "3 messages": a number and what is counted, in its language's form for that number.
 * @param one of what, for one, in English; the bundle has it as `{0} message`
 * @param many of what, for more
 */
export function count(value: number, one: string, many = `${one}s`): string {
  return plural(value, `{0} ${one}`, `{0} ${many}`);
}

/**
 * A sentence about a number, which is `{0}` in it.
 * @param one the English sentence for one
 * @param many that for more
 * @param values for `{1}` and on
 */
export function plural(value: number, one: string, many: string, ...values: string[]): string {
  const args = [numeral(value), ...values];
  return l10n.t(isOne(value) ? one : many, ...args);
}

/** True where the language counts so many as it counts one. */
export const isOne = (value: number): boolean => plurals.select(value) === 'one';

/** Marks an English text in a table, which is translated where it is shown: `l10n.t(text)`. */
export const said = <Text extends string>(text: Text): Text => text;

/** A time for people, to the minute. @param at milliseconds since the epoch */
export function dateAndTime(at: number): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  return Number.isFinite(at) && Math.abs(at) <= 8.64e15 ? format.format(at) : '';
}
