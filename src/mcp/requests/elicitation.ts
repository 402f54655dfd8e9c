import { told, type Told } from '../../domain/text/told.ts';
import type { FormField } from '../../domain/mcp/form.ts';
import { type Json, type JsonObject, isJsonObject } from '../../domain/data/json.ts';
import { cleanText } from '../../domain/text/honest-text.ts';
import { openable } from '../auth/openable.ts';
import { oneLine } from '../status/sentence.ts';

export interface AskedForm {
  readonly verdict: 'ask';
  readonly kind: 'form';
  readonly message: string;
  readonly fields: readonly FormField[];
  /** Shown before the fields; each names the server. */
  readonly warnings: readonly Told[];
}

export interface AskedPage {
  readonly verdict: 'ask';
  readonly kind: 'url';
  readonly message: string;
  /** Shown whole. */
  readonly url: string;
  readonly host: string;
  readonly warnings: readonly Told[];
}

/** Not asked, and why: a sentence. */
export interface RefusedQuestion {
  readonly verdict: 'refuse';
  readonly reason: Told;
}

const MOST_FIELDS = 50;
const MOST_CHOICES = 500;
const LONGEST_MESSAGE = 4000;
/** Characters of a field's name. */
const LONGEST_NAME = 200;

/** Names of what must not be asked for in a form (specification of 2025-11-25). */
const SECRET =
  /passw(?:or)?d|passphrase|passwort|contraseña|mot de passe|secret|token|api.?key|access.?key|private.?key|credential|\bpin\b|\botp\b|one.?time|2fa|mfa|verification.?code|security.?code|recovery|seed.?phrase|mnemonic|\bssn\b|social.?security|credit.?card|card.?number|\bcvv\b|\bcvc\b|\biban\b|bearer|cookie|session.?id/iu;

/** Judges a form that a server wants filled in: nothing without the person. */
export function judgeForm(
  server: string,
  message: string,
  schema: unknown,
): AskedForm | RefusedQuestion {
  const properties = objectOf(objectOf(schema)['properties']);
  const names = Object.keys(properties);
  if (names.length > MOST_FIELDS)
    return refused(server, told`asks for ${names.length} things at once, more than ${MOST_FIELDS}`);
  const required = objectOf(schema)['required'];
  const wanted = new Set(Array.isArray(required) ? required : []);
  const fields: FormField[] = [];
  for (const name of names) {
    const field = fieldOf(name, objectOf(properties[name]), wanted.has(name));
    if (field === undefined)
      return refused(
        server,
        told`asks for “${oneLine(name)}” in a form that the protocol does not have`,
      );
    fields.push(field);
  }
  const shown = messageOf(message);
  const secret = SECRET.test(shown) || fields.some((field) => field.secret);
  const warnings = secret
    ? [
        told`The MCP server “${oneLine(server)}” asks for something that looks like a secret. Servers must not do that in a form: what you type goes to the server as it is. Do not give it unless you know why.`,
      ]
    : [];
  return { verdict: 'ask', kind: 'form', message: shown, fields, warnings };
}

/** Judges a page that a server wants opened: `https`, whole address shown. */
export function judgePage(
  server: string,
  message: string,
  address: unknown,
): AskedPage | RefusedQuestion {
  if (typeof address !== 'string') return refused(server, told`names no address`);
  const found = openable(address);
  if ('problem' in found) return refused(server, told`wants a page opened: ${found.problem}`);
  const { url } = found;
  if (url.protocol !== 'https:')
    return refused(server, told`wants a page opened that is not https`);
  const foreign = url.hostname.split('.').some((label) => label.startsWith('xn--'));
  return {
    verdict: 'ask',
    kind: 'url',
    message: messageOf(message),
    url: url.href,
    host: url.host,
    warnings: [
      told`The MCP server “${oneLine(server)}” wants you to open a page of ${url.host}.`,
      ...(foreign ? [told`The name of the host has letters of other alphabets in it.`] : []),
    ],
  };
}

function refused(server: string, why: Told): RefusedQuestion {
  return {
    verdict: 'refuse',
    reason: told`The MCP server “${oneLine(server)}” ${why}. It was declined.`,
  };
}

function messageOf(message: string): string {
  const clean = cleanText(message);
  return clean.length > LONGEST_MESSAGE ? `${clean.slice(0, LONGEST_MESSAGE)}…` : clean;
}

/** `undefined`: not a field of the protocol's flat forms. */
function fieldOf(name: string, schema: JsonObject, required: boolean): FormField | undefined {
  const kind = kindOf(schema);
  if (kind === undefined || name === '__proto__' || name.length > LONGEST_NAME) return undefined;
  const title = oneLine(textOf(schema['title']) || name);
  const description = oneLine(textOf(schema['description']));
  const choices = choicesOf(kind === 'choices' ? objectOf(schema['items']) : schema);
  if (choices.length > MOST_CHOICES) return undefined;
  const given = schema['default'];
  return {
    name,
    title,
    description,
    kind,
    choices,
    required,
    secret:
      SECRET.test(`${name.replace(/([a-z])([A-Z])/gu, '$1 $2')} ${title} ${description}`) ||
      schema['format'] === 'password' ||
      schema['writeOnly'] === true,
    limits: limitsOf(kind, schema),
    format: FORMATS.find((format) => kind === 'text' && format === schema['format']),
    ...(isDefault(given) ? { default: given } : {}),
  };
}

const FORMATS = ['email', 'uri', 'date', 'date-time'] as const;

/** A single value, or a list of choices. */
function isDefault(given: Json | undefined): given is Json {
  if (Array.isArray(given)) return given.every((one) => typeof one === 'string');
  return given !== undefined && typeof given !== 'object';
}

/** The names of the least and the most of a kind of field. */
const LIMITS: Readonly<Record<FormField['kind'], readonly [least: string, most: string]>> = {
  text: ['minLength', 'maxLength'],
  choice: ['minLength', 'maxLength'],
  choices: ['minItems', 'maxItems'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  boolean: ['', ''],
};

function limitsOf(kind: FormField['kind'], schema: JsonObject): FormField['limits'] {
  const [least, most] = LIMITS[kind].map((name) => schema[name]);
  return {
    least: typeof least === 'number' ? least : undefined,
    most: typeof most === 'number' ? most : undefined,
  };
}

function kindOf(schema: JsonObject): FormField['kind'] | undefined {
  switch (schema['type']) {
    case 'string':
      return 'enum' in schema || 'oneOf' in schema ? 'choice' : 'text';
    case 'number':
      return 'number';
    case 'integer':
      return 'integer';
    case 'boolean':
      return 'boolean';
    case 'array':
      return choicesOf(objectOf(schema['items'])).length > 0 ? 'choices' : undefined;
    default:
      return undefined;
  }
}

function choicesOf(schema: JsonObject): FormField['choices'] {
  const { enum: values, enumNames } = schema;
  const titles: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
  if (Array.isArray(values))
    return (values as readonly unknown[]).flatMap((value, index) =>
      typeof value === 'string' ? [{ value, title: oneLine(textOf(titles[index]) || value) }] : [],
    );
  const options: unknown = schema['oneOf'] ?? schema['anyOf'];
  if (!Array.isArray(options)) return [];
  return (options as readonly unknown[]).flatMap((option) => {
    const { const: value, title } = objectOf(option);
    return typeof value === 'string' ? [{ value, title: oneLine(textOf(title) || value) }] : [];
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
