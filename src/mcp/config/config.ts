import { createHash } from 'node:crypto';
import { isAbsolute, resolve } from 'node:path';
import { type Json, canonicalJson, isJsonObject } from '../../domain/json.ts';
import { serverUrlProblem } from '../../core/permissions/request-guard.ts';
import type { OAuthSettings } from '../auth/oauth-settings.ts';
import { type ConfigProblem, DefinitionReader } from './definition-reader.ts';
import type { Variables } from './variables.ts';

/** A definition's author: the person's own settings, or the open workspace. */
export type ServerOrigin = 'user' | 'workspace';

/** A local server, talked to over its standard input and output. */
export interface StdioServer {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute; absent: the workspace folder, or the home folder. */
  readonly cwd?: string;
}

export interface HttpServer {
  readonly kind: 'http';
  /** `auto`: streamable HTTP, and the older SSE where the server refuses it. */
  readonly transport: 'auto' | 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth: OAuthSettings;
}

export type ServerTarget = StdioServer | HttpServer;

export interface ServerDefinition {
  readonly name: string;
  readonly origin: ServerOrigin;
  readonly enabled: boolean;
  /** SHA-256 over the name and what decides what runs and where data goes, as written. Approvals are bound to it. */
  readonly hash: string;
  /** Milliseconds a call may take; absent: the setting for all tools. */
  readonly timeoutMs?: number;
  /** The program or address as written, without variables' values; for the person. */
  readonly summary: string;
  /** Absent when the definition cannot be used; `problems` says why. */
  readonly target?: ServerTarget;
  readonly problems: readonly ConfigProblem[];
}

/** It is switched on, and its definition can be used. */
export const isStartable = ({ enabled, target }: ServerDefinition): boolean =>
  enabled && target !== undefined;

/** Reads one entry of `belay.mcp.servers`; never throws. */
function parseServer(
  name: string,
  raw: unknown,
  origin: ServerOrigin,
  variables: Variables,
): ServerDefinition {
  const reader = new DefinitionReader(name, raw, variables);
  const target = readTarget(reader, variables);
  const timeout = reader.number('timeout', 1, 86_400);
  const enabled = reader.boolean('enabled', true);
  reader.unknownFields();
  return {
    name,
    origin,
    enabled,
    hash: hashOf(name, raw),
    summary: summaryOf(raw),
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
    ...(target === undefined || reader.unusable ? {} : { target }),
    problems: reader.problems,
  };
}

function readTarget(reader: DefinitionReader, variables: Variables): ServerTarget | undefined {
  const type = reader.choice('type', ['stdio', 'http', 'sse']);
  const isHttp = type === undefined ? !reader.has('command') : type !== 'stdio';
  if (isHttp && !reader.has('url')) {
    reader.fail(
      type === undefined ? 'command' : 'url',
      type === undefined
        ? 'needs `command` (a local server) or `url` (a remote one)'
        : `needs \`url\`, because \`type\` is ${type}`,
    );
    return undefined;
  }
  if (!isHttp && !reader.has('command')) {
    reader.fail('command', 'needs `command`, because `type` is stdio');
    return undefined;
  }
  if (type === undefined && reader.has('command') && reader.has('url')) {
    reader.fail('url', 'has both `command` and `url`. Keep one of them');
    return undefined;
  }
  return isHttp ? readHttp(reader, type) : readStdio(reader, variables);
}

function readStdio(reader: DefinitionReader, variables: Variables): StdioServer {
  const cwd = reader.text('cwd');
  return {
    kind: 'stdio',
    command: reader.text('command') ?? '',
    args: reader.list('args'),
    env: reader.record('env'),
    ...(cwd === undefined ? {} : { cwd: absolute(cwd, variables) }),
  };
}

function absolute(path: string, variables: Variables): string {
  return isAbsolute(path) ? path : resolve(variables.workspaceFolder ?? variables.homeFolder, path);
}

function readHttp(
  reader: DefinitionReader,
  type: 'stdio' | 'http' | 'sse' | undefined,
): HttpServer {
  const url = reader.text('url') ?? '';
  checkUrl(reader, url);
  const headers = reader.record('headers');
  for (const [name, value] of Object.entries(headers)) checkHeader(reader, name, value);
  return {
    kind: 'http',
    transport: type === 'http' || type === 'sse' ? type : 'auto',
    url,
    headers,
    oauth: readOAuth(reader),
  };
}

/** How to sign in, where that is not discovered. */
function readOAuth(reader: DefinitionReader): OAuthSettings {
  const { clientId, clientSecret, clientMetadataUrl, scope, callbackPort, ...others } =
    reader.record('oauth');
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) reader.fail(`oauth.${unknown}`, `has an unknown \`oauth.${unknown}\``);
  const port = callbackPort === undefined ? undefined : Number(callbackPort);
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536))
    reader.fail('oauth.callbackPort', 'has an `oauth.callbackPort` that is not a port');
  if (clientMetadataUrl !== undefined && !/^https:\/\/[^/]+\/./u.test(clientMetadataUrl))
    reader.fail(
      'oauth.clientMetadataUrl',
      'has an `oauth.clientMetadataUrl` that is no https address of a file',
    );
  return {
    ...(clientId === undefined ? {} : { clientId }),
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    ...(scope === undefined ? {} : { scope }),
    ...(port === undefined ? {} : { callbackPort: port }),
  };
}

function checkUrl(reader: DefinitionReader, url: string): void {
  if (reader.unusable) return;
  if (!URL.canParse(url)) {
    reader.fail('url', 'has a `url` that is not a web address. Write it with https:// or http://');
    return;
  }
  const { protocol, username, password } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') {
    reader.fail('url', `has a \`url\` with ${protocol}. Only https: and http: are possible`);
  }
  if (username !== '' || password !== '') {
    reader.fail('url', 'has a name or password in `url`. Put them into `headers` as Authorization');
    return;
  }
  const problem = reader.unusable ? undefined : serverUrlProblem(url);
  if (problem !== undefined) reader.fail('url', `has a \`url\` that ${problem}`);
}

function checkHeader(reader: DefinitionReader, name: string, value: string): void {
  try {
    new Headers().set(name, value);
  } catch {
    reader.fail(`headers.${name}`, `has a header ${JSON.stringify(name)} that HTTP does not allow`);
  }
}

function hashOf(name: string, raw: unknown): string {
  const fields: Readonly<Record<string, unknown>> = isJsonObject(raw) ? raw : { raw };
  const { enabled: _enabled, timeout: _timeout, ...rest } = fields;
  const text = JSON.stringify({ name, definition: rest });
  return createHash('sha256')
    .update(canonicalJson(JSON.parse(text) as Json))
    .digest('hex');
}

function summaryOf(raw: unknown): string {
  if (!isJsonObject(raw)) return '';
  const { url, command, args, env, cwd, headers } = raw;
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
  const where = typeof cwd === 'string' ? `\nin ${cwd}` : '';
  return `${line.join(' ')}${set.join('')}${where}`;
}

/** As it would have to be written: where one word ends must be seen. */
function wordOf(word: string): string {
  return word === '' || /[\s"'`\\|&;<>()]/u.test(word) ? JSON.stringify(word) : word;
}

export interface ServerSource {
  readonly origin: ServerOrigin;
  /** The value of `belay.mcp.servers` in this place alone, never merged with another. */
  readonly servers: unknown;
}

/** Puts places together by name. The person's wins; a workspace may switch it off. */
export function readServers(
  sources: readonly ServerSource[],
  variables: Variables,
): readonly ServerDefinition[] {
  const found = new Map<string, ServerDefinition>();
  const ordered = sources.toSorted((a, b) => rank(a.origin) - rank(b.origin));
  for (const { origin, servers } of ordered) {
    for (const [name, raw] of Object.entries(isJsonObject(servers) ? servers : {})) {
      const own = found.get(name);
      if (own === undefined && isSwitch(raw)) continue;
      const read = parseServer(name, raw, origin, variables);
      found.set(name, own === undefined ? read : merge(own, raw, read));
    }
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Only `enabled: false`, for a server that is defined elsewhere. */
function isSwitch(raw: unknown): boolean {
  return isJsonObject(raw) && raw['enabled'] === false && Object.keys(raw).length === 1;
}

function rank(origin: ServerOrigin): number {
  return origin === 'user' ? 0 : 1;
}

function merge(own: ServerDefinition, raw: unknown, read: ServerDefinition): ServerDefinition {
  if (isJsonObject(raw) && raw['enabled'] === false) return { ...own, enabled: false };
  if (read.hash === own.hash) return own;
  const message = `The MCP server “${own.name}” is defined by the workspace, too. Your own definition is used; rename one of them to have both.`;
  return { ...own, problems: [...own.problems, { server: own.name, field: '', message }] };
}
