import * as l10n from '@vscode/l10n';
import { count, numeral } from '../../domain/text/language.ts';

/** "1 file", "3 files", "100+ files". */
export function counted(number: number, one: string, isAll = true): string {
  const many = one.endsWith('ch') ? `${one}es` : `${one}s`;
  return isAll ? count(number, one, many) : l10n.t(manyOf(many), `${numeral(number)}+`);
}

const manyOf = (many: string): string => `{0} ${many}`;

/** The same; empty for none. */
export const countedIfAny = (number: number | undefined, one: string): string =>
  number === undefined || number === 0 ? '' : counted(number, one);

/** "100+ files" where there are more. */
export const atLeast = (number: number, one: string, isAll: boolean): string =>
  counted(number, one, isAll);

/** Facts of a note, without the empty ones. */
export const joined = (...facts: readonly string[]): string =>
  facts.filter((fact) => fact !== '').join(', ');
