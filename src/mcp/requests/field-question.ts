import type { Json } from '../../domain/json.ts';
import type { FormField } from './elicitation.ts';
import { problemOf } from './form-answer.ts';

/** One field of a form, as a question with choices. */
export interface AskedField {
  readonly field: FormField;
  readonly question: string;
  readonly choices: readonly string[];
  readonly several: boolean;
}

/** A person's answer to a field; no `value`: it is left out. */
export type ReadField =
  | { readonly problem: string }
  | { readonly stop?: true; readonly value?: { readonly given: Json } };

const YES = 'Yes';
const NO = 'No';
const SKIP = 'Leave it out';
const STOP = 'Cancel the form';

/** `place`: "2 of 5 for “server”". */
export function fieldQuestion(field: FormField, place: string): AskedField {
  const { title, description, kind, required } = field;
  const rule = ruleOf(field);
  const about = [
    `${title} (${place}${required ? ', needed' : ''})`,
    ...(description === '' ? [] : [description]),
    ...(rule === '' ? [] : [rule]),
    ...(field.secret ? ['It looks like a secret, and the server gets it as you type it.'] : []),
  ];
  const own = kind === 'boolean' ? [YES, NO] : titlesOf(field);
  const otherwise = field.default === undefined ? (required ? [] : [SKIP]) : [defaultChoice(field)];
  return {
    field,
    question: about.join('\n'),
    choices: [...own, ...otherwise, STOP],
    several: kind === 'choices',
  };
}

/** Reads an answer; `problem` is a sentence for the person, who is asked again. */
export function readField({ field, choices }: AskedField, text: string): ReadField {
  const said = text.trim();
  const lines = said.split('\n');
  if (lines.includes(STOP)) return { stop: true };
  if (said === SKIP && choices.includes(SKIP)) return {};
  // A default is filled in where the answer is checked.
  if (field.default !== undefined && lines.includes(defaultChoice(field))) return {};
  const given = valueOf(field, said, lines);
  const problem = problemOf(field, given);
  return problem === undefined ? { value: { given } } : { problem: `“${field.title}” ${problem}.` };
}

function valueOf(field: FormField, said: string, lines: readonly string[]): Json {
  const valueBehind = (title: string): string =>
    field.choices.find((choice) => choice.title === title)?.value ?? title;
  switch (field.kind) {
    case 'boolean':
      return said === YES ? true : said === NO ? false : said;
    case 'number':
    case 'integer':
      return said === '' ? said : Number(said);
    case 'choice':
      return valueBehind(said);
    case 'choices':
      return lines.map(valueBehind);
    case 'text':
      return said;
    default:
      return field.kind satisfies never;
  }
}

const titlesOf = ({ choices }: FormField): readonly string[] => choices.map(({ title }) => title);

function defaultChoice({ default: given, choices }: FormField): string {
  const named = (value: Json): string =>
    choices.find((choice) => choice.value === value)?.title ?? JSON.stringify(value);
  const shown = Array.isArray(given) ? given.map(named).join(', ') : named(given ?? null);
  return `Take the default: ${shown}`;
}

function ruleOf({ kind, limits: { least, most }, format }: FormField): string {
  const of = kind === 'text' ? ' characters' : kind === 'choices' ? ' choices' : '';
  const words = [
    ...(kind === 'integer' ? ['a whole number'] : kind === 'number' ? ['a number'] : []),
    ...(format === undefined ? [] : [`a ${format}`]),
    ...(least === undefined ? [] : [`at least ${least}${of}`]),
    ...(most === undefined ? [] : [`at most ${most}${of}`]),
  ];
  return words.length === 0 ? '' : `It is ${words.join(', ')}.`;
}
