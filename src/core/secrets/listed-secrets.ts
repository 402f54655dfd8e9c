import { isSecretFile } from '../permissions/secret-files.ts';

/** Programs that print what files hold, and little else. */
const PRINTERS = new Set(
  'cat tac head tail less more bat batcat nl grep egrep fgrep rg ag awk gawk mawk sed cut sort uniq diff strings fold fmt pr tr paste join column'.split(
    ' ',
  ),
);
/** Lines that are looked at; more is no listing that a person waits for. */
const MOST_LINES = 50_000;

/** The file of secrets that a command prints; `undefined`: none that its words name. */
export function printedSecretFile(command: string): string | undefined {
  for (const part of command.split(/[\n;|&(){}]+/u)) {
    const words = part.trim().split(/[\s<>"'=]+/u);
    const program = words[0]?.replace(/^.*\//u, '') ?? '';
    if (!PRINTERS.has(program)) continue;
    const named = words.slice(1).find((word) => isSecretFile(word));
    if (named !== undefined) return named;
  }
  return undefined;
}

/** Lines of files of secrets within the output of a search or a comparison, with the file of each. */
export function* listedSecrets(
  text: string,
): Generator<{ readonly line: string; readonly file: string }> {
  let compared: string | undefined;
  for (const line of text.split('\n', MOST_LINES)) {
    const header = headerOf(line);
    if (header !== undefined) {
      compared = isSecretFile(header) ? header : undefined;
      continue;
    }
    const found = /^(?<file>[^\s:]{1,300}?)(?::(?:\d+[:-]){0,2}|-\d+-)(?<rest>.*)$/su.exec(
      line,
    )?.groups;
    if (found?.['file'] !== undefined && isSecretFile(found['file']))
      yield { line: found['rest'] ?? '', file: found['file'] };
    else if (compared !== undefined)
      yield { line: line.replace(/^[+\-<> ]{1,2}/u, ''), file: compared };
  }
}

/** The file whose lines follow, as comparisons and searches name it. */
function headerOf(line: string): string | undefined {
  const found =
    /^diff .*\s(?:b\/)?(?<file>\S+)$/u.exec(line) ??
    /^(?:\+\+\+|---) (?:[ab]\/)?(?<file>[^\t]+)/u.exec(line) ??
    /^(?:==> )?(?<file>[\w.@~/-]{1,300})(?: <==)?:?$/u.exec(line);
  const file = found?.groups?.['file'];
  // Any other word alone in a line is no name of a file of secrets, and ends nothing either.
  return file === undefined || (!isSecretFile(file) && !/^(?:diff|\+\+\+|---|==>) /u.test(line))
    ? undefined
    : file;
}
