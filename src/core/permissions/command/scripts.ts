/** A list of characters, without any that another sed would take for its end, or for that of what it stands in. */
const LIST = (end: string): string =>
  String.raw`\[\^?(?:\[:[a-z]+:\]|\\(?!${end})[^\n\]\\c]|(?!${end})[^\\\n[\]])+\]`;
/** Text up to a character that ends it; `ends` matches that one. */
const TEXT = (end: string): string => String.raw`(?:(?!${end})[^\\\n[\]]|\\[^\nc]|${LIST(end)})*`;
/** A line number, the last line, or a pattern without anything that could end it early. */
const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|\/${TEXT('\\/')}\/I?)`;
/** Commands that print, delete or go on; a substitution without the flags that write or run. */
const ACTION = String.raw`(?:[pdqQnNhHgGxDP=]|s(?<sep>[\/|#,@:])${TEXT('\\k<sep>')}\k<sep>(?:(?!\k<sep>)[^\\\n]|\\[^\nc])*\k<sep>[gpiI0-9]*|y\/[^\/\\\n]*\/[^\/\\\n]*\/)`;

/** One command; named groups may not be repeated in one expression. */
const COMMAND = new RegExp(
  String.raw`^\s*(?:${ADDRESS}\s*(?:,\s*(?:${ADDRESS}|[+~]\d+)\s*)?!?\s*)?${ACTION}\s*(?:;|\n|$)`,
  'u',
);

/** True for a sed script that only prints, deletes and replaces. */
export function isPlainSed(script: string): boolean {
  let rest = script.trim();
  if (rest.length > LONGEST) return false;
  while (rest !== '') {
    const found = COMMAND.exec(rest)?.[0];
    if (found === undefined || found === '') return false;
    rest = rest.slice(found.length).trimStart();
  }
  return true;
}

/** Characters of a program that are looked through. */
const LONGEST = 2000;

/** Words with which awk reads files, runs programs or sees the environment. */
const AWK_REACHES_OUT =
  /system|getline|close|fflush|ENVIRON|PROCINFO|ARGV|ARGC|SYMTAB|FUNCTAB|@|`|\\\r?\n|\bfunc(?:tion)?\b/u;

/** True for awk that only computes and prints; `>` compares until something is printed. */
export function isPlainAwk(program: string): boolean {
  if (program.length > LONGEST || AWK_REACHES_OUT.test(program)) return false;
  const printing = /print/u.exec(program);
  if (printing !== null && program.slice(printing.index).includes('>')) return false;
  const rest = program.replace(/^\s*!?\/[\w\s|.^$:,-]*\//u, '');
  return !rest.replaceAll('||', '').includes('|');
}

/** Words with which jq reads other files and the environment. */
const JQ_REACHES_OUT =
  /\benv\b|ENV|\$(?![A-Za-z])|\$__|::|\b(?:import|include|modulemeta|input_filename|get_search_list|input_line_number|halt|halt_error|stderr|debug)\b/u;

/** True for a jq program that only looks at its input: `.env` is a field, `env` is not. */
export function isPlainJq(program: string): boolean {
  if (program.length > LONGEST) return false;
  return !JQ_REACHES_OUT.test(program.replaceAll(/(?<![.$\d])\.env\b|"env"/gu, '.field'));
}
