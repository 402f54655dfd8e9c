import { told, type Told } from '../../../../domain/text/told.ts';
import { wordSet } from '../../../../domain/text/words.ts';
import { createUses, risky, unknown } from '../finding.ts';
import type { Finding, GitUse, Harmless, PathUse } from '../finding.ts';
import { gitContents } from './git-contents.ts';
import { type GitProgram, GIT_PROGRAMS } from './git-programs.ts';
import { objectWords } from './git-objects.ts';
import { type ReadArguments, readArguments } from '../arguments.ts';
import { readFileChange } from '../programs/file-changes.ts';
import type { ShellWord } from '../shell/shell-word.ts';

/** Placeholders that have signatures checked, by a program that the repository may choose, or print an object. */
const SIGNATURES = /%(?:[-+ ])?G|%\(\*?(?:signature|if|describe|raw)/u;
/** Settings that may hold passwords. */
const SECRET_SETTINGS =
  /extraheader|token|pass|api-?key|proxy|secret|credential|cookie|auth|\.pushurl|\.url|insteadof/iu;

/** `git …`: the subcommands and options that only read; what the repository configures is judged apart. */
export function readGit(words: readonly ShellWord[]): Finding {
  const { folder, rest, problem } = globalOptions(words);
  if (problem !== undefined) return risky(problem);
  const { name, words: given } = subcommandOf(rest);
  if (name === '') return risky(told`git without a subcommand`);
  const moved = name === 'mv' && folder === undefined ? readFileChange('mv', given) : undefined;
  if (moved?.kind === 'harmless') return { ...moved, git: {} };
  const known = Object.hasOwn(GIT_PROGRAMS, name) ? GIT_PROGRAMS[name] : undefined;
  if (known === undefined) return unknown(told`git ${name} may change something`);
  const finding = subcommandFinding(name, known, given);
  if (finding.kind !== 'harmless' || folder === undefined) return finding;
  const uses: PathUse[] = [
    { word: folder, as: 'names' },
    ...finding.uses.map((use) => within(folder, use)),
  ];
  return { ...finding, uses, git: { ...finding.git, folder } };
}

/** `stash list` is one; a subcommand that is known alone comes first. */
function subcommandOf([first, second, ...rest]: readonly ShellWord[]): {
  readonly name: string;
  readonly words: readonly ShellWord[];
} {
  const both = `${first?.value ?? ''} ${second?.value ?? ''}`;
  if (second !== undefined && Object.hasOwn(GIT_PROGRAMS, both)) return { name: both, words: rest };
  return { name: first?.value ?? '', words: second === undefined ? [] : [second, ...rest] };
}

function subcommandFinding(
  subcommand: string,
  known: GitProgram,
  words: readonly ShellWord[],
): Finding {
  const name = `git ${subcommand}`;
  const read = readArguments(known, words);
  if (typeof read === 'string')
    return risky(told`${name} may change or run something with ${read}`);
  const problem = optionProblem(name, read);
  if (problem !== undefined) return risky(problem);
  if (mayChange(known, read)) return unknown(told`${name} may change something`);
  const [first] = read.operands;
  if (subcommand === 'config' && SECRET_SETTINGS.test(first?.value ?? ''))
    return risky(told`${name} may show a password`);
  return readingFinding(subcommand, known, read, words);
}

/** With operands it does not only list, or without the option that says that it reads. */
function mayChange(
  { most, needs, listing }: GitProgram,
  { options, operands }: ReadArguments,
): boolean {
  const has = (names: readonly string[] = []): boolean =>
    options.some(({ name }) => names.includes(name));
  // A key alone is shown; without a dot it is a subcommand.
  const isKey = operands.length === 1 && /^[\w-]+\.\S+$/u.test(operands[0]?.value ?? '');
  if (needs !== undefined && !has(needs) && !isKey) return true;
  const isOpen = operands.some(({ patterns }) => patterns !== undefined);
  return most !== undefined && (isOpen || operands.length > most) && !has(listing);
}

function optionProblem(name: string, { options, operands }: ReadArguments): Told | undefined {
  const signed = options.find(
    ({ name: option, value }) =>
      SIGNATURES.test(value?.value ?? '') ||
      (option === '--sort' && /signature|raw|contents/u.test(value?.value ?? '')),
  );
  if (signed !== undefined) return told`${name} may run a program with ${signed.name}`;
  const nested = options.find(
    (option) =>
      option.name === '--submodule' && !/^(?:|short|log)$/u.test(option.value?.value ?? ''),
  );
  if (nested !== undefined) return told`${name} runs what nested repositories configure`;
  // A pattern of the shell may stand for a branch of that name.
  return name === 'git cat-file' && operands.some(({ patterns }) => patterns !== undefined)
    ? told`${name} is given names that the shell fills in`
    : undefined;
}

function readingFinding(
  subcommand: string,
  known: GitProgram,
  read: ReadArguments,
  words: readonly ShellWord[],
): Harmless {
  const contents = gitContents(subcommand, read, words);
  const patterns = subcommand === 'grep' && !read.options.some(({ name }) => name === '-e') ? 1 : 0;
  const operands = read.operands.slice(patterns);
  const objects = objectWords(subcommand, read, words, patterns);
  const git: GitUse = { ...(contents === undefined ? {} : { contents }), ...objects };
  const texts = createUses(read.texts, 'text');
  if (known.noPaths === true) return { kind: 'harmless', uses: texts, git };
  const shows = contents !== undefined || SHOWS.has(subcommand);
  const paths = createUses(operands, shows ? 'content' : 'names').map((use) =>
    isCompared(subcommand, read, use) ? { ...use, below: { hidden: true, links: true } } : use,
  );
  return { kind: 'harmless', uses: [...paths, ...lineUses(read), ...texts], git };
}

const SHOWS = new Set(['blame', 'cat-file', 'show', 'diff', 'grep']);

/** With `--no-index`, and with a path that may lead out of the repository, whole folders are compared as they are. */
function isCompared(subcommand: string, { options }: ReadArguments, { word }: PathUse): boolean {
  if (subcommand !== 'diff') return false;
  const leavesFolder = /^[/~]|(?:^|\/)\.\.(?:\/|$)/u.test(word.value);
  return leavesFolder || options.some(({ name }) => name === '--no-index');
}

interface Global {
  readonly folder?: ShellWord;
  readonly rest: readonly ShellWord[];
  readonly problem?: Told;
}

const GLOBAL = wordSet(`
  --no-pager -P --no-optional-locks --literal-pathspecs --no-replace-objects
`);

/** The options before the subcommand: `-c`, `--git-dir`, `--exec-path` … choose what is run. */
function globalOptions(words: readonly ShellWord[]): Global {
  let folder: ShellWord | undefined;
  for (let at = 0; ; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    if (word.value === '-C') {
      const next = words[at + 1];
      if (folder !== undefined || next === undefined || next.patterns !== undefined)
        return { rest: [], problem: told`git in several folders` };
      folder = next;
      at += 1;
      continue;
    }
    if (GLOBAL.has(word.value)) continue;
    if (word.value.startsWith('-') || word.patterns !== undefined)
      return { rest: [], problem: told`git may run something with ${word.text}` };
    const rest = words.slice(at);
    return folder === undefined ? { rest } : { folder, rest };
  }
  return { rest: [] };
}

/** `-L 1,5:file` of log. */
function lineUses({ options }: ReadArguments): readonly PathUse[] {
  return options.flatMap(({ name, value }) => {
    if (name !== '-L' || value === undefined) return [];
    const file = value.value.slice(value.value.lastIndexOf(':') + 1);
    return [{ word: { text: value.text, value: file }, as: 'content' as const }];
  });
}

/** With `-C` the other paths begin at that folder. */
function within(folder: ShellWord, { word, ...use }: PathUse): PathUse {
  if (/^[/~]/u.test(word.value)) return { ...use, word };
  const home = folder.home === true ? { home: true as const } : {};
  const patterns = word.patterns?.map((pieces) => [{ literal: `${folder.value}/` }, ...pieces]);
  return {
    ...use,
    word: {
      text: word.text,
      value: `${folder.value}/${word.value}`,
      ...home,
      ...(patterns && { patterns }),
    },
  };
}
