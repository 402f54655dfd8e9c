import * as l10n from '@vscode/l10n';
import type { Json } from '../data/json.ts';

/** A field of a form that a stranger's program wants filled in. */
export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly kind: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices';
  readonly choices: readonly { readonly value: string; readonly title: string }[];
  readonly default?: Json;
  readonly required: boolean;
  /** It looks as if a secret were asked for. */
  readonly secret: boolean;
  /** Of a number its value, of a text its characters, of choices how many. */
  readonly limits: { readonly least?: number | undefined; readonly most?: number | undefined };
  readonly format?: 'email' | 'uri' | 'date' | 'date-time' | undefined;
}

/** An answer that fits its form, with the defaults of what was left out; or what is wrong with it. */
export type CheckedForm =
  | { readonly content: Record<string, string | number | boolean | string[]> }
  | { readonly problem: string };

/** Checks a form's answer field by field; unknown fields are refused. `null`: left out on purpose, without its default. */
export function checkForm(
  fields: readonly FormField[],
  given: Readonly<Record<string, Json | undefined>>,
): CheckedForm {
  const unknown = Object.keys(given).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined) return { problem: l10n.t('“{0}” is not asked for.', unknown) };
  const content: [string, string | number | boolean | string[]][] = [];
  for (const field of fields) {
    const own = Object.hasOwn(given, field.name) ? given[field.name] : undefined;
    const value = own === undefined ? field.default : own;
    const problem = problemOf(field, value ?? null);
    if (problem !== undefined) return { problem: `“${field.title}” ${problem}.` };
    if (value !== undefined && value !== null)
      content.push([field.name, value as string | number | boolean | string[]]);
  }
  return { content: Object.fromEntries(content) };
}

/** Why a value does not fit; completes "The field …". `null`: it is left out. */
export function problemOf(field: FormField, value: Json): string | undefined {
  if (value === null) return field.required ? l10n.t('is needed') : undefined;
  switch (field.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : l10n.t('must be yes or no');
    case 'integer':
    case 'number':
      return numberProblem(field, value);
    case 'text':
      return typeof value === 'string' ? textProblem(field, value) : l10n.t('must be a text');
    case 'choice':
      return isChoice(field, value) ? undefined : l10n.t('must be one of the choices');
    case 'choices':
      return choicesProblem(field, value);
    default:
      return field.kind satisfies never;
  }
}

const isChoice = ({ choices }: FormField, value: Json): boolean =>
  choices.some((choice) => choice.value === value);

function choicesProblem(field: FormField, value: Json): string | undefined {
  if (!Array.isArray(value)) return l10n.t('must be a list of choices');
  const picked = value as readonly Json[];
  if (!picked.every((one) => isChoice(field, one)))
    return l10n.t('must have only the choices given');
  return sizeProblem(field, picked.length, 'choices');
}

function numberProblem({ kind, limits }: FormField, value: Json): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return l10n.t('must be a number');
  if (kind === 'integer' && !Number.isInteger(value)) return l10n.t('must be a whole number');
  const { least, most } = limits;
  if (least !== undefined && value < least) return l10n.t('must be at least {0}', least);
  return most !== undefined && value > most ? l10n.t('must be at most {0}', most) : undefined;
}

function textProblem(field: FormField, value: string): string | undefined {
  return (
    sizeProblem(field, (value.match(/./gsu) ?? []).length, 'characters') ??
    formatProblem(field.format, value)
  );
}

function sizeProblem({ limits }: FormField, size: number, of: string): string | undefined {
  const { least, most } = limits;
  if (least !== undefined && size < least) return l10n.t('must have at least {0} {1}', least, of);
  return most !== undefined && size > most
    ? l10n.t('must have at most {0} {1}', most, of)
    : undefined;
}

function formatProblem(format: FormField['format'], value: string): string | undefined {
  switch (format) {
    case 'email':
      return /^[^\s@]+@[^\s@]+$/u.test(value) ? undefined : l10n.t('must be an e-mail address');
    case 'uri':
      return URL.canParse(value)
        ? undefined
        : l10n.t('must be an address with its scheme (https://…)');
    case 'date':
      return isDate(value) ? undefined : l10n.t('must be a date as 2026-01-31');
    case 'date-time':
      return /^\d{4}-\d\d-\d\dT\d\d:\d\d/u.test(value) && !Number.isNaN(Date.parse(value))
        ? undefined
        : l10n.t('must be a date and time as 2026-01-31T12:00:00Z');
    case undefined:
      return undefined;
    default:
      return format satisfies never;
  }
}

function isDate(value: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/u.test(value) ? Date.parse(value) : Number.NaN;
  // The 31st of a shorter month is not a date.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}
