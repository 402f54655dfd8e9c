import * as l10n from '@vscode/l10n';
import { type FormField, problemOf } from '../../../src/domain/mcp/form.ts';
import type { Json } from '../../../src/domain/data/json.ts';
import type { TypedForm } from '../../../src/domain/mcp/server-request.ts';
import { count, numeral } from '../../../src/domain/text/language.ts';

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
  return problem === undefined ? '' : l10n.t('This {0}.', problem);
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
  const kinds: Readonly<Record<string, string>> = {
    integer: l10n.t('whole number'),
    number: l10n.t('number'),
    email: l10n.t('e-mail address'),
    uri: l10n.t('address, as https://example.com'),
    'date-time': l10n.t('date and time, as 2026-01-31T12:00:00Z'),
  };
  const words = [
    kinds[format ?? kind] ?? '',
    least === undefined ? '' : l10n.t('at least {0}', measured(kind, least)),
    most === undefined ? '' : l10n.t('at most {0}', measured(kind, most)),
  ];
  return words.filter((word) => word !== '').join(', ');
}

/** A limit with what it counts. */
function measured(kind: FormField['kind'], limit: number): string {
  if (kind === 'text') return count(limit, 'character');
  return kind === 'choices' ? count(limit, 'choice') : numeral(limit);
}
