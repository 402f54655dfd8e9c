import { isJsonObject } from '../../../domain/data/json.ts';
import { joined, told, type Told } from '../../../domain/text/told.ts';

/** A command for each removed kind, for an example of the rule that replaces it. */
const EXAMPLES: Readonly<Record<string, string>> = {
  readers: 'cat',
  checkers: 'npm test',
  'project scripts': 'npm run build',
  'package managers': 'npm install',
  network: 'git push',
};

interface RemovedKind {
  readonly effect: string;
  readonly kind: string;
}

/** Leaves out rules for kinds of commands (`"commands": "readers"`), which no longer exist. */
export function withoutRemovedKinds(raw: readonly unknown[]): readonly unknown[] {
  return raw.filter((one) => readRemovedKind(one) === undefined);
}

/** Returns one notice that names all rules for kinds of commands with their closest replacements. */
export function describeRemovedKinds(raw: readonly unknown[], source: Told): Told | undefined {
  const removed = raw.flatMap((one) => readRemovedKind(one) ?? []);
  if (removed.length === 0) return undefined;
  const names = removed.map(({ effect, kind }) => `${effect} “${kind}”`).join(', ');
  return joined(
    [
      told`${source}: rules for kinds of commands no longer exist, so these are ignored: ${names}.`,
      ...removed.map(describeReplacement),
    ],
    ' ',
  );
}

function readRemovedKind(raw: unknown): RemovedKind | undefined {
  if (!isJsonObject(raw)) return undefined;
  const { effect, commands } = raw;
  return typeof commands === 'string' && Object.hasOwn(EXAMPLES, commands)
    ? { effect: typeof effect === 'string' ? effect : '', kind: commands }
    : undefined;
}

function describeReplacement({ effect, kind }: RemovedKind): Told {
  if (effect === 'allow' && kind === 'readers')
    return told`Instead of “readers”: commands that only read run without a rule.`;
  if (effect === 'allow' && kind === 'checkers')
    return told`Instead of “checkers”: allow a check once, and Belay remembers it for the project.`;
  const example = JSON.stringify({ effect, command: EXAMPLES[kind] });
  return told`Instead of “${kind}”: add a rule for each command, such as ${example}.`;
}
