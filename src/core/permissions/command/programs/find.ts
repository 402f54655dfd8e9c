import { wordSet } from '../../../../domain/text/words.ts';
import { type Finding, createUses, harmless, risky } from '../finding.ts';
import { findOptionRisk } from '../program-risks.ts';
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
/** Those with a value that is a file whose times are read. */
const WITH_FILE = new Set(['-newer', '-anewer', '-cnewer', '-samefile']);

/** `find` that prints names. Everything else (`-exec`, `-delete`, `-fprint` …) requires approval. */
export function readFind(words: readonly ShellWord[]): Finding {
  const begin = words.findIndex(({ value }) => /^[-!(),]/u.test(value));
  const paths = begin < 0 ? words : words.slice(0, begin);
  const files: ShellWord[] = [];
  const expression = begin < 0 ? [] : words.slice(begin);
  for (let at = 0; at < expression.length; at += 1) {
    const word = expression[at];
    if (word === undefined) break;
    const { value } = word;
    if (word.patterns !== undefined) return risky('unknown-option', 'find', word.text);
    if (PLAIN.has(value)) continue;
    const next = expression[at + 1];
    if (!WITH_VALUE.has(value) && !WITH_FILE.has(value))
      return { kind: 'risky', risks: [findOptionRisk('find', value, [])] };
    if (next === undefined || next.patterns !== undefined)
      return risky('unknown-option', 'find', value);
    if (WITH_FILE.has(value)) files.push(next);
    at += 1;
  }
  const places = paths.length === 0 ? [{ text: '.', value: '.' }] : paths;
  return harmless([...createUses(places, 'names'), ...createUses(files, 'names')]);
}
