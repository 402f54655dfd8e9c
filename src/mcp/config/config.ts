import { told } from '../../domain/text/told.ts';
import { isAbsolute, resolve } from 'node:path';
import { serverUrlProblem } from '../../core/permissions/network/request-guard.ts';
import type { ToolFilter } from '../tools/tool-filter.ts';
import type { OAuthSettings } from '../auth/oauth-settings.ts';
import { type ConfigProblem, DefinitionReader } from './definition-reader.ts';
import { type ServerInput, readInputs } from './server-inputs.ts';
import { hashOf, summaryOf } from './summary.ts';
import { MAX_JSON_LEVELS, MAX_JSON_VALUES, isOverLimits } from '../../domain/data/json-limits.ts';
import { type Variables, inputsIn } from './variables.ts';

/** A definition's author: the person's own settings, or the open workspace. */
export type ServerOrigin = 'user' | 'workspace';

/** A local server, talked to over its standard input and output. */
export interface StdioServer {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute, a file of more variables, read at each start; those of `env` win. */
  readonly envFile?: string;
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

/** Where definitions are written. */
export interface ServerPlace {
  readonly origin: ServerOrigin;
  /** A setting or a file, for the person; absent: the setting. */
  readonly label?: string;
  /** Absolute; absent: the first folder of the workspace. */
  readonly folder?: string;
  /** Absolute; absent: a setting. */
  readonly file?: string;
}

export interface ServerDefinition {
  readonly name: string;
  readonly origin: ServerOrigin;
  /** The setting or file it is written in, for the person. */
  readonly place: string;
  readonly file?: string;
  readonly enabled: boolean;
  /** SHA-256 over the name and what decides what runs and where data goes, as written. Approvals are bound to it. */
  readonly hash: string;
  readonly filter: ToolFilter;
  /** Milliseconds a call may take; absent: the setting for all tools. */
  readonly timeoutMs?: number;
  /** The program or address as written, without variables' values; for the person. */
  readonly summary: string;
  /** Absent when the definition cannot be used; `problems` says why. `${input:ID}` stands in it as written. */
  readonly target?: ServerTarget;
  /** Values that it needs from the person. */
  readonly inputs: readonly ServerInput[];
  readonly problems: readonly ConfigProblem[];
}

/** It is switched on, and its definition can be used. */
export const isStartable = ({ enabled, target }: ServerDefinition): boolean =>
  enabled && target !== undefined;

/** The setting of which definitions are entries. */
export const SERVERS_SETTING = 'belay.mcp.servers';

/** Reads one entry of `belay.mcp.servers`; never throws. */
export function parseServer(
  name: string,
  given: unknown,
  { origin, label = SERVERS_SETTING, folder, file }: ServerPlace,
  variables: Variables,
): ServerDefinition {
  const there = folder === undefined ? variables : { ...variables, workspaceFolder: folder };
  const isLarge = isOverLimits(given);
  const raw = isLarge ? {} : given;
  const reader = new DefinitionReader(name, raw, label, there);
  if (isLarge)
    reader.fail('', told`has more than ${MAX_JSON_VALUES} values or ${MAX_JSON_LEVELS} levels`);
  const inputs = readInputs(raw);
  const target = isLarge ? undefined : readTarget(reader, there);
  const timeout = reader.number('timeout', 1, 86_400);
  const isOff = [reader.boolean('enabled', true), !reader.boolean('disabled', false)].includes(
    false,
  );
  const only = reader.has('tools') ? reader.list('tools') : undefined;
  const without = reader.list('excludeTools');
  reader.unknownFields();
  return {
    name,
    origin,
    place: label,
    ...(file === undefined ? {} : { file }),
    enabled: !isOff,
    hash: hashOf(name, raw, folder),
    summary: summaryOf(raw),
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
    ...(target === undefined || reader.unusable ? {} : { target }),
    filter: only === undefined || only.includes('*') ? { without } : { only, without },
    inputs,
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
        ? told`needs \`command\` (a local server) or \`url\` (a remote one)`
        : told`needs \`url\`, because \`type\` is ${type}`,
    );
    return undefined;
  }
  if (!isHttp && !reader.has('command')) {
    reader.fail('command', told`needs \`command\`, because \`type\` is stdio`);
    return undefined;
  }
  if (type === undefined && reader.has('command') && reader.has('url')) {
    reader.fail('url', told`has both \`command\` and \`url\`. Keep one of them`);
    return undefined;
  }
  return isHttp ? readHttp(reader, type) : readStdio(reader, variables);
}

function readStdio(reader: DefinitionReader, variables: Variables): StdioServer {
  const cwd = reader.text('cwd');
  const envFile = reader.text('envFile');
  return {
    kind: 'stdio',
    command: reader.text('command') ?? '',
    args: reader.list('args'),
    env: reader.record('env'),
    ...(envFile === undefined ? {} : { envFile: absolute(envFile, variables) }),
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
  const { clientId, clientSecret, clientMetadataUrl, scope, callbackPort, ...rest } =
    reader.record('oauth');
  const { grant, privateKeyFile, ...others } = rest;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    reader.fail(`oauth.${unknown}`, told`has an unknown \`oauth.${unknown}\``);
  const port = callbackPort === undefined ? undefined : Number(callbackPort);
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536))
    reader.fail('oauth.callbackPort', told`has an \`oauth.callbackPort\` that is not a port`);
  if (clientMetadataUrl !== undefined && !/^https:\/\/[^/]+\/./u.test(clientMetadataUrl))
    reader.fail(
      'oauth.clientMetadataUrl',
      told`has an \`oauth.clientMetadataUrl\` that is no https address of a file`,
    );
  checkGrant(reader, { clientId, clientSecret, grant, privateKeyFile });
  return {
    ...(grant === 'client_credentials' ? { grant } : {}),
    ...(privateKeyFile === undefined ? {} : { privateKeyFile }),
    ...(clientId === undefined ? {} : { clientId }),
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    ...(scope === undefined ? {} : { scope }),
    ...(port === undefined ? {} : { callbackPort: port }),
  };
}

/** A client that signs in as itself: who it is, and by what it proves that. */
function checkGrant(
  reader: DefinitionReader,
  {
    clientId,
    clientSecret,
    grant,
    privateKeyFile,
  }: Readonly<Record<'clientId' | 'clientSecret' | 'grant' | 'privateKeyFile', string | undefined>>,
): void {
  if (grant === undefined) {
    if (privateKeyFile !== undefined)
      reader.fail(
        'oauth.privateKeyFile',
        told`has an \`oauth.privateKeyFile\` without \`"grant": "client_credentials"\``,
      );
    return;
  }
  if (grant !== 'client_credentials')
    reader.fail(
      'oauth.grant',
      told`has an \`oauth.grant\` that Belay does not know: ${grant}. Only client_credentials is possible; tokens of a company’s identity provider (id-jag) and of workloads are not. Leave it out to sign in yourself`,
    );
  else if (
    clientId === undefined ||
    (clientSecret === undefined) === (privateKeyFile === undefined)
  )
    reader.fail(
      'oauth.grant',
      told`signs in as a client (\`oauth.grant\`) and needs \`oauth.clientId\`, and either \`oauth.clientSecret\` or \`oauth.privateKeyFile\``,
    );
  else if (privateKeyFile !== undefined && !isAbsolute(privateKeyFile))
    reader.fail(
      'oauth.privateKeyFile',
      told`has an \`oauth.privateKeyFile\` that is no absolute path`,
    );
}

function checkUrl(reader: DefinitionReader, url: string): void {
  // With a value of the person it is judged when it is whole.
  if (reader.unusable || inputsIn(url).length > 0) return;
  if (!URL.canParse(url)) {
    reader.fail(
      'url',
      told`has a \`url\` that is not a web address. Write it with https:// or http://`,
    );
    return;
  }
  const { protocol, username, password } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') {
    reader.fail('url', told`has a \`url\` with ${protocol}. Only https: and http: are possible`);
  }
  if (username !== '' || password !== '') {
    reader.fail(
      'url',
      told`has a name or password in \`url\`. Put them into \`headers\` as Authorization`,
    );
    return;
  }
  const problem = reader.unusable ? undefined : serverUrlProblem(url);
  if (problem !== undefined) reader.fail('url', told`has a \`url\` that ${problem}`);
}

function checkHeader(reader: DefinitionReader, name: string, value: string): void {
  try {
    new Headers().set(name, value);
  } catch {
    reader.fail(
      `headers.${name}`,
      told`has a header ${JSON.stringify(name)} that HTTP does not allow`,
    );
  }
}
