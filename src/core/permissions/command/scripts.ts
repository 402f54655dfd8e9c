import { harmless, risky } from './finding.ts';
import type { Finding } from './finding.ts';
import { readArguments } from './options.ts';
import type { ShellWord } from './shell-word.ts';

/** A line number, the last line, or a pattern without anything that could end it early. */
const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|\/(?:[^\/\\\n[\]]|\\[^\nc])*\/I?)`;
/** Commands that print, delete or go on; a substitution without the flags that write or run. */
const ACTION = String.raw`(?:[pdqQnNhHgGxDP=]|s(?<sep>[\/|#,@:])(?:(?!\k<sep>)[^\\\n[\]]|\\[^\nc])*\k<sep>(?:(?!\k<sep>)[^\\\n]|\\[^\nc])*\k<sep>[gpiI0-9]*|y\/[^\/\\\n]*\/[^\/\\\n]*\/)`;

/** One command; named groups may not be repeated in one expression. */
const COMMAND = new RegExp(
  String.raw`^\s*(?:${ADDRESS}\s*(?:,\s*(?:${ADDRESS}|[+~]\d+)\s*)?!?\s*)?${ACTION}\s*(?:;|\n|$)`,
  'u',
);

/** Whether a sed script only prints, deletes and replaces: it does not read or write files or run anything. */
function isPlainSedScript(script: string): boolean {
  let rest = script.trim();
  if (rest === '') return false;
  while (rest !== '') {
    const found = COMMAND.exec(rest)?.[0];
    if (found === undefined || found === '') return false;
    rest = rest.slice(found.length).trimStart();
  }
  return true;
}

const SED_OPTIONS =
  '-n -E -r -u -s -z -e: --quiet --silent --regexp-extended --expression: --posix --sandbox --null-data --separate --unbuffered';

/** `sed` with a script that only prints. In-place editing and script files ask. */
export function sedFinding(words: readonly ShellWord[]): Finding {
  const read = readArguments(SED_OPTIONS, words);
  if (typeof read === 'string') return risky(`sed may write with ${read}`);
  const given = read.options.flatMap(({ name, value }) =>
    name === '-e' || name === '--expression' ? [value] : [],
  );
  const [first, ...others] = read.operands;
  const scripts = given.length > 0 ? given : [first];
  const files = given.length > 0 ? read.operands : others;
  for (const script of scripts) {
    if (script === undefined || script.glob !== undefined || !isPlainSedScript(script.value))
      return risky('a sed script may write files and run commands');
  }
  return harmless(files.filter(({ value }) => value !== '-').map((word) => ({ word })));
}

/** `{print $1, $NF}` after an optional condition: no redirection, no pipe, no function. */
const PLAIN_AWK =
  /^\s*(?:(?:NR|NF|\$\d+)\s*(?:==|!=|>=|<=|>|<|~)\s*(?:\d+|"[^"\\]*"|\/(?:[^/\\\n]|\\[^\n])*\/)(?:\s*(?:&&|\|\|)\s*(?:NR|NF|\$\d+)\s*(?:==|!=|>=|<=|>|<)\s*\d+)*|\/(?:[^/\\\n]|\\[^\n])*\/|END|BEGIN)?\s*(?:\{\s*print(?:\s+(?:\$\d+|\$NF|NR|NF|"[^"\\]*")(?:\s*,?\s*(?:\$\d+|\$NF|NR|NF|"[^"\\]*"))*)?\s*;?\s*\})?\s*$/u;

/** `awk` with a program that only prints fields. */
export function awkFinding(words: readonly ShellWord[]): Finding {
  const read = readArguments('-F:', words);
  if (typeof read === 'string') return risky(`awk may run something with ${read}`);
  const [program, ...files] = read.operands;
  if (
    program === undefined ||
    program.glob !== undefined ||
    !PLAIN_AWK.test(program.value) ||
    program.value.trim() === ''
  )
    return risky('an awk program may write files and run commands');
  // An operand with `=` sets a variable of the program instead of naming a file: harmless here.
  return harmless(files.filter(({ value }) => value !== '-').map((word) => ({ word })));
}
