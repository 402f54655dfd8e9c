import path from 'node:path';
import { type Json, type JsonObject, isJsonObject } from '../../domain/data/json.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';
import { type ServerDefinition, SERVERS_SETTING, parseServer } from '../config/config.ts';
import type { Variables } from '../config/variables.ts';
import { type WrittenSecret, withoutSecrets } from './keep-secrets.ts';

/** A server that somebody wants added: nothing of it is written or run before the person has seen it. */
export interface ProposedServer {
  readonly name: string;
  /** As it would be written. */
  readonly raw: JsonObject;
  /** Secrets that were taken out of it. */
  readonly secrets: readonly WrittenSecret[];
  readonly definition: ServerDefinition;
}

const FIELDS = [
  'type',
  'command',
  'args',
  'env',
  'envFile',
  'cwd',
  'url',
  'headers',
  'oauth',
  'enabled',
  'timeout',
  'inputs',
] as const;

const SHELLS =
  /^(?:(?:ba|z|da|fi|k)?sh|cmd|powershell|pwsh|osascript|wscript|cscript)(?:\.exe)?$/iu;

/** @param keepSecrets whether secrets go to the secret storage; without it they stay where they stand */
export function proposeServer(
  name: string,
  found: Json,
  variables: Variables,
  keepSecrets: boolean,
): ProposedServer {
  const given = isJsonObject(found) ? found : {};
  const { definition: without, secrets } = withoutSecrets(given);
  // A place for a secret (“YOUR_API_KEY”) is asked for in any case.
  const asked = keepSecrets || secrets.every(({ value }) => value === undefined);
  const whole = asked ? without : given;
  const raw = Object.fromEntries(
    FIELDS.flatMap((field): [string, Json][] => {
      const value = whole[field];
      return value === undefined ? [] : [[field, value]];
    }),
  );
  return {
    name,
    raw,
    secrets: asked ? secrets : [],
    definition: parseServer(name, whole, { origin: 'user' }, variables),
  };
}

/** All of what would be added, in words and as it would be written; for the person. */
export function proposalText(servers: readonly ProposedServer[]): string {
  const written = Object.fromEntries(servers.map(({ name, raw }) => [name, raw]));
  const json = JSON.stringify({ [SERVERS_SETTING]: written }, undefined, 2);
  const parts = servers.map(({ name, raw, secrets, definition }) => {
    const lines = [
      ...definition.summary.split('\n'),
      ...warnings(raw),
      ...definition.inputs.map((input) => inputLine(input, secrets)),
      ...definition.problems.map(({ message }) => `Note: ${message}`),
    ];
    const kind =
      raw['url'] === undefined ? 'a program on this machine' : 'a server that is reached over HTTP';
    return [`## ${name}: ${kind}`, '', ...lines.map((line) => `    ${line}`), ''].join('\n');
  });
  const head = [
    '# What is to be added to Belay',
    '',
    'Nothing has been written or started yet.',
    'Read all of it, then choose above.',
    // The choice covers the top of the editor.
    '\n\n',
  ].join('\n');
  return makeVisible([head, ...parts, '## As it will be written', '', json, ''].join('\n'));
}

function warnings({ command, url }: JsonObject): readonly string[] {
  if (typeof command === 'string' && SHELLS.test(path.basename(command)))
    return ['Warning: this is a shell; it runs whatever its arguments say.'];
  const plain = typeof url === 'string' && /^http:/iu.test(url);
  return plain ? ['Note: the connection is not encrypted (http).'] : [];
}

function inputLine(
  { id, description }: ServerDefinition['inputs'][number],
  secrets: readonly WrittenSecret[],
): string {
  const secret = secrets.find((one) => one.id === id);
  return secret?.value === undefined
    ? `You will be asked for ${description ?? id}; what you type is kept in VS Code's secret storage.`
    : `The value of ${secret.where} goes into VS Code's secret storage, not into the settings.`;
}
