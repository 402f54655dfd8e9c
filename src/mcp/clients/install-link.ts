import { type Told, told } from '../../domain/text/told.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';
import { type Json, isJsonObject } from '../../domain/data/json.ts';
import { openable } from '../auth/openable.ts';
import { clientServers } from './client-servers.ts';
import { type Pasted, readJson } from './read-pasted.ts';

/** A link's parts, as VS Code hands them over: decoded once. */
export interface InstallLink {
  readonly path: string;
  readonly query: string;
}

/** Characters of a link; those of pages have a few hundred. */
const LONGEST_LINK = 10_000;

/**
 * Reads `…/mcp/install?name=NAME&config=DEFINITION` (JSON, or JSON in base64), `…?name=NAME&url=ADDRESS` or
 * `…?{"name": …}`. A stranger wrote it: what is odd is refused, and nothing is done before the person has seen it.
 */
export function readInstallLink({ path, query }: InstallLink): Pasted {
  const no = (why: Told): Pasted => ({ problem: told`The link was not followed: ${why}.` });
  if (path !== '/mcp/install') return no(told`Belay knows no such link`);
  if (query.length > LONGEST_LINK) return no(told`it has more than ${LONGEST_LINK} characters`);
  const read = definitionIn(query);
  if ('problem' in read) return no(read.problem);
  const servers = clientServers(read.value);
  const entries = Object.entries(servers ?? {});
  const [entry] = entries;
  if (servers === undefined || entry === undefined)
    return no(told`it has no \`command\` and no \`url\``);
  if (entries.length > 1) return no(told`it has more than one server`);
  const [name, definition] = entry;
  const odd = [name, ...textsIn(definition)].find((text) => makeVisible(text) !== text);
  if (odd !== undefined)
    return no(told`it has characters that cannot be seen (${makeVisible(odd).slice(0, 80)})`);
  if (!isJsonObject(definition)) return no(told`it has no definition`);
  const text = JSON.stringify(definition);
  if (/\$\{(?!input:|workspaceFolder\b|userHome\}|pathSeparator\}|\/\})/u.test(text))
    return no(told`it wants variables of your environment`);
  if (definition['envFile'] !== undefined) return no(told`it wants a file of your variables`);
  const { url } = definition;
  const place = typeof url === 'string' ? openable(url) : undefined;
  if (place !== undefined && 'problem' in place) return no(place.problem);
  return { servers };
}

type Read = { readonly value: unknown } | { readonly problem: Told };

/** After VS Code's decoding a value may have `&` and `=` in it: the last parameter is all that follows. */
function definitionIn(query: string): Read {
  if (query.startsWith('{')) return json(query);
  const { groups } =
    /^(?:name=(?<name>[^&]{1,100})&)?(?<kind>config|url)=(?<value>.+)$/su.exec(query) ?? {};
  const { name, kind, value = '' } = groups ?? {};
  if (kind === undefined) return { problem: told`it has neither \`config\` nor \`url\`` };
  const named = name === undefined ? {} : { name };
  if (kind === 'url') return { value: { ...named, url: value } };
  const read = json(value.startsWith('{') ? value : fromBase64(value));
  if ('problem' in read) return read;
  return { value: isJsonObject(read.value) ? { ...read.value, ...named } : read.value };
}

function json(text: string): Read {
  const read = readJson(text);
  return 'problem' in read ? { problem: told`it ${read.problem}` } : read;
}

/** Of the two alphabets; `%3D` at its end is left where a page encoded it twice. */
const fromBase64 = (text: string): string =>
  Buffer.from(text.replaceAll(/%3D/giu, '='), 'base64').toString();

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => [name, ...textsIn(field)]);
}
