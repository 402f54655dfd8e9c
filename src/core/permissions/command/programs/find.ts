import { isTold, told, type Told } from '../../../../domain/text/told.ts';
import { wordSet } from '../../../../domain/text/words.ts';
import { type Finding, type PathUse, type Reach, harmless, risky, usesOf } from '../finding.ts';
import type { ShellWord } from '../shell/shell-word.ts';

/** Tests and actions of find that only print names. */
const PLAIN =
  wordSet(`-print -print0 -ls -prune -quit -empty -true -false -not -a -o -and -or -depth -d -xdev -mount
   -readable -writable -executable -daystart -noleaf -nouser -nogroup -ignore_readdir_race
   -noignore_readdir_race ! ( ) ,`);
/** Those with a value that is a text or a number. */
const WITH_VALUE =
  wordSet(`-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -lname -ilname -type
   -xtype -maxdepth -mindepth -size -mtime -mmin -atime -amin -ctime -cmin -newermt -user -group -uid
   -gid -perm -links -inum -fstype -printf -used`);
/** Those with a value that is a file whose times are looked at. */
const WITH_FILE = new Set(['-newer', '-anewer', '-cnewer', '-samefile']);

/** Judges a program that find runs; the word is what stands for the files. */
export type JudgeRun = (words: readonly ShellWord[]) => readonly PathUse[] | Told;

/** A test or an action, with its value if it takes one. */
interface Term {
  readonly name: string;
  readonly value: string;
}

interface Expression {
  readonly files: readonly ShellWord[];
  /** Commands run for each file or for all of them. */
  readonly runs: readonly (readonly ShellWord[])[];
  readonly terms: readonly Term[];
}

/** `find`: what is not known to print names or to run a program that reads (`-delete`, `-fprint` …) asks. */
export function findFinding(words: readonly ShellWord[], judgeRun: JudgeRun): Finding {
  const begin = words.findIndex(({ value }) => /^[-!(),]/u.test(value));
  const paths = begin < 0 ? words : words.slice(0, begin);
  const expression = readExpression(begin < 0 ? [] : words.slice(begin));
  if (isTold(expression)) return risky(expression);
  const places = paths.length === 0 ? [{ text: '.', value: '.' }] : paths;
  const isHere = places.length === 1 && places[0]?.value === '.';
  const reach = reachOf(expression.terms, isHere);
  const uses: PathUse[] = [...usesOf(places, 'names'), ...usesOf(expression.files, 'names')];
  for (const run of expression.runs) {
    const judged = judgeRun(run);
    if (isTold(judged)) return risky(told`find runs a program: ${judged}`);
    // It is given whatever is found, one name a word.
    uses.push(...judged, ...usesOf(places, 'content', reach));
  }
  const plain =
    expression.runs.length === 0 &&
    !expression.terms.some(({ name }) => /^-(?:ls|printf)$/u.test(name));
  return { ...harmless(uses), ...(plain ? { lists: { places, reach } } : {}) };
}

function readExpression(words: readonly ShellWord[]): Expression | Told {
  const files: ShellWord[] = [];
  const runs: (readonly ShellWord[])[] = [];
  const terms: Term[] = [];
  for (let at = 0; ; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const { value } = word;
    if (word.glob !== undefined || word.filled !== undefined)
      return told`find is given names by the pattern ${word.text}`;
    if (value === '-exec') {
      const end = words.findIndex(
        (one, index) => index > at && (one.value === ';' || isEndOfMany(words, index)),
      );
      if (end === -1) return told`find runs a program that is not told completely`;
      runs.push(words.slice(at + 1, end));
      terms.push({ name: value, value: '' });
      at = end;
      continue;
    }
    if (PLAIN.has(value)) {
      terms.push({ name: value, value: '' });
      continue;
    }
    const next = words[at + 1];
    if (!WITH_VALUE.has(value) && !WITH_FILE.has(value))
      return told`find may write or run something with ${value}`;
    if (next === undefined || next.glob !== undefined || next.filled !== undefined)
      return told`find is given names by a pattern after ${value}`;
    if (WITH_FILE.has(value)) files.push(next);
    terms.push({ name: value, value: next.value });
    at += 1;
  }
  return { files, runs, terms };
}

/** `{} +`: find ends a command with many names at this alone. */
function isEndOfMany(words: readonly ShellWord[], at: number): boolean {
  return words[at]?.value === '+' && words[at - 1]?.value === '{}';
}

/** The files below its places that an expression names. */
function reachOf(terms: readonly Term[], isHere: boolean): Reach {
  const reach: Reach = { hidden: true, links: 'files' };
  const skip = foldersLeftOut(terms).filter((name) => isHere || !name.startsWith('./'));
  const include = namesIn(terms);
  return {
    ...reach,
    ...(include === undefined ? {} : { only: { include } }),
    ...(skip.length === 0 ? {} : { skip }),
  };
}

const ACTION = /^-(?:print0?|exec|ls|printf)$/u;
const ALTERNATIVE = /^-(?:o|or)$/u;
const NEGATION = /^(?:!|-not)$/u;
const END: Term = { name: '-o', value: '' };

/** Each alternative names files, before it does something with them: every file that is found has such a name. */
function namesIn(terms: readonly Term[]): readonly string[] | undefined {
  // Within parentheses what is pruned may be acted on behind them.
  const mayPrune = terms.some(isAction) && !terms.some(({ name }) => name === '(');
  const names: string[] = [];
  let [named, prunes] = [false, false];
  for (const [at, term] of [...terms, END].entries()) {
    const { name, value } = term;
    const negated = NEGATION.test(terms[at - 1]?.name ?? '');
    if (name === ',' || (negated && name === '(')) return undefined;
    if (isAction(term) && !named) return undefined;
    prunes ||= name === '-prune';
    if (/^-i?name$/u.test(name) && !negated) {
      names.push(value);
      named = true;
    }
    if (!ALTERNATIVE.test(name)) continue;
    // Pruned paths are shown all the same when no action says what is shown.
    if (!named && !(prunes && mayPrune)) return undefined;
    [named, prunes] = [false, false];
  }
  return names;
}

function isAction({ name }: Term): boolean {
  return ACTION.test(name);
}

/** Folders whose files are never named: left out by their path, or at the very beginning. */
function foldersLeftOut(terms: readonly Term[]): readonly string[] {
  const skip = prunedFirst(terms);
  if (terms.some(({ name }) => ALTERNATIVE.test(name) || name === ',' || name === '(')) return skip;
  const end = terms.findIndex(isAction);
  for (const [at, { name, value }] of terms.slice(0, end === -1 ? undefined : end).entries()) {
    if (name !== '-path' || !NEGATION.test(terms[at - 1]?.name ?? '')) continue;
    const found = /^(?<top>\*|\.)\/(?<name>[\w.-]+)\/\*$/u.exec(value)?.groups;
    if (found === undefined) continue;
    const folder = found['name'] ?? '';
    skip.push(found['top'] === '.' ? `./${folder}` : folder);
  }
  return skip;
}

/** Pruning begins an expression: `-name NAME -prune` or `-path ./NAME -prune`. */
const PRUNED: Readonly<Record<string, RegExp>> = {
  '-name': /^[\w.-]+$/u,
  '-path': /^\.\/[\w.-]+$/u,
};

function prunedFirst([first, prune, ...rest]: readonly Term[]): string[] {
  if (first === undefined || prune?.name !== '-prune') return [];
  // Files below a folder may come before it, or without it.
  if (rest.some(({ name }) => /^-(?:depth|d|mindepth)$/u.test(name))) return [];
  return PRUNED[first.name]?.test(first.value) === true ? [first.value] : [];
}
