import { isPlaceholder } from '../../core/secrets/assigned-values.ts';
import { environmentSecrets } from '../../core/secrets/secret-book.ts';
import { secretsIn } from '../../core/secrets/secret-forms.ts';
import { type Json, type JsonObject, isJsonObject } from '../../domain/data/json.ts';

/** A value that looks like a secret, in a definition. */
export interface WrittenSecret {
  /** Of its `${input:ID}`. */
  readonly id: string;
  /** Its place, for the person: `env.GITHUB_TOKEN`. */
  readonly where: string;
  /** `undefined`: only a place for one is there (“YOUR_API_KEY”). */
  readonly value: string | undefined;
}

/** A definition whose secrets are `${input:ID}`, and what stood there. */
export interface WithoutSecrets {
  readonly definition: JsonObject;
  readonly secrets: readonly WrittenSecret[];
}

/** Takes the secrets out of a definition: from variables, headers, arguments, the address and the client's secret. */
export function withoutSecrets(definition: JsonObject): WithoutSecrets {
  const secrets: WrittenSecret[] = [];
  const taken = new Set<string>();
  const replace: Replace = (text, name, where) => {
    let left = text;
    for (const value of secretValues(text, name)) {
      const known = secrets.find((secret) => secret.value === value);
      const id = known?.id ?? freeId(name, taken);
      if (known === undefined)
        secrets.push({ id, where, value: isPlaceholder(value) ? undefined : value });
      left = left.replaceAll(value, `\${input:${id}}`);
    }
    return left;
  };
  const { env, headers, args, url, oauth } = definition;
  const found: Record<string, Json> = { ...definition };
  if (isJsonObject(env)) found['env'] = inRecord(env, 'env', replace);
  if (isJsonObject(headers)) found['headers'] = inRecord(headers, 'headers', replace);
  if (isJsonObject(oauth)) found['oauth'] = inRecord(oauth, 'oauth', replace);
  if (Array.isArray(args)) found['args'] = inArguments(args as Json[], replace);
  if (typeof url === 'string') found['url'] = inAddress(url, replace);
  if (secrets.length === 0) return { definition, secrets };
  const declared = Array.isArray(found['inputs']) ? (found['inputs'] as Json[]) : [];
  found['inputs'] = [
    ...declared,
    ...secrets.map(({ id }) => ({ id, type: 'promptString', description: id, password: true })),
  ];
  return { definition: found, secrets };
}

type Replace = (text: string, name: string, where: string) => string;

function inRecord(fields: JsonObject, place: string, replace: Replace): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? replace(value, name, `${place}.${name}`) : value,
    ]),
  );
}

/** `--api-key VALUE`, `--api-key=VALUE`, `--header "Authorization: Bearer VALUE"`. */
function inArguments(args: readonly Json[], replace: Replace): Json[] {
  return args.map((word, index) => {
    if (typeof word !== 'string' || (word.startsWith('-') && !word.includes('='))) return word;
    const [, own, value] = /^-{0,2}([\w-]+)(?:=|:\s*)(.*)$/su.exec(word) ?? [];
    const where = `args[${index}]`;
    if (own !== undefined && value !== undefined && !value.startsWith('//'))
      return word.slice(0, word.length - value.length) + replace(value, own, where);
    const before = args[index - 1];
    const flag = typeof before === 'string' && before.startsWith('-') ? before : '';
    return replace(word, flag.replace(/^-+/u, '') || 'value', where);
  });
}

function inAddress(address: string, replace: Replace): string {
  const [place = '', query] = address.split(/\?(.*)/su);
  const there = replace(place, 'address', 'url');
  if (query === undefined) return there;
  const parts = query.split('&').map((part) => {
    const [name = '', value] = part.split(/=(.*)/su);
    return value === undefined ? part : `${name}=${replace(value, name, `url?${name}`)}`;
  });
  return `${there}?${parts.join('&')}`;
}

/** Values in a text, of which the name or the form says that they are secret. */
function secretValues(text: string, name: string): readonly string[] {
  if (/\$\{(?:input|env):/u.test(text) || text.length < 4) return [];
  const shouting = name.toUpperCase().replaceAll('-', '_');
  const [, bare = text] = /^(?:Bearer|Basic|Token)\s+(.+)$/isu.exec(text) ?? [];
  const byName = environmentSecrets({ [shouting]: bare }).map(([value]) => value);
  if (byName.length > 0) return byName;
  if (/KEY|TOKEN|SECRET|PASSW/u.test(shouting) && isPlaceholder(bare)) return [bare];
  return secretsIn(text).map(({ value }) => value);
}

function freeId(name: string, taken: Set<string>): string {
  const word = name.replaceAll(/[^\w-]+/gu, '_');
  let id = word;
  for (let number = 2; taken.has(id); number += 1) id = `${word}-${number}`;
  taken.add(id);
  return id;
}
