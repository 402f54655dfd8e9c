import { sentenceOf } from '../../domain/failure.ts';
import { joined, told, type Told } from '../../domain/text/told.ts';
import { readFile, stat } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { environmentSecrets, isTelling } from '../../core/secrets/secret-book.ts';
import type { ConnectProblem } from '../connection/problem.ts';
import { oneLine } from '../status/sentence.ts';
import { type ServerTarget, parseServer } from './config.ts';
import type { InputBook, Presence } from './input-book.ts';
import type { PlacedServer } from './read-servers.ts';
import { type Variables, environmentIn } from './variables.ts';

/** A value that must not be shown, and what it is, for the person. */
export type SecretValue = readonly [value: string, what: string];

/** A target that can be opened, with the secrets that the server gets; or why there is none. */
export type Prepared =
  | { readonly target: ServerTarget; readonly secrets: readonly SecretValue[] }
  | { readonly problem: ConnectProblem };

/** Bytes of a file of variables. */
const LARGEST = 2 ** 20;

/** A server's target as it is started: with the person's values and the variables of its file. Rejects when the signal fires. */
export async function startTarget(
  { definition, place, raw }: PlacedServer,
  variables: Variables,
  book: InputBook,
  presence: Presence,
): Promise<Prepared> {
  const found = await book.values(definition, presence);
  if ('missing' in found) {
    const { id, description } = found.missing;
    const what = oneLine(description ?? id);
    return failed(told`It needs a value from you: “${what}”. Restart it to type it.`);
  }
  const { values: inputs } = found;
  const whole =
    definition.inputs.length === 0
      ? definition
      : parseServer(definition.name, raw, place, { ...variables, inputs });
  const { target } = whole;
  if (target === undefined) return failed(joined(whole.problems.map(sentenceOf), ' '));
  const of = `of the MCP server ${definition.name}`;
  const typed = definition.inputs.flatMap(({ id, password }): SecretValue[] => {
    const value = inputs[id];
    return password && value !== undefined ? [[value, `“${id}” ${of}`]] : [];
  });
  const names = environmentIn(raw);
  const read = names.map((name) => [name, variables.environment[name] ?? ''] as const);
  const known = [...typed, ...secretsIn(Object.fromEntries(read), of)];
  if (target.kind === 'http')
    return { target, secrets: [...known, ...secretsIn(target.headers, of)] };
  const secrets = [...known, ...secretsIn(target.env, of)];
  if (target.envFile === undefined) return { target, secrets };
  const added = await variablesOf(target.envFile);
  if ('problem' in added) return failed(added.problem);
  const inFile = Object.entries(added.values).flatMap(([name, value]): SecretValue[] =>
    isTelling(value) ? [[value, `${name} in the \`envFile\` ${of}`]] : [],
  );
  return {
    target: { ...target, env: { ...added.values, ...target.env } },
    secrets: [...secrets, ...inFile],
  };
}

/** The secrets among variables or headers, by their names; of "Bearer X" the X. */
function secretsIn(values: Readonly<Record<string, string>>, of: string): readonly SecretValue[] {
  return Object.entries(values).flatMap(([name, value]) =>
    environmentSecrets({ [name.replaceAll('-', '_')]: value.split(' ').at(-1) }).map(
      ([secret]): SecretValue => [secret, `${name} ${of}`],
    ),
  );
}

const failed = (reason: Told): Prepared => ({ problem: { reason, retry: false } });

/** The variables of a file, or a sentence why it has none. */
async function variablesOf(
  file: string,
): Promise<{ readonly values: Record<string, string> } | { readonly problem: Told }> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true)
    return { problem: told`The file ${file} of \`envFile\` does not exist.` };
  if (found.size > LARGEST)
    return { problem: told`The file ${file} of \`envFile\` is larger than 1 MB.` };
  const read = parseEnv(await readFile(file, 'utf8'));
  const given = Object.entries(read).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return { values: Object.fromEntries(given) };
}
