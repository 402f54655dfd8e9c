import type { Json } from '../../domain/json.ts';
import type { FormField } from './elicitation.ts';

/** An answer that fits its form, with the defaults of what was left out; or what is wrong with it. */
export type CheckedForm =
  | { readonly content: Record<string, string | number | boolean | string[]> }
  | { readonly problem: string };

/** Checks a form's answer field by field; unknown fields are refused. */
export function checkForm(
  fields: readonly FormField[],
  given: Readonly<Record<string, Json | undefined>>,
): CheckedForm {
  const unknown = Object.keys(given).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined) return { problem: `“${unknown}” is not asked for.` };
  const content: Record<string, string | number | boolean | string[]> = {};
  for (const field of fields) {
    const value =
      (Object.hasOwn(given, field.name) ? given[field.name] : undefined) ?? field.default;
    if (value === undefined) {
      if (field.required) return { problem: `“${field.title}” is needed.` };
      continue;
    }
    const problem = problemOf(field, value);
    if (problem !== undefined) return { problem: `“${field.title}” ${problem}.` };
    content[field.name] = value as string | number | boolean | string[];
  }
  return { content };
}

/** Why a value does not fit; completes "The field …". The panel uses it at each key. */
export function problemOf(field: FormField, value: Json): string | undefined {
  switch (field.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'is yes or no';
    case 'integer':
    case 'number':
      return numberProblem(field, value);
    case 'text':
      return typeof value === 'string' ? textProblem(field, value) : 'is a text';
    case 'choice':
      return isChoice(field, value) ? undefined : 'is one of the choices';
    case 'choices':
      return choicesProblem(field, value);
    default:
      return field.kind satisfies never;
  }
}

const isChoice = ({ choices }: FormField, value: Json): boolean =>
  choices.some((choice) => choice.value === value);

function choicesProblem(field: FormField, value: Json): string | undefined {
  if (!Array.isArray(value)) return 'is a list of choices';
  const picked = value as readonly Json[];
  if (!picked.every((one) => isChoice(field, one))) return 'has only the choices given';
  return sizeProblem(field, picked.length, 'choices');
}

function numberProblem({ kind, limits }: FormField, value: Json): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'is a number';
  if (kind === 'integer' && !Number.isInteger(value)) return 'is a whole number';
  const { least, most } = limits;
  if (least !== undefined && value < least) return `is at least ${least}`;
  return most !== undefined && value > most ? `is at most ${most}` : undefined;
}

function textProblem(field: FormField, value: string): string | undefined {
  return sizeProblem(field, value.length, 'characters') ?? formatProblem(field.format, value);
}

function sizeProblem({ limits }: FormField, size: number, of: string): string | undefined {
  const { least, most } = limits;
  if (least !== undefined && size < least) return `has at least ${least} ${of}`;
  return most !== undefined && size > most ? `has at most ${most} ${of}` : undefined;
}

function formatProblem(format: FormField['format'], value: string): string | undefined {
  switch (format) {
    case 'email':
      return /^[^\s@]+@[^\s@]+$/u.test(value) ? undefined : 'is an e-mail address';
    case 'uri':
      return URL.canParse(value) ? undefined : 'is an address with its scheme (https://…)';
    case 'date':
      return isDate(value) ? undefined : 'is a date as 2026-01-31';
    case 'date-time':
      return /^\d{4}-\d\d-\d\dT\d\d:\d\d/u.test(value) && !Number.isNaN(Date.parse(value))
        ? undefined
        : 'is a date and time as 2026-01-31T12:00:00Z';
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
