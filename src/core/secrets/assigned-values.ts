export interface AssignedValue {
  readonly value: string;
  /** Its start in the text. */
  readonly at: number;
}

/** Words in the names of secrets. */
const WORD =
  /api[_-]?key|secret|token|passw(?:or)?d|passphrase|(?<=[_-])(?:pass|pwd)(?![A-Za-z])|private[_-]?key|access[_-]?key|account[_-]?key|encryption[_-]?key|signing[_-]?key|credentials?|auth(?!or(?!i))/giu;
/** Characters before such a word that may belong to the name. */
const LONGEST_NAME = 80;
const NAME_BEFORE = /(?<![\w$.])[\w-]*$/u;
/** The same in a list of properties: `db.password=`, without blanks. */
const PROPERTY = /(?<=(?<![\w$.(,])(?:[A-Za-z][\w-]*\.)+)[\w-]*$/u;
/** The end of a name, what assigns, and the value: quoted, also within a quoted text, or bare. */
const REST =
  /(?<end>[A-Za-z0-9_]{0,40})(?<sign>["'\\]{0,4}[ \t]{0,20}(?:=>|:=|[?+]=|[=:>])[ \t]{0,20})(?:(?<open>\\{0,3}["'])(?<quoted>[^"'\n]{6,2000}?)\\{0,3}["']|(?<bare>[^\s"'`$(){};<>,[\]\\]{6,2000}))/duy;
/** A name that says what stands behind it, in any case; in capitals more is known to be one. */
const TELLING_NAME =
  /(?:api[_-]?key|secret(?:[_-]?(?:key|value))?|(?<!\b(?:max|num|stop|next|csrf)[_-]?)token|passw(?:or)?d|passphrase|(?<=[_-])(?:pass|pwd)|(?:private|access|account|encryption|signing)[_-]?key|credentials?|auth)$/iu;
const CAPITALS = /^[A-Z0-9_]+$/u;

/** Text before a name in code: there a secret is named, not kept. */
const CODE =
  /(?:^|[^\w-])(?:const|let|var|val|final|static|public|private|protected|readonly|return|if|else|while|function|def|class|import|type|interface|enum|assert|case|fn|pub|mut|new|await)\s/u;

/** Prefixes of lines in listings: names and numbers of `git blame`, `grep`, `rg`; each once. */
const LISTED: readonly RegExp[] = [
  /^\^?[0-9a-f]{6,40} .{0,300}?\d\) /u,
  /^[^\s"'()=,;]{1,300}?[:-]\d{1,7}[:-](?:\d{1,7}[:-])?/u,
  /^[^\s"'()=,;]{1,300}[:-]/u,
  /^.{1,300}?[:-]\d{1,7}[:-](?:\d{1,7}[:-])?[ \t]{0,20}/u,
];
/** Words that lead in a variable. */
const LEADING =
  /(?<!\w)(?:export|set|setx|setenv|declare|typeset|local|env|arg|-x|-gx|-e|--env|--build-arg|\$env)(?=\s|:|$)/giu;
/** Marks of diffs, quotations, lists, numbers of lines, comments, and the quotes of a text in a text. */
const MARKS = /^[\s<>+\-*|!#/;:&"'`\\{[,\d~@]*$/u;

/** Names that only speak of a secret: where it is, how long it lasts. */
export const ABOUT =
  /(?:_(?:FILE|PATH|DIR|NAME|HEADER|TYPE|TTL|EXPIR\w*|LENGTH|COUNT|LIMIT|ENABLED|ALGORITHM|ALG|METHOD|PREFIX|URI)|TOKENS)$/iu;

/** The values in a text that stand behind names of secrets, wherever in a line, in their order. */
export function assignedValues(text: string): readonly AssignedValue[] {
  const found: AssignedValue[] = [];
  let done = 0;
  for (const word of text.matchAll(WORD)) {
    if (word.index < done) continue;
    REST.lastIndex = word.index + word[0].length;
    const rest = REST.exec(text);
    if (rest === null) continue;
    const end = REST.lastIndex;
    const [quoted, bare] = [rest.indices?.groups?.['quoted'], rest.indices?.groups?.['bare']];
    const [from, to] = quoted ?? bare ?? [end, end];
    const earlier = text.slice(Math.max(0, word.index - LONGEST_NAME), word.index);
    const start = nameBefore(earlier, rest.groups?.['sign'] === '=');
    if (start === undefined) continue;
    const assigned: Assigned = {
      name: `${start}${word[0]}${rest.groups?.['end'] ?? ''}`,
      sign: rest.groups?.['sign'] ?? '',
      value: text.slice(from, to),
      isQuoted: quoted !== undefined,
      before: lineBefore(text, word.index - start.length),
      after: text.slice(end, end + 2),
    };
    if (!isSecret(assigned)) continue;
    found.push({ value: assigned.value, at: from });
    done = end;
  }
  return found;
}

/** The name's part before its word; the letter of an escape is none of it. */
function nameBefore(earlier: string, isTight: boolean): string | undefined {
  const found = NAME_BEFORE.exec(earlier) ?? (isTight ? PROPERTY.exec(earlier) : null);
  if (found === null) return undefined;
  const isEscaped = earlier[found.index - 1] === '\\' && /^[nrtbfv0]/u.test(found[0]);
  const name = found[0].slice(isEscaped ? 1 : 0).replace(/^-+/u, '');
  // The names of variables have no hyphen: it is the listing's (`.env-3-API_TOKEN=`).
  return /[a-z]/u.test(name.slice(name.lastIndexOf('-') + 1)) ? name : name.replace(/^.*-/u, '');
}

/** Replaces them. */
export function maskAssigned(text: string, mask: string): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { value, at: from } of assignedValues(text)) {
    pieces.push(text.slice(at, from), mask);
    at = from + value.length;
  }
  return at === 0 ? text : pieces.join('') + text.slice(at);
}

interface Assigned {
  readonly name: string;
  readonly sign: string;
  readonly value: string;
  readonly isQuoted: boolean;
  readonly before: string;
  /** The next characters. */
  readonly after: string;
}

function isSecret(assigned: Assigned): boolean {
  const { name, sign, value, isQuoted, before, after } = assigned;
  if (ABOUT.test(name) || isPlaceholder(value) || isCode(assigned)) return false;
  const listed = LISTED.reduce((line, listing) => line.replace(listing, ''), before);
  const isPlain = isMarks(before) || isMarks(listed);
  const endsHere = isQuoted || /^(?:$|[\s"'`,&\\}\]|)])/u.test(after) || after.startsWith('</');
  if (!endsHere) return false;
  if (CAPITALS.test(name) && isPlain) {
    // As a file of variables has it, or a diff, a search or a quotation of one.
    return sign.trim() === '=' || !/^[A-Za-z]+$/u.test(value);
  }
  if (CODE.test(before) || !isTelling(value)) return false;
  if (CAPITALS.test(name)) return true;
  const endsLine = isQuoted || sign.includes('=') || /^(?:$|\s|["'<\\])/u.test(after);
  return TELLING_NAME.test(name) && value.length >= 8 && endsLine;
}

function isMarks(before: string): boolean {
  return MARKS.test(before.replace(LEADING, ''));
}

/** The line up to here; in a text within a text it begins after its escaped line end. */
function lineBefore(text: string, at: number): string {
  const from = Math.max(0, at - 400);
  const earlier = text.slice(from, at);
  const begins = Math.max(earlier.lastIndexOf('\n'), earlier.lastIndexOf('\r')) + 1;
  const line = earlier.slice(begins).replaceAll(/\\[tv]/gu, ' ');
  const escaped = Math.max(line.lastIndexOf(String.raw`\n`), line.lastIndexOf(String.raw`\r`));
  return escaped < 0 ? line : line.slice(escaped + 2);
}

/** Not a word, a number, a version, a path or an address. */
export function isTelling(value: string): boolean {
  if (/\s/u.test(value) || /^(?:\/|\.{1,2}\/|~\/|[a-z]{2,10}:\/\/|[a-z]:\\)/iu.test(value))
    return false;
  if (/^[\^~v]?\d+(?:\.\d+)*(?:[-+][\w.]+)?$/u.test(value)) return false;
  if (/\d/u.test(value) && /[A-Za-z]/u.test(value)) return true;
  if (/[!@#%^&*+?~]/u.test(value)) return true;
  const isMixed = /[a-z]/u.test(value) && /[A-Z]/u.test(value) && value.length >= 12;
  return isMixed && !/^[A-Za-z]?[a-z]+(?:[A-Z][a-z]+)+$/u.test(value);
}

/** A name in code instead of a value: `process.env.TOKEN`, `config.token`. */
function isCode({ value, sign, isQuoted, after }: Assigned): boolean {
  if (isQuoted) return false;
  if (/^(?:process\.env|import\.meta|os\.environ|env\.|self\.|this\.)/u.test(value)) return true;
  const isBlankAround = sign.trim() !== sign || after.startsWith(';');
  return isBlankAround && /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/u.test(value);
}

/** True for the placeholder of an example or a template. */
export function isPlaceholder(value: string): boolean {
  return (
    /^(?:x+|\*+|\.+|-+|<.*>|true|false|null|none|undefined|changeme|change[-_]me|password|passwd|secret|token|test|example|placeholder|user|username|pass|todo|value)$/iu.test(
      value,
    ) || /^(?:your|my|the|some|example|dummy|fake)[-_]/iu.test(value)
  );
}
