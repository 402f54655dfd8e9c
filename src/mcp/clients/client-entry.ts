import { type Json, type JsonObject, isJsonObject } from '../../domain/data/json.ts';
import { wordSet } from '../../domain/text/words.ts';
import { inputsIn } from '../config/variables.ts';

/** Fields that say nothing about how a server is reached. */
const SILENT = wordSet('name description gallery version title author homepage source settings');

/** Fields that say nothing when they hold this much. */
const isEmpty = (value: Json): boolean =>
  value === false ||
  value === null ||
  (Array.isArray(value) && (value.length === 0 || value[0] === '*'));

const TRANSPORTS: Readonly<Record<string, string | undefined>> = {
  stdio: 'stdio',
  local: 'stdio',
  sse: 'sse',
  http: 'http',
  'streamable-http': 'http',
  streamablehttp: 'http',
  streamable_http: 'http',
};

/** Numbers from which on a time counts as milliseconds: nobody waits a quarter of an hour for a call. */
const MILLISECONDS_FROM = 1000;

type Fields = Readonly<Record<string, Json | undefined>>;

/**
 * A server's definition in another client's words, in Belay's. What has no counterpart stays under its name,
 * so that the reader of definitions tells it.
 */
export function clientEntry(entry: JsonObject, inputs?: Json): JsonObject {
  const fields = withVariables(flattened(entry)) as Fields;
  const declared = fields['inputs'] ?? inputs;
  const used = inputsIn(fields);
  const known: Record<string, Json | undefined> = {
    ...reached(fields),
    timeout: seconds(fields),
    oauth: signIn(fields['oauth'] ?? fields['auth']),
    inputs: Array.isArray(declared)
      ? nonEmpty(declared.filter((one) => isJsonObject(one) && used.some((id) => id === one['id'])))
      : undefined,
    ...filters(fields),
    ...(fields['enabled'] === false || fields['disabled'] === true ? { enabled: false } : {}),
  };
  const others = Object.entries(fields).filter(
    ([name, value]) =>
      !TAKEN.has(name) && !SILENT.has(name) && value !== undefined && !isEmpty(value),
  );
  return Object.fromEntries(
    [...Object.entries(known), ...others].filter(
      (field): field is [string, Json] => field[1] !== undefined,
    ),
  );
}

/** Looks like a definition of one server. */
export const isEntry = (value: unknown): value is JsonObject =>
  isJsonObject(value) &&
  ['command', 'url', 'serverUrl', 'httpUrl', 'transport', 'cmd'].some((name) =>
    Object.hasOwn(value, name),
  );

const TAKEN = wordSet(`
  type transport command cmd args env environment env_vars envFile cwd url serverUrl httpUrl headers http_headers
  requestOptions env_http_headers bearer_token_env_var enabled disabled timeout tool_timeout_sec
  oauth auth inputs tools includeTools enabledTools enabled_tools excludeTools disabledTools disabled_tools
`);

/** Parts that some clients keep one level deeper: Zed's old `command`, Continue's old `transport`. */
function flattened(entry: JsonObject): JsonObject {
  const { command, transport } = entry;
  const deeper = isJsonObject(transport) ? transport : {};
  if (!isJsonObject(command)) return { ...entry, ...deeper };
  const { path, ...rest } = command;
  return { ...entry, ...deeper, ...rest, ...(path === undefined ? {} : { command: path }) };
}

function reached(fields: Fields): Record<string, Json | undefined> {
  const { command, cmd, args, env, environment, env_vars: passed, envFile, cwd } = fields;
  const url = fields['url'] ?? fields['serverUrl'] ?? fields['httpUrl'];
  const said = fields['type'] ?? fields['transport'];
  const type =
    typeof said === 'string' && said !== 'remote'
      ? (TRANSPORTS[said.toLowerCase()] ?? said)
      : undefined;
  const line = command ?? cmd;
  const [program, ...words] = Array.isArray(line) ? listOf(line) : line === undefined ? [] : [line];
  const forwarded = Array.isArray(passed)
    ? passed.flatMap((name) => (typeof name === 'string' ? [[name, `\${env:${name}}`]] : []))
    : [];
  const variables = {
    ...Object.fromEntries(forwarded),
    ...record(env ?? environment),
  } as JsonObject;
  return {
    // Said twice it says nothing.
    type:
      type === 'stdio' || (type === 'http' && fields['httpUrl'] !== undefined) ? undefined : type,
    command: program,
    args: words.length > 0 ? [...words, ...listOf(args)] : args,
    env: isJsonObject(env ?? environment ?? {}) ? filled(variables) : env,
    envFile,
    cwd,
    url,
    headers: headersOf(fields),
  };
}

/** Tools that are let through or kept out, in the words of Copilot, Gemini, Codex, Kilo and others. */
function filters(fields: Fields): Record<string, Json | undefined> {
  const named = (...names: string[]): Json | undefined => {
    const given = names
      .map((name) => fields[name])
      .find((one) => one !== undefined && !isEmpty(one));
    // Gemini's may have arguments behind them.
    return Array.isArray(given)
      ? given.map((one: Json) => (typeof one === 'string' ? one.replace(/\(.*$/su, '') : one))
      : given;
  };
  return {
    tools: named('tools', 'includeTools', 'enabledTools', 'enabled_tools'),
    excludeTools: named('excludeTools', 'disabledTools', 'disabled_tools'),
  };
}

function headersOf(fields: Fields): Json | undefined {
  const { headers, http_headers: plain, requestOptions } = fields;
  const given = headers ?? plain ?? record(requestOptions)['headers'];
  if (given !== undefined && !isJsonObject(given)) return given;
  const named = Object.entries(record(fields['env_http_headers'])).map(
    ([name, variable]) =>
      [name, typeof variable === 'string' ? `\${env:${variable}}` : variable] as const,
  );
  const bearer = fields['bearer_token_env_var'];
  return filled({
    ...given,
    ...Object.fromEntries(named),
    ...(typeof bearer === 'string' ? { Authorization: `Bearer \${env:${bearer}}` } : {}),
  });
}

/** A client's words about the sign-in, by names that several use. */
function signIn(oauth: Json | undefined): Json | undefined {
  if (!isJsonObject(oauth)) return undefined;
  const text = (...names: string[]): Json | undefined =>
    names.map((name) => oauth[name]).find((value) => value !== undefined);
  const scopes = text('scope', 'scopes');
  return filled({
    clientId: text('clientId', 'client_id', 'CLIENT_ID'),
    clientSecret: text('clientSecret', 'client_secret', 'CLIENT_SECRET'),
    clientMetadataUrl: text('clientMetadataUrl'),
    scope: Array.isArray(scopes) ? scopes.join(' ') : scopes,
    callbackPort: text('callbackPort', 'callback_port'),
  });
}

function seconds({ timeout, tool_timeout_sec: toolTimeout }: Fields): Json | undefined {
  if (typeof timeout === 'number' && timeout >= MILLISECONDS_FROM) return timeout / 1000;
  return timeout ?? toolTimeout;
}

const nonEmpty = (list: readonly Json[]): Json | undefined =>
  list.length === 0 ? undefined : list;

const listOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as Json[]) : [];

const record = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** `undefined` where nothing is in it. */
function filled(fields: Readonly<Record<string, Json | undefined>>): JsonObject | undefined {
  const entries = Object.entries(fields).filter(
    (field): field is [string, Json] => field[1] !== undefined,
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Variables in other clients' words, in every text. */
function withVariables(value: Json): Json {
  if (typeof value === 'string') return inOurWords(value);
  if (Array.isArray(value)) return (value as Json[]).map(withVariables);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, withVariables(field)]),
  );
}

/** `${NAME}`, `${NAME:-else}`, `$NAME` alone, `{env:NAME}` and `${{ secrets.NAME }}`. */
const inOurWords = (text: string): string =>
  text
    .replace(/\$\{\{\s*(?:secrets|inputs)\.([\w.-]+)\s*\}\}/gu, '${input:$1}')
    .replace(/(?<!\$)\{env:(\w+)\}/gu, '${env:$1}')
    .replace(/\$\{([A-Z_][A-Z0-9_]*(?::-[^}]*)?)\}/gu, '${env:$1}')
    .replace(/^\$([A-Z_][A-Z0-9_]*)$/u, '${env:$1}');
