import { told } from '../../../../domain/text/told.ts';
import { readArguments } from '../arguments.ts';
import { type Finding, type PathUse, harmless, risky } from '../finding.ts';
import type { ShellWord } from '../shell/shell-word.ts';

/** Reads `mkdir`, `rmdir`, `touch`, `mv` and `cp`, which do what the file tools do. Their paths are treated as written. */
export function readFileChange(name: string, words: readonly ShellWord[]): Finding | undefined {
  const options = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
  if (options === undefined) return undefined;
  const read = readArguments({ options, style: 'posix' }, words);
  if (typeof read === 'string')
    return risky(told`${name} is not known to be harmless with ${read}`);
  const { operands } = read;
  if (
    operands.length === 0 ||
    operands.some(({ patterns, value }) => patterns !== undefined || value === '-')
  )
    return risky(told`${name} without the name of a file`);
  // Patterns stand for the new name, too, in what comes next.
  const option = operands.find(({ value }) => /(?:^|\/)-[^/]*\/*$/u.test(value));
  if (option !== undefined) return risky(told`${option.text} would be taken for an option`);
  if (name !== 'mv' && name !== 'cp') return harmless(operands.map(written));
  const [from, to, more] = operands;
  if (from === undefined || to === undefined || more !== undefined)
    return risky(told`${name} with several files`);
  const source: PathUse =
    name === 'mv'
      ? { word: from, as: 'write', below: ALL }
      : { word: from, as: 'content', below: ALL };
  return harmless([source, { word: to, as: 'write', fresh: { for: from } }]);
}

const ALL = { hidden: true, links: true } as const;

const OPTIONS: Readonly<Record<string, string>> = {
  mkdir: '-p -v --parents --verbose',
  rmdir: '-v --verbose',
  touch: '',
  mv: '-n -v --no-clobber --verbose',
  cp: '-r -R -n -v --recursive --no-clobber --verbose',
};

function written(word: ShellWord): PathUse {
  return { word, as: 'write' };
}
