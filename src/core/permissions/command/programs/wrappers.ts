import { isTold, told, type Told } from '../../../../domain/text/told.ts';
import { type ArgumentForm, type ReadArguments, readArguments } from '../arguments.ts';
import { harmless, risky, unknown, usesOf } from '../finding.ts';
import type { Finding, Handed, Harmless, PathUse } from '../finding.ts';
import type { ShellWord } from '../shell/shell-word.ts';

export type JudgeWords = (words: readonly ShellWord[]) => Finding;

interface Wrapper extends ArgumentForm {
  /** Operands of its own before the program. */
  readonly own?: number;
}

/** Programs that run the program behind them, and do nothing else with these options. */
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  timeout: {
    options: '-k: -s: --kill-after= --signal= --preserve-status --foreground -v --verbose',
    own: 1,
  },
  time: { options: '-p' },
  nice: { options: '-n:number' },
  stdbuf: { options: '-o: -e: -i:' },
  env: { options: '' },
  command: { options: '' },
};

export function isWrapper(name: string): boolean {
  return Object.hasOwn(WRAPPERS, name);
}

export function wrapperFinding(
  name: string,
  words: readonly ShellWord[],
  judge: JudgeWords,
): Finding {
  const wrapper = WRAPPERS[name];
  if (wrapper === undefined) return unknown(told`${name} is not known`);
  const { own = 0, ...form } = wrapper;
  const read = readArguments({ ...form, style: 'posix' }, words);
  if (typeof read === 'string') return risky(told`${name} with ${read} is not known`);
  const isOwn = ({ value, glob }: ShellWord): boolean =>
    glob === undefined && /^[\d.]+[smhd]?$/u.test(value);
  if (!read.operands.slice(0, own).every(isOwn)) return risky(told`${name} without its number`);
  const inner = read.operands.slice(own);
  const [program] = inner;
  if (program === undefined) return unknown(told`${name} alone`);
  if (program.value.includes('='))
    return risky(told`the variable ${program.text} may change what is run`);
  // Some shells run their own, some a program of that name.
  if (CHANGES_SHELL.has(program.value))
    return risky(told`${name} in front of ${program.text}, which changes the shell or not`);
  const finding = judge(inner);
  const called = finding.inner ?? inner.map(({ value }) => value);
  return { ...finding, inner: called };
}

const CHANGES_SHELL = new Set(['cd', 'read']);

/** Stands for the files that a program is given by another one. */
const GIVEN: ShellWord = { text: '{}', value: './\u0000' };

/** The files that a program reads beside those given; a text says why that is not known. */
export function usesBesideGiven(
  words: readonly ShellWord[],
  placeholder: string | undefined,
  judge: JudgeWords,
): readonly PathUse[] | Told {
  const replaced = words.map((word) => (word.value === placeholder ? GIVEN : word));
  if (
    placeholder !== undefined &&
    words.some(({ value }) => value !== placeholder && value.includes(placeholder))
  )
    return told`${placeholder} as a part of a word`;
  // Many may be given at once.
  const given = placeholder === undefined ? [...words, GIVEN, GIVEN, GIVEN] : replaced;
  if (given.some(({ filled }) => filled !== undefined)) return told`a word that the shell fills in`;
  const finding = judge(given);
  if (finding.kind !== 'harmless') return finding.reason;
  if (finding.uses.some(({ as }) => as === 'write')) return told`it changes files`;
  return problemOfGiven(finding) ?? finding.uses.filter(({ word }) => word.value !== GIVEN.value);
}

/** The program must take what it is given for files, and for no more than files. */
function problemOfGiven({ uses, git, enters, fromInput }: Harmless): Told | undefined {
  const given = uses.filter(({ word }) => word.value.includes('\u0000'));
  const isFile = given.every(
    ({ word, as, below }) =>
      word.value === GIVEN.value && (as === 'content' || as === 'names') && below === undefined,
  );
  const isPlain = git === undefined && enters === undefined && fromInput === undefined;
  return isFile && isPlain ? undefined : told`what it does with the files it is given`;
}

/** `xargs`: only in front of a program that does no more than read, whatever files it is given. */
export function xargsFinding(words: readonly ShellWord[], judge: JudgeWords): Finding {
  const read = readArguments(
    {
      options:
        '-0 -r -t -n:number -P:number -L:number -I: -d:char --null --no-run-if-empty --max-args=number',
      style: 'posix',
    },
    words,
  );
  if (typeof read === 'string') return risky(told`xargs with ${read} is not known`);
  const placeholder = read.options.find(({ name }) => name === '-I')?.value?.value;
  if (placeholder !== undefined && !/^(?:\{\}|[A-Z%]+)$/u.test(placeholder))
    return risky(told`xargs with an odd placeholder`);
  const divider = read.options.find(({ name }) => name === '-d')?.value?.value;
  // Another one would end names in their midst.
  if (divider !== undefined && divider !== String.raw`\n`)
    return risky(told`xargs with names that end at ${divider}`);
  const program = read.operands.length === 0 ? [{ text: 'echo', value: 'echo' }] : read.operands;
  const uses = usesBesideGiven(program, placeholder, judge);
  if (isTold(uses)) return unknown(told`xargs runs a program: ${uses}`);
  return {
    ...harmless([...uses, ...usesOf(read.texts, 'text')]),
    fromInput: wayOf(read),
    inner: program.map(({ value }) => value),
  };
}

function wayOf({ options }: ReadArguments): Handed {
  if (options.some(({ name }) => name === '-0' || name === '--null')) return 'raw';
  const lines = options.some(({ name }) => name === '-I' || name === '-d');
  return lines ? 'lines' : 'words';
}
