import { createHash } from 'node:crypto';
import type { Json } from '../domain/data/json.ts';

/** The languages Belay speaks besides English, by the names of VS Code's language packs. */
export const LANGUAGES = ['de', 'ja', 'zh-cn'] as const;

/** Fields of a manifest that a person reads. */
const READ = new Set([
  'title',
  'shortTitle',
  'name',
  'contextualTitle',
  'displayName',
  'fullName',
  'description',
  'markdownDescription',
  'enumDescriptions',
  'markdownEnumDescriptions',
  'patternErrorMessage',
  'label',
  'altText',
]);

/** Fields that are values, whatever is in them; what models read stays English. */
const VALUES = new Set(['default', 'body', 'enum', 'const', 'inputSchema']);

/** A name that programs call: of a tool, of a chat participant. */
const IDENTIFIER = /^[a-z][a-z_]*$/u;

/**
 * The manifest with a key in the place of each text that a person reads, as VS Code wants it, and the English
 * texts by these keys. A key is made of its text: a text that is changed has another key, so that no translation
 * of the older one stays.
 */
export function localized(manifest: { readonly [part: string]: Json }): {
  readonly parts: { readonly [part: string]: Json };
  readonly english: Readonly<Record<string, string>>;
} {
  const english: Record<string, string> = {};
  const visit = (value: Json, field: string): Json => {
    if (typeof value === 'string') {
      if (!READ.has(field) || value === 'Belay') return value;
      if (field === 'name' && IDENTIFIER.test(value)) return value;
      const key = keyOf(value);
      english[key] = value;
      return `%${key}%`;
    }
    if (VALUES.has(field)) return value;
    if (Array.isArray(value)) return value.map((one: Json) => visit(one, field));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, visit(one, name)]));
  };
  const parts = Object.fromEntries(
    Object.entries(manifest).map(([part, value]) => [part, visit(value, part)]),
  );
  return { parts, english };
}

/** Characters of a key that are words of its text. */
const WORDS = 12;

function keyOf(text: string): string {
  const words = text
    .replaceAll(/[^A-Za-z0-9]+/g, '.')
    .replaceAll(/^\.|\.$/g, '')
    .toLowerCase();
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 6);
  return `${words.slice(0, WORDS).replace(/\.$/, '')}.${hash}`;
}
