import { readArguments } from '../arguments.ts';
import { type Finding, type PathUse, harmless, risky } from '../finding.ts';
import type { ShellWord } from '../shell/shell-word.ts';

/** Reads `mkdir`, `rmdir`, `touch`, `tee`, `mv` and `cp`, which do what the file tools do. Their paths are treated as written. */
export function readFileChange(name: string, words: readonly ShellWord[]): Finding | undefined {
  const options = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
  if (options === undefined) return undefined;
  const read = readArguments({ options, style: 'posix' }, words);
  if (typeof read === 'string') return risky('unknown-option', name, read);
  const { operands } = read;
  if (
    operands.length === 0 ||
    operands.some(({ patterns, value }) => patterns !== undefined || value === '-')
  )
    return risky('unknown-files', name);
  // Patterns stand for the new name, too, in what comes next.
  const option = operands.find(({ value }) => /(?:^|\/)-[^/]*\/*$/u.test(value));
  if (option !== undefined) return risky('option-name', option.text);
  if (name !== 'mv' && name !== 'cp') return harmless(operands.map(written));
  const [from, to, more] = operands;
  if (from === undefined || to === undefined || more !== undefined)
    return risky('moves', operands.map(({ text }) => text).join(', '));
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
  tee: '-a --append',
  mv: '-n -v --no-clobber --verbose',
  cp: '-r -R -n -v --recursive --no-clobber --verbose',
};

function written(word: ShellWord): PathUse {
  return { word, as: 'write' };
}
