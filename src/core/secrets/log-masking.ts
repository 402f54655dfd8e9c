import { ABOUT, isPlaceholder, isTelling, maskAssigned } from './assigned-values.ts';
import { maskForms } from './secret-forms.ts';
import { byTurns } from '../../domain/lifetime/steps.ts';
import { textPieces } from '../../domain/text/text-pieces.ts';

/** Text for logs, exports and error reports without secrets (security, rule 9). */

const MASK = '[secret]';

/** Words in names of things that hold secrets. */
const NAMES =
  '(?<![a-z0-9_.-])[a-z0-9_.-]{0,60}?(?:api[_-]?key|apikey|access[_-]?key|account[_-]?key|private[_-]?key|encryption[_-]?key|signing[_-]?key|auth[_-]?token|token|secret|passw(?:or)?d|passwd|passphrase|pwd|authorization|credentials?|cookie|client[_-]?assertion|code[_-]?verifier|session[_-]?id|connection[_-]?string)s?';

/** Values by the name before them: `api_key=…`, `"password": "…"`, `Authorization: Bearer …`. */
const BY_NAME: readonly (readonly [RegExp, string])[] = [
  // The value of a header, which ends with its quote or the line; “Bearer authentication is required” is prose.
  [/\b(Bearer\s+)[A-Za-z0-9+/=._~-]{8,}(?=["'\\]|$)/gmu, `$1${MASK}`],
  [/\b((?:Basic|Token|Digest|Negotiate)\s+)(?=\S*[\d=+/])[A-Za-z0-9+/=._~-]{8,}/gu, `$1${MASK}`],
  [
    /\b(authorization["']?\s*[:=]\s*["']?(?:Bearer|Basic|Token|Digest|Negotiate|ApiKey)\s+)[^\s"',]+/giu,
    `$1${MASK}`,
  ],
  // The whole of a cookie or of an authorization header: it has blanks and several values in it.
  [/((?:^[ \t>*<]*(?:set-)?cookie\s*:|cookie:(?=\s*[\w.-]+=))\s*)[^\r\n]+/gimu, `$1${MASK}`],
  // One-time codes and states of a sign-in in an address.
  [
    /([?&#](?:code|state|nonce|sig|signature|key|x-amz-signature|x-amz-credential|x-amz-security-token|id_token)=)[^&\s"'#]{4,}/giu,
    `$1${MASK}`,
  ],
  [/(\/\/[^/\s:@"']*:)[^/\s@"']+(@)/gu, `$1${MASK}$2`],
];

/** Forms with a name, what assigns, a quote and a value. They are also forms of prose: “Unexpected token: identifier”. */
const ASSIGNMENTS: readonly RegExp[] = [
  new RegExp(
    `(?<name>${NAMES})(?<sign>\\\\*["']?\\s*(?:=>|[:=])\\s*)(?:(?<quote>\\\\*["'])(?<quoted>(?:(?!\\k<quote>)[^\\n]){4,})|(?!\\[secret\\]|\\d{1,9}(?![\\w-])|(?:Bearer|Basic|Token|Digest|Negotiate)\\s)(?<bare>[^\\s"',;&\\\\]{4,}))`,
    'giu',
  ),
  /(?<name>--?(?:password|passwd|token|secret|api-?key|auth-token|access-key))(?<sign>[= ])(?:(?<quote>["'])(?<quoted>(?:(?!\k<quote>)[^\n])+)|(?!\[secret\])(?<bare>\S{4,}))/giu,
  /\b(?<name>Bearer)(?<sign>\s+)(?<bare>[A-Za-z0-9+/=._~-]{6,})/giu,
];

function maskAssignment(whole: string, ...rest: readonly unknown[]): string {
  const { name = '', sign = '', quote = '', quoted, bare } = rest.at(-1) as Record<string, string>;
  const isQuotedFlag = name.startsWith('-') && quote !== '';
  return isSecretAfter(name, isQuotedFlag ? quote : sign, quoted ?? bare ?? '')
    ? `${name}${sign}${quote}${MASK}`
    : whole;
}

/**
 * Returns whether a value after a name is a secret: after `=` or the quoted name of JSON anything but a placeholder,
 * otherwise, as in prose and for counts such as `maxTokens`, only a value that looks like one.
 */
function isSecretAfter(name: string, sign: string, value: string): boolean {
  const word = value.replaceAll(/^[^A-Za-z0-9/+]+|[)\]}.,:!?`]+$/gu, '');
  if (isPlaceholder(word)) return false;
  return (/["'=]/u.test(sign) && !ABOUT.test(name)) || looksSecret(word);
}

/** At least six characters that are no word, number, version, path or address, or a long run of them. */
const looksSecret = (word: string): boolean =>
  (word.length >= 6 && isTelling(word)) ||
  /^(?:[a-z]{20,}|[A-Z]{20,}|\d{10,}|(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w+/=.-]{24,})$/u.test(word);

/** Shorter ones would mask ordinary words. */
const SHORTEST_KNOWN = 8;

/** Replaces everything that has the form or the name of a secret, and every known one. */
export function maskSecrets(text: string, known: Iterable<string> = []): string {
  let masked = text;
  for (const secret of known) {
    if (secret.length < SHORTEST_KNOWN) continue;
    masked = masked.replaceAll(secret, MASK);
    const quoted = JSON.stringify(secret).slice(1, -1);
    if (quoted !== secret) masked = masked.replaceAll(quoted, MASK);
  }
  masked = maskAssigned(maskForms(masked, MASK), MASK);
  for (const [pattern, replacement] of BY_NAME) masked = masked.replace(pattern, replacement);
  for (const pattern of ASSIGNMENTS) masked = masked.replace(pattern, maskAssignment);
  return masked;
}

/** Characters of an entry of a log. */
const LONGEST_ENTRY = 20_000;

/** An entry of a log without secrets; a long one is cut before, at the end of a word, so that no half of a secret stays. */
export function maskEntry(text: string, known?: Iterable<string>): string {
  if (text.length <= LONGEST_ENTRY) return maskSecrets(text, known);
  const end = Math.max(text.lastIndexOf(' ', LONGEST_ENTRY), text.lastIndexOf('\n', LONGEST_ENTRY));
  return maskSecrets(`${text.slice(0, Math.max(0, end))} […]`, known);
}

/** Characters: a few milliseconds of the worst text, and more than the longest secret that is known by its form. */
const PIECES = { piece: 20_000, around: 5000 };

/** `maskSecrets` of a text of any length, and others have their turn meanwhile. */
export function maskSecretsByTurns(text: string): Promise<string> {
  return byTurns(
    (function* () {
      const done: string[] = [];
      for (const piece of textPieces(text, maskSecrets, PIECES)) {
        done.push(maskSecrets(piece));
        yield;
      }
      return done.join('');
    })(),
  );
}
