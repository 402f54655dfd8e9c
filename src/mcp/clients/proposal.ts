import * as l10n from '@vscode/l10n';
import { wordsOf } from '../../domain/failure.ts';
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
      ...definition.problems.map((one) => l10n.t('Note: {0}', wordsOf(one))),
    ];
    const kind =
      raw['url'] === undefined
        ? l10n.t('a program on this machine')
        : l10n.t('a server that is reached over HTTP');
    return [`## ${name}: ${kind}`, '', ...lines.map((line) => `    ${line}`), ''].join('\n');
  });
  const head = [
    `# ${l10n.t('What is to be added to Belay')}`,
    '',
    l10n.t('Nothing has been written or started yet.'),
    l10n.t('Read all of it, then choose above.'),
    // The choice covers the top of the editor.
    '\n\n',
  ].join('\n');
  return makeVisible(
    [head, ...parts, `## ${l10n.t('As it will be written')}`, '', json, ''].join('\n'),
  );
}

function warnings({ command, url }: JsonObject): readonly string[] {
  if (typeof command === 'string' && SHELLS.test(path.basename(command)))
    return [l10n.t('Warning: this is a shell; it runs whatever its arguments say.')];
  const plain = typeof url === 'string' && /^http:/iu.test(url);
  return plain ? [l10n.t('Note: the connection is not encrypted (http).')] : [];
}

function inputLine(
  { id, description }: ServerDefinition['inputs'][number],
  secrets: readonly WrittenSecret[],
): string {
  const secret = secrets.find((one) => one.id === id);
  return secret?.value === undefined
    ? l10n.t(
        'You will be asked for {0}; what you type is kept in VS Code’s secret storage.',
        description ?? id,
      )
    : l10n.t(
        'The value of {0} goes into VS Code’s secret storage, not into the settings.',
        secret.where,
      );
}
