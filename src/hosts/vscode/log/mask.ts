const MASK = '•••';

/** Forms of secrets that are known by sight: keys, tokens, and credentials in headers and URLs. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [/\bsk-[A-Za-z0-9_-]{8,}/gu, MASK],
  [/\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-)[A-Za-z0-9_-]{10,}/gu, MASK],
  [/\bAKIA[0-9A-Z]{16}\b/gu, MASK],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/giu, `$1 ${MASK}`],
  [
    /("?(?:x-api-key|authorization|api[_-]?key|password|secret|token)"?\s*[:=]\s*"?)[^\s",}]{6,}/giu,
    `$1${MASK}`,
  ],
  [/(\b[a-z][a-z0-9+.-]*:\/\/[^\s:@/]*:)[^\s@/]+@/giu, `$1${MASK}@`],
];

/** Takes secrets out of a line before it is written anywhere (E9). `known` are the ones in use right now. */
export function maskSecrets(text: string, known: Iterable<string> = []): string {
  let masked = text;
  for (const secret of known) {
    if (secret.length >= 8) masked = masked.replaceAll(secret, MASK);
  }
  for (const [form, replacement] of FORMS) masked = masked.replace(form, replacement);
  return masked;
}
