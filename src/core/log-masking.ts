/** Text for logs and exports without secrets (security, rule 9). */

const MASK = '[secret]';

/** Keys and tokens by their form. */
const BY_FORM: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_-]{16,}/gu, // Anthropic, OpenAI
  /\b(?:gh[pousr]|github_pat)_[A-Za-z0-9_]{20,}/gu,
  /\bglpat-[A-Za-z0-9_-]{16,}/gu,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/gu,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/gu,
  /\bAIza[A-Za-z0-9_-]{35}/gu,
  /\bnpm_[A-Za-z0-9]{30,}/gu,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/gu, // JSON Web Token
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gu,
];

/** Values by the name before them: `api_key=…`, `"password": "…"`, `Authorization: Bearer …`. */
const BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/\b((?:Bearer|Basic|Token)\s+)[A-Za-z0-9+/=._~-]{8,}/gu, `$1${MASK}`],
  [
    /((?:api[_-]?key|apikey|access[_-]?key|auth[_-]?token|[a-z_-]*token|[a-z_-]*secret|passw(?:or)?d|passphrase|authorization|credentials?)["']?\s*[:=]\s*)(?:"[^"\n]{4,}"|'[^'\n]{4,}'|[^\s"',;&]{6,})/giu,
    `$1${MASK}`,
  ],
  [/(\/\/[^/\s:@]+:)[^/\s@]+(@)/gu, `$1${MASK}$2`],
];

/** Shorter ones would mask ordinary words. */
const SHORTEST_KNOWN = 8;

/** Replaces everything that has the form or the name of a secret, and every known one. */
export function maskSecrets(text: string, known: Iterable<string> = []): string {
  let masked = text;
  for (const secret of known)
    if (secret.length >= SHORTEST_KNOWN) masked = masked.replaceAll(secret, MASK);
  for (const pattern of BY_FORM) masked = masked.replace(pattern, MASK);
  for (const [pattern, replacement] of BY_NAME) masked = masked.replace(pattern, replacement);
  return masked;
}
