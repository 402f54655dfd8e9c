import { told, type Told } from '../../../../domain/text/told.ts';
import { wordsOf } from '../../../../domain/text/words.ts';
import { harmless, risky, usesOf } from '../finding.ts';
import type { Finding, Harmless, PathUse, Reach } from '../finding.ts';
import { type ArgumentForm, type ReadArguments, readArguments } from '../arguments.ts';
import type { NameFilter } from '../name-filter.ts';
import type { ShellWord } from '../shell/shell-word.ts';

/** A reading program: its arguments, and its use of each word that is no option. */
export interface Program extends ArgumentForm {
  /**
   * `content`: files that are read. `names`: names, sizes and times of files. `pattern`: a text,
   * then files that are read. `texts`: never files. `none`: no operands.
   */
  readonly operands: 'content' | 'names' | 'pattern' | 'texts' | 'none';
  /** More operands would be written to. */
  readonly most?: number;
  /** Without operands it works on the current folder. */
  readonly here?: true;
  /** Reads what is below folders: always, or with one of these options. */
  readonly recurses?: true | readonly string[];
  /** Below folders only what is not hidden, unless one of these options is there. */
  readonly unhides?: readonly string[];
  /** Options whose values name types of files: hidden ones of a type are read, too. */
  readonly types?: readonly string[];
  /** Follows no links that it finds below folders. */
  readonly followsNone?: true;
  /** With one of these the first operand is a file like the others. */
  readonly patternOptions?: readonly string[];
  /** Options whose values say of which names files below folders are read, and of which not. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** True for a pattern that is a program in a language of its own and only prints. */
  readonly plain?: (script: string) => boolean;
  /** A reason why these arguments are not harmless all the same. */
  readonly problem?: (read: ReadArguments) => Told | undefined;
  /** Without files and with these options alone it prints whole lines of its input. */
  readonly passes?: readonly string[];
  /** Prints names of files alone: always, or with one of these options. */
  readonly lists?: true | readonly string[];
}

const CURRENT: ShellWord = { text: '.', value: '.' };

export function findingByForm(name: string, form: Program, words: readonly ShellWord[]): Finding {
  const read = readArguments(form, words);
  if (typeof read === 'string')
    return risky(told`${name} is not known to be harmless with ${read}`);
  const problem = problemOf(name, form, read);
  if (problem !== undefined) return risky(problem);
  const has = hasOption(read);
  const recurses = form.recurses === true || has(form.recurses);
  const reach = recurses ? reachOf(form, read) : undefined;
  const { pattern, files } = split(form, read);
  const paths = files.length === 0 && (form.here === true || recurses) ? [CURRENT] : files;
  const as = form.operands === 'names' || form.lists === true ? 'names' : 'content';
  const uses: PathUse[] = [
    ...usesOf(read.files, 'content'),
    ...usesOf(read.texts, 'text'),
    // Behind a value in a word of its own the pattern might be a file.
    ...usesOf(pattern !== undefined && read.shifted ? [pattern] : [], 'text'),
    ...(form.operands === 'texts' || form.operands === 'none' ? [] : usesOf(paths, as, reach)),
    ...globsOf(form.operands === 'texts' ? read.operands : []),
  ];
  return { ...harmless(uses), ...throughPipes(form, read, { files, paths, reach }) };
}

function throughPipes(
  form: Program,
  read: ReadArguments,
  places: {
    readonly files: readonly ShellWord[];
    readonly paths: readonly ShellWord[];
    readonly reach: Reach | undefined;
  },
): Pick<Harmless, 'lists' | 'passes'> {
  const { files, paths, reach } = places;
  if (form.lists === true || hasOption(read)(form.lists))
    return { lists: { places: paths, reach: reach ?? reachOf(form, read) } };
  const { passes } = form;
  const isFilter = passes !== undefined && files.length === 0 && reach === undefined;
  return isFilter && read.options.every(({ name }) => passes.includes(name))
    ? { passes: true }
    : {};
}

/** Names of files that a pattern of the shell would put among texts. */
export function globsOf(words: readonly ShellWord[]): readonly PathUse[] {
  return usesOf(
    words.filter(({ glob }) => glob !== undefined),
    'names',
  );
}

function hasOption({ options }: ReadArguments) {
  return (names: readonly string[] | true | undefined): boolean =>
    Array.isArray(names) && options.some(({ name }) => names.includes(name));
}

function problemOf(name: string, form: Program, read: ReadArguments): Told | undefined {
  const { operands } = read;
  const { pattern, files, scripts } = split(form, read);
  const odd =
    form.operands === 'texts' ? undefined : files.find(({ value }) => value.startsWith('@'));
  if (odd !== undefined) return told`${name} may read its arguments from ${odd.text}`;
  if (form.operands === 'none' && operands.length > 0)
    return told`${name} changes something when it is given ${operands[0]?.text ?? ''}`;
  if (form.most !== undefined && countOf(operands) > form.most)
    return told`${name} writes to its last argument`;
  if (pattern?.glob !== undefined) return told`${name} is given a pattern that the shell fills in`;
  if (form.plain !== undefined) {
    const given = pattern === undefined ? scripts : [...scripts, pattern.value];
    // A program that is the name of a file is whatever the file is called.
    const isPlain = (script: string): boolean =>
      !script.includes('\u0000') && form.plain?.(script) === true;
    if (given.length === 0 || !given.every(isPlain))
      return told`${name} may write files, run commands or print the environment with this program`;
  }
  return form.problem?.(read);
}

/** A pattern of the shell may stand for several. */
function countOf(operands: readonly ShellWord[]): number {
  return operands.reduce((sum, { glob }) => sum + (glob === undefined ? 1 : Infinity), 0);
}

function split(
  form: Program,
  read: ReadArguments,
): {
  readonly pattern: ShellWord | undefined;
  readonly files: readonly ShellWord[];
  readonly scripts: readonly string[];
} {
  const { operands, options } = read;
  if (form.operands !== 'pattern') return { pattern: undefined, files: operands, scripts: [] };
  const given = options.filter(({ name }) => form.patternOptions?.includes(name) === true);
  if (given.length === 0) return { pattern: operands[0], files: operands.slice(1), scripts: [] };
  const scripts = given.flatMap(({ value }) => value?.value ?? []);
  return { pattern: undefined, files: operands, scripts };
}

function reachOf(form: Program, read: ReadArguments): Reach {
  const valuesOf = (names: readonly string[] = []): readonly string[] =>
    read.options.flatMap(({ name, value }) =>
      names.includes(name) && value !== undefined ? [value.value] : [],
    );
  const include = valuesOf(form.include).filter((glob) => !glob.startsWith('!'));
  // With both kinds their order would count.
  const exclude = include.length > 0 ? [] : valuesOf(form.exclude);
  const all =
    form.unhides === undefined || hasOption(read)(form.unhides) || include.some(mayUnhide);
  const only: NameFilter = { ...(include.length > 0 ? { include } : {}), exclude };
  const links = form.followsNone === true ? 'none' : 'all';
  if (all) return { hidden: true, links, only };
  const named = include.length > 0 ? include : valuesOf(form.types).flatMap(namesOfType);
  return { hidden: { include: named }, links, only };
}

/** Extensions of types that many projects search by; a type that is not here may be of any name. */
const TYPES: Readonly<Record<string, string>> = {
  ts: 'ts tsx cts mts',
  typescript: 'ts tsx cts mts',
  js: 'js jsx cjs mjs vue',
  py: 'py pyi',
  python: 'py pyi',
  go: 'go',
  rust: 'rs',
  java: 'java jsp jspx properties',
  css: 'css scss',
  html: 'htm html ejs',
  json: 'json sarif',
  md: 'markdown md mdown mdwn mdx mkd mkdn',
  markdown: 'markdown md mdown mdwn mdx mkd mkdn',
  yaml: 'yaml yml',
  toml: 'toml lock',
};

function namesOfType(type: string): readonly string[] {
  const endings = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  return endings === undefined ? ['*'] : wordsOf(endings).map((ending) => `*.${ending}`);
}

/** ripgrep goes into hidden folders that a glob names: all but globs that end in a plain extension may. */
function mayUnhide(glob: string): boolean {
  const extensions = /\.(?:\w+|\{[\w,]+\})$/u.exec(glob)?.[0] ?? '';
  return (
    extensions === '' || glob.slice(0, -extensions.length).includes('.', glob.lastIndexOf('/') + 1)
  );
}
