import { type FormField, problemOf } from '../../../src/domain/form.ts';
import type { Json } from '../../../src/domain/json.ts';
import type { TypedForm } from '../../../src/domain/server-request.ts';

/** A field as it stands in its control: the text of it, or the choices that are ticked. */
export type Typed = string | readonly string[];

/** The control of a field at the start: its default. */
export function typedAtFirst({ kind, default: given }: FormField): Typed {
  if (kind === 'choices')
    return Array.isArray(given) ? given.filter((one) => typeof one === 'string') : [];
  if (given === undefined || given === null || typeof given === 'object') return '';
  return String(given);
}

/** The value that is sent; `null`: the field is left out. */
export function valueOf(field: FormField, typed: Typed): Json {
  if (typeof typed !== 'string') return typed.length === 0 && !field.required ? null : typed;
  const text = field.kind === 'text' ? typed : typed.trim();
  if (text === '') return null;
  switch (field.kind) {
    case 'number':
    case 'integer':
      return Number.isNaN(Number(text)) ? text : Number(text);
    case 'boolean':
      return text === 'true';
    default:
      return text;
  }
}

/** A sentence about a field that is not as it must be; empty: it is. */
export function complaintAbout(field: FormField, typed: Typed): string {
  const problem = problemOf(field, valueOf(field, typed));
  return problem === undefined ? '' : `This ${problem}.`;
}

/** All fields, with what is kept of them. */
export function typedForm(fields: readonly FormField[], kept: TypedForm): Record<string, Typed> {
  return Object.fromEntries(
    fields.map((field) => [
      field.name,
      Object.hasOwn(kept, field.name) ? (kept[field.name] ?? '') : typedAtFirst(field),
    ]),
  );
}

/** A field's rules in a few words; empty: it has none. */
export function ruleOf({ kind, limits: { least, most }, format }: FormField): string {
  const of = kind === 'text' ? ' characters' : kind === 'choices' ? ' choices' : '';
  const kinds: Readonly<Record<string, string>> = {
    integer: 'whole number',
    number: 'number',
    email: 'e-mail address',
    uri: 'address, as https://example.com',
    'date-time': 'date and time, as 2026-01-31T12:00:00Z',
  };
  const words = [
    kinds[format ?? kind] ?? '',
    least === undefined ? '' : `at least ${least}${of}`,
    most === undefined ? '' : `at most ${most}${of}`,
  ];
  return words.filter((word) => word !== '').join(', ');
}
