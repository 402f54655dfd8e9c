import { type ArgumentForm, readArguments } from '../arguments.ts';
import { createRisk } from '../../risks.ts';
import { type Finding, risky } from '../finding.ts';
import { findProgramRisk } from '../program-risks.ts';
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

export function readWrapper(name: string, words: readonly ShellWord[], judge: JudgeWords): Finding {
  const { own = 0, ...form }: Wrapper = WRAPPERS[name] ?? { options: '' };
  const read = readArguments({ ...form, style: 'posix' }, words);
  if (typeof read === 'string') return risky('unknown-option', name, read);
  const isOwn = ({ value, patterns }: ShellWord): boolean =>
    patterns === undefined && /^[\d.]+[smhd]?$/u.test(value);
  if (!read.operands.slice(0, own).every(isOwn))
    return risky('unknown-option', name, read.operands[0]?.text ?? '');
  const inner = read.operands.slice(own);
  const [program] = inner;
  if (program === undefined) return { kind: 'unknown', risks: [findProgramRisk([name])] };
  if (program.value.includes('=')) return risky('variable', program.text);
  // Some shells run their own command, others a program of that name.
  if (program.value === 'cd') return risky('unknown-folder');
  const finding = judge(inner);
  const called = finding.inner ?? inner.map(({ value }) => value);
  return { ...finding, inner: called };
}

/** `xargs` hands over names that are not known. A rule may allow it only before a program that the table does not have. */
export function readXargs(words: readonly ShellWord[], judge: JudgeWords): Finding {
  const read = readArguments(
    { options: '-0 -r -t -n:number -P:number -L:number -I: -d:char --null', style: 'posix' },
    words,
  );
  if (typeof read === 'string') return risky('unknown-option', 'xargs', read);
  const finding = judge(read.operands);
  return finding.kind === 'harmless'
    ? risky('unknown-files', 'xargs')
    : { kind: 'unknown', risks: [...finding.risks, createRisk('unknown-files', 'xargs')] };
}
