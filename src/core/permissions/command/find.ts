import { harmless, risky } from './finding.ts';
import type { Finding } from './finding.ts';
import type { ShellWord } from './shell-word.ts';

/** Tests and actions of find that only print names. */
const PLAIN = new Set(
  `-print -print0 -ls -prune -quit -empty -true -false -not -a -o -and -or -depth -d -xdev -mount
   -readable -writable -executable -daystart -noleaf -nouser -nogroup -ignore_readdir_race
   -noignore_readdir_race ! ( ) ,`.split(/\s+/u),
);
/** Those with a value that is a text or a number. */
const WITH_VALUE = new Set(
  `-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -lname -ilname -type
   -xtype -maxdepth -mindepth -size -mtime -mmin -atime -amin -ctime -cmin -newermt -user -group -uid
   -gid -perm -links -inum -fstype -printf -used`.split(/\s+/u),
);
/** Those with a value that is a file whose times are looked at. */
const WITH_FILE = new Set(['-newer', '-anewer', '-cnewer', '-samefile']);

/** `find`: what is not known to print names only (`-exec`, `-delete`, `-fprint` …) asks. */
export function findFinding(words: readonly ShellWord[]): Finding {
  const isExpression = ({ value }: ShellWord): boolean => /^[-!(),]/u.test(value);
  const begin = words.findIndex(isExpression);
  const paths = begin < 0 ? words : words.slice(0, begin);
  const files: ShellWord[] = [];
  const rest = begin < 0 ? [] : words.slice(begin);
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at];
    if (word === undefined) break;
    const { value } = word;
    if (word.glob !== undefined) return risky(`find is given names by the pattern ${word.text}`);
    if (PLAIN.has(value)) continue;
    const next = rest[at + 1];
    if (!WITH_VALUE.has(value) && !WITH_FILE.has(value))
      return risky(`find may write or run something with ${value}`);
    if (next === undefined || next.glob !== undefined)
      return risky(`find is given names by a pattern after ${value}`);
    if (WITH_FILE.has(value)) files.push(next);
    at += 1;
  }
  const places = paths.length === 0 ? [{ text: '.', value: '.' }] : paths;
  return harmless([...places, ...files].map((word) => ({ word })));
}
