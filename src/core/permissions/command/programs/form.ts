import { wordsOf } from '../../../../domain/text/words.ts';
import { type Risk, type RiskCode, createRisk } from '../../risks.ts';
import { createUses, harmless } from '../finding.ts';
import type { ChoosingFile, Finding, PathUse, Reach } from '../finding.ts';
import { findOptionRisk } from '../program-risks.ts';
import { type ArgumentForm, type ReadArguments, readArguments } from '../arguments.ts';
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
  /** Follows the links that it finds below folders. */
  readonly follows?: true;
  /** Leaves out what ignore files name, unless one of these options is there. */
  readonly ignores?: readonly string[];
  /** With one of these the first operand is a file like the others. */
  readonly patternOptions?: readonly string[];
  /** Options whose values say of which names files below folders are read, and of which not. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Options whose values are names of folders that are not entered. */
  readonly excludeFolders?: readonly string[];
  /** True for a pattern that is a program in a language of its own and only prints. */
  readonly plain?: (script: string) => boolean;
  /** A reason why these arguments are not harmless all the same. */
  readonly problem?: (read: ReadArguments) => RiskCode | undefined;
  /** Files of a project with which this is another program. */
  readonly chosenBy?: readonly ChoosingFile[];
  /** Prints names of files only. */
  readonly namesOnly?: true;
}

const CURRENT: ShellWord = { text: '.', value: '.' };

export function readByForm(name: string, form: Program, words: readonly ShellWord[]): Finding {
  const read = readArguments(form, words);
  const values = words.map(({ value }) => value);
  const risk =
    typeof read === 'string' ? findOptionRisk(name, read, values) : findRisk(name, form, read);
  if (typeof read === 'string' || risk !== undefined)
    return { kind: 'risky', risks: risk === undefined ? [] : [risk] };
  const has = hasOption(read);
  const recurses = form.recurses === true || has(form.recurses);
  const reach = recurses && form.namesOnly !== true ? readReach(form, read) : undefined;
  const { pattern, files } = split(form, read);
  const paths = files.length === 0 && (form.here === true || recurses) ? [CURRENT] : files;
  const as = form.operands === 'names' || form.namesOnly === true ? 'names' : 'content';
  const uses: PathUse[] = [
    ...createUses(read.files, 'content'),
    ...createUses(read.texts, 'text'),
    // Behind a value in a word of its own the pattern might be a file.
    ...createUses(pattern !== undefined && read.shifted ? [pattern] : [], 'text'),
    ...(form.operands === 'texts' || form.operands === 'none' ? [] : createUses(paths, as, reach)),
    ...createPatternUses(form.operands === 'texts' ? read.operands : []),
  ];
  const { chosenBy } = form;
  return { ...harmless(uses), ...(chosenBy && { chosenBy }) };
}

/** Names of files that a pattern of the shell would put among texts. */
export function createPatternUses(words: readonly ShellWord[]): readonly PathUse[] {
  return createUses(
    words.filter(({ patterns }) => patterns !== undefined),
    'names',
  );
}

function hasOption({ options }: ReadArguments) {
  return (names: readonly string[] | true | undefined): boolean =>
    Array.isArray(names) && options.some(({ name }) => names.includes(name));
}

function findRisk(name: string, form: Program, read: ReadArguments): Risk | undefined {
  const { operands } = read;
  const { pattern, files, scripts } = split(form, read);
  const odd =
    form.operands === 'texts' ? undefined : files.find(({ value }) => value.startsWith('@'));
  if (odd !== undefined) return createRisk('unknown-option', name, odd.text);
  if (form.operands === 'none' && operands.length > 0)
    return createRisk('unknown-option', name, operands[0]?.text ?? '');
  if (form.most !== undefined && countOf(operands) > form.most)
    return createRisk('writes', operands.at(-1)?.text ?? '');
  if (pattern?.patterns !== undefined) return createRisk('unknown-option', name, pattern.text);
  if (form.plain !== undefined) {
    const given = pattern === undefined ? scripts : [...scripts, pattern.value];
    // A program that is the name of a file is whatever the file is called.
    const isPlain = (script: string): boolean =>
      !script.includes('\u0000') && form.plain?.(script) === true;
    if (given.length === 0 || !given.every(isPlain)) return createRisk('evaluates', name);
  }
  const problem = form.problem?.(read);
  return problem && createRisk(problem, name);
}

/** A pattern of the shell may stand for several. */
function countOf(operands: readonly ShellWord[]): number {
  return operands.reduce((sum, { patterns }) => sum + (patterns === undefined ? 1 : Infinity), 0);
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

/** Folders of packages that projects ignore; programs that honor ignore files do not enter them. */
const IGNORED_FOLDERS = ['node_modules', '.venv', '__pycache__'];

function readReach(form: Program, read: ReadArguments): Reach {
  const valuesOf = (names: readonly string[] = []): readonly string[] =>
    read.options.flatMap(({ name, value }) =>
      names.includes(name) && value !== undefined ? [value.value] : [],
    );
  const has = hasOption(read);
  const include = valuesOf(form.include).filter((glob) => !glob.startsWith('!'));
  // With both kinds their order would matter.
  const exclude = include.length > 0 ? [] : valuesOf(form.exclude);
  const types = valuesOf(form.types).flatMap(namesOfType);
  // The globs of ripgrep overrule its types, and both include hidden files.
  const names = include.length > 0 ? include : types;
  const hidden = form.unhides === undefined || has(form.unhides) || names.length > 0;
  const ignores = form.ignores !== undefined && !has(form.ignores);
  const skip = [...valuesOf(form.excludeFolders), ...(ignores ? IGNORED_FOLDERS : [])].filter(
    (name) => /^[\w.-]+$/u.test(name),
  );
  return {
    hidden,
    links: form.follows === true,
    only: { ...(names.length > 0 ? { include: names } : {}), exclude },
    skip: new Set(skip),
  };
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
