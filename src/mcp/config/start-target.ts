import { readFile, stat } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import type { ConnectProblem } from '../connection/problem.ts';
import { oneLine } from '../status/sentence.ts';
import { type ServerTarget, parseServer } from './config.ts';
import type { InputBook, Presence } from './input-book.ts';
import type { PlacedServer } from './read-servers.ts';
import type { Variables } from './variables.ts';

/** A target that can be opened, or why there is none. */
export type Prepared = { readonly target: ServerTarget } | { readonly problem: ConnectProblem };

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
    return failed(`It needs a value from you: “${what}”. Restart it to type it.`);
  }
  const { values: inputs } = found;
  const whole =
    definition.inputs.length === 0
      ? definition
      : parseServer(definition.name, raw, place, { ...variables, inputs });
  const { target } = whole;
  if (target === undefined) return failed(whole.problems.map(({ message }) => message).join(' '));
  if (target.kind === 'http' || target.envFile === undefined) return { target };
  const added = await variablesOf(target.envFile);
  if (typeof added === 'string') return failed(added);
  return { target: { ...target, env: { ...added, ...target.env } } };
}

const failed = (reason: string): Prepared => ({ problem: { reason, retry: false } });

/** The variables of a file, or a sentence why it has none. */
async function variablesOf(file: string): Promise<Record<string, string> | string> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) return `The file ${file} of \`envFile\` does not exist.`;
  if (found.size > LARGEST) return `The file ${file} of \`envFile\` is larger than 1 MB.`;
  const read = parseEnv(await readFile(file, 'utf8'));
  return Object.fromEntries(
    Object.entries(read).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
