import { wordSet } from '../../../../domain/text/words.ts';
import { findProgramRisk } from '../program-risks.ts';
import { type ReadArguments, readArguments } from '../arguments.ts';
import { type Finding, type GitUse, type PathUse, createUses, risky } from '../finding.ts';
import { readFileChange } from '../programs/file-changes.ts';
import type { ShellWord } from '../shell/shell-word.ts';
import { type GitProgram, GIT_PROGRAMS } from './git-programs.ts';

/** Placeholders that have signatures checked, by a program that the repository may choose, or print an object. */
const SIGNATURES = /%(?:[-+ ])?G|%\(\*?(?:signature|if|describe|raw)/u;
/** Settings that may hold passwords. */
const SECRET_SETTINGS =
  /extraheader|token|pass|api-?key|proxy|secret|credential|cookie|auth|\.pushurl|\.url|insteadof/iu;
/** Options that make the text of changes part of what is shown. */
const PATCH = wordSet(`
  -p -u -U -W -c --cc --patch --unified --patch-with-raw --patch-with-stat --function-context --binary --word-diff
  --color-words --combined-all-paths --check
`);
/** Options that show names and numbers instead of the text of files. */
const NO_PATCH = wordSet(`
  -s --no-patch --stat --numstat --shortstat --dirstat --summary --name-only --name-status --raw --compact-summary
  --quiet --exit-code
`);
/** The same for `git grep`. */
const NO_LINES = wordSet(
  '-l -L -c -q --files-with-matches --files-without-match --name-only --count --quiet',
);
/** Options that begin at every branch, and at the stash. */
const EVERYWHERE = new Set(['--all', '--glob']);
/** Subcommands that show an object that is named by its hash. */
const SHOWS_OBJECTS = new Set(['show', 'diff', 'grep', 'diff-tree', 'blame']);
const GLOBAL = wordSet(
  '--no-pager -P --no-optional-locks --literal-pathspecs --no-replace-objects',
);
/** `main:src/a.ts` and `:src/a.ts`. Git may take other names with a colon or a brace for a commit. */
const IN_TREE =
  /^(?<revision>[\w./@~^-]*):(?!\/|.*-g[\da-f]+$|.*[^/]\.\.|.*\.\.[^/])(?<path>[^:{}^~*?[\]\\!()]+)$/u;

/** `git …`: the subcommands and options that only read. What the repository configures is judged separately. */
export function readGit(words: readonly ShellWord[]): Finding {
  const { folder, rest, odd } = readGlobalOptions(words);
  const [first, second, ...others] = rest;
  if (first === undefined || odd !== undefined) return risky('unknown-option', 'git', odd ?? '');
  const both = `${first.value} ${second?.value ?? ''}`;
  const [name, given] = Object.hasOwn(GIT_PROGRAMS, both)
    ? [both, others]
    : [first.value, rest.slice(1)];
  const finding = readSubcommand(name, given);
  if (finding.kind !== 'harmless' || folder === undefined) return finding;
  // The shell looks for patterns in another folder than git.
  const isOpen = given.some(({ patterns }) => patterns !== undefined);
  if (isOpen || name === 'mv') return risky('unknown-option', 'git', '-C');
  return { ...finding, git: { ...finding.git, folder } };
}

/** Reads the options before the subcommand. Most of them (`-c`, `--git-dir` …) choose what is run. */
function readGlobalOptions(words: readonly ShellWord[]): {
  readonly folder?: ShellWord | undefined;
  readonly rest: readonly ShellWord[];
  readonly odd?: string | undefined;
} {
  let at = 0;
  let folder: ShellWord | undefined;
  for (let word = words[at]; word?.value.startsWith('-') === true; word = words[at]) {
    at += 1;
    if (GLOBAL.has(word.value)) continue;
    if (word.value !== '-C' || folder !== undefined) return { rest: [], odd: word.text };
    folder = words[at];
    at += 1;
  }
  const rest = words.slice(at);
  const odd = [folder, rest[0]].find((word) => word?.patterns !== undefined)?.text;
  return { folder, rest, odd };
}

function readSubcommand(name: string, words: readonly ShellWord[]): Finding {
  const values = words.map(({ value }) => value);
  const unknown = {
    kind: 'unknown',
    risks: [findProgramRisk(['git', ...name.split(' '), ...values])],
  } as const;
  if (name === 'mv') {
    const moved = readFileChange('mv', words);
    return moved?.kind === 'harmless' ? { ...moved, git: {} } : unknown;
  }
  const program = Object.hasOwn(GIT_PROGRAMS, name) ? GIT_PROGRAMS[name] : undefined;
  if (program === undefined) return unknown;
  const read = readArguments(program, words);
  if (typeof read === 'string') return risky('unknown-option', `git ${name}`, read);
  const signed = read.options.find(
    ({ name: option, value }) =>
      SIGNATURES.test(value?.value ?? '') ||
      (option === '--sort' && /signature|raw|contents/u.test(value?.value ?? '')),
  );
  if (signed !== undefined) return risky('unknown-option', `git ${name}`, signed.name);
  if (mayChange(program, read)) return unknown;
  if (name === 'config' && SECRET_SETTINGS.test(read.operands[0]?.value ?? ''))
    return risky('git-config');
  return readReading(name, program, read, words);
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

function readReading(
  name: string,
  { noPaths }: GitProgram,
  read: ReadArguments,
  words: readonly ShellWord[],
): Finding {
  const texts = createUses(read.texts, 'text');
  if (noPaths === true) return { kind: 'harmless', uses: texts, git: {} };
  const hasPattern = name === 'grep' && !read.options.some((option) => option.name === '-e');
  const operands = read.operands.slice(hasPattern ? 1 : 0);
  const end = words.findIndex(({ value }) => value === '--');
  const behind = end < 0 ? 0 : words.length - end - 1;
  const named = operands.slice(0, Math.max(0, operands.length - behind));
  const shows = showsText(name, read);
  const showsObjects = SHOWS_OBJECTS.has(name);
  const as = shows || showsObjects ? 'content' : 'names';
  const uses = [...createUses(operands, as).map((use) => enterFolder(name, use)), ...texts];
  if (!shows && !showsObjects) return { kind: 'harmless', uses, git: {} };
  const odd = named.find(({ value }) => /[:{]/u.test(value) && !isPlain(value));
  if (odd !== undefined) return risky('git-object', odd.text);
  if (shows && showsAnywhere(name, read)) return risky('unknown-git');
  const inTree = named.flatMap(({ value }) => IN_TREE.exec(value)?.groups?.['path'] ?? []);
  const revisions = named.flatMap(({ value }) => splitRange(value));
  const git: GitUse = { revisions, ...(showsObjects ? { showsObjects, inTree } : {}) };
  // `HEAD:path` alone is judged by its path.
  const isInTree = name === 'show' && named.length > 0 && inTree.length === operands.length;
  if (!shows || isInTree) return { kind: 'harmless', uses, git };
  const onlyPaths = end >= 0;
  const given = onlyPaths ? words.slice(end + 1) : operands;
  // `git grep` scans the current folder.
  const paths = given.length === 0 && name === 'grep' ? [{ text: '.', value: '.' }] : given;
  return { kind: 'harmless', uses, git: { ...git, shows: { paths, onlyPaths } } };
}

/** Returns whether the text of files is shown, and not only names and numbers. */
function showsText(name: string, { options }: ReadArguments): boolean {
  const has = (names: ReadonlySet<string>): boolean =>
    options.some((option) => names.has(option.name));
  if (name === 'grep') return !has(NO_LINES);
  return has(PATCH) || ((name === 'diff' || name === 'show') && !has(NO_PATCH));
}

/** Returns whether a stash or every branch is shown: more than what the words name. */
function showsAnywhere(name: string, { options }: ReadArguments): boolean {
  return name.startsWith('stash') || options.some((option) => EVERYWHERE.has(option.name));
}

/** Outside of the repository `git diff` compares whole folders as they are. */
function enterFolder(name: string, use: PathUse): PathUse {
  const leaves = name === 'diff' && /^[/~]|(?:^|\/)\.\.(?:\/|$)/u.test(use.word.value);
  return leaves ? { ...use, below: { hidden: true, links: true } } : use;
}

/** True for a name with a colon or a brace that git can read in one way only. */
function isPlain(value: string): boolean {
  return IN_TREE.test(value) || /^[^:{]*@\{(?:u|upstream|push|\d+)\}[^:{]*$/u.test(value);
}

/** Returns the revisions of `a..b`, `^a` and `a:path`. */
function splitRange(value: string): readonly string[] {
  const revision = IN_TREE.exec(value)?.groups?.['revision'] ?? value;
  return revision
    .replace(/^\^/u, '')
    .replace(/\^(?:!|@|-\d*)$/u, '')
    .split(/\.{2,3}/u)
    .filter((one) => one !== '');
}
