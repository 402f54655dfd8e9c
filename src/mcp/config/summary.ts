import { createHash } from 'node:crypto';
import { type Json, type JsonObject, canonicalJson, isJsonObject } from '../../domain/data/json.ts';
import { environmentIn } from './variables.ts';

/**
 * SHA-256 over a name and what decides what runs and where data goes.
 * @param folder absolute, of a workspace with several: the same text means another program there
 */
export function hashOf(name: string, raw: unknown, folder?: string): string {
  const fields: Readonly<Record<string, unknown>> = isJsonObject(raw) ? raw : { raw };
  const {
    enabled: _,
    disabled: _d,
    timeout: _t,
    tools: _only,
    excludeTools: _without,
    ...rest
  } = fields;
  const text = JSON.stringify({ name, definition: rest, folder });
  return createHash('sha256')
    .update(canonicalJson(JSON.parse(text) as Json))
    .digest('hex');
}

/** A program or address as written, without what may be a secret, and the variables it reads; for the person. */
export function summaryOf(raw: unknown): string {
  if (!isJsonObject(raw)) return '';
  const variables = environmentIn(raw);
  const reads = variables.length === 0 ? '' : `\nreading the variables ${variables.join(', ')}`;
  return `${startOf(raw)}${reads}`;
}

function startOf(raw: JsonObject): string {
  const { url, command, args, env, envFile, cwd, headers } = raw;
  // The query may hold a key; so may the value of a header.
  if (typeof url === 'string') {
    const names = isJsonObject(headers) ? Object.keys(headers) : [];
    const sent = names.length === 0 ? '' : `\nsending ${names.join(', ')}`;
    return `${url.replace(/\?.*$/s, '?…')}${sent}`;
  }
  const words = [command, ...(Array.isArray(args) ? (args as unknown[]) : [])];
  const line = words.flatMap((word) =>
    typeof word === 'string' || typeof word === 'number' ? [wordOf(String(word))] : [],
  );
  // A variable can make a harmless program run something else (NODE_OPTIONS, LD_PRELOAD …).
  const set = Object.entries(isJsonObject(env) ? env : {}).map(
    ([name, value]) => `\nwith ${name}=${JSON.stringify(value)}`,
  );
  const file = typeof envFile === 'string' ? `\nwith the variables of ${envFile}` : '';
  const where = typeof cwd === 'string' ? `\nin ${cwd}` : '';
  return `${line.join(' ')}${set.join('')}${file}${where}`;
}

/** As it would have to be written: where one word ends must be seen. */
function wordOf(word: string): string {
  return word === '' || /[\s"'`\\|&;<>()]/u.test(word) ? JSON.stringify(word) : word;
}
