/** A kind of secret that is known by its form alone, wherever it stands. */
interface SecretForm {
  readonly name: string;
  readonly pattern: RegExp;
}

/** Keys and tokens as their makers shape them. Each begins with something no ordinary word begins with. */
const FORMS: readonly SecretForm[] = [
  {
    name: 'private key',
    pattern:
      /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)/gu,
  },
  // What begins so is a key of Anthropic, OpenAI or OpenRouter whatever its length is.
  { name: 'API key', pattern: /\bsk-(?:ant|proj|svcacct|admin|or|live|test)-[\w-]{4,}/gu },
  { name: 'API key', pattern: /\bsk-(?=[\w-]*\d)[A-Za-z0-9_-]{16,}/gu },
  { name: 'API key', pattern: /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{8,}/gu }, // Stripe
  { name: 'webhook secret', pattern: /\bwhsec_[A-Za-z0-9+/=]{12,}/gu },
  { name: 'GitHub token', pattern: /\bgh[pousr]_[A-Za-z0-9]{6,}/gu },
  { name: 'GitHub token', pattern: /\bgithub_pat_[A-Za-z0-9_]{6,}/gu },
  { name: 'GitLab token', pattern: /\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-[A-Za-z0-9_-]{6,}/gu },
  { name: 'Slack token', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{6,}/gu },
  { name: 'Slack token', pattern: /\bxapp-\d-[A-Za-z0-9-]{8,}/gu },
  { name: 'Slack webhook', pattern: /\bhooks\.slack\.com\/(?:services|workflows)\/[\w/-]{8,}/gu },
  { name: 'Discord webhook', pattern: /\bdiscord(?:app)?\.com\/api\/webhooks\/\d+\/[\w-]{8,}/gu },
  { name: 'AWS key', pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/gu },
  { name: 'Google key', pattern: /\bAIza[A-Za-z0-9_-]{30,}/gu },
  { name: 'Google token', pattern: /\bya29\.[A-Za-z0-9_-]{12,}/gu },
  { name: 'Google secret', pattern: /\bGOCSPX-[A-Za-z0-9_-]{12,}/gu },
  { name: 'npm token', pattern: /\bnpm_[A-Za-z0-9]{20,}/gu },
  { name: 'PyPI token', pattern: /\bpypi-[A-Za-z0-9_-]{16,}/gu },
  { name: 'Docker token', pattern: /\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{12,}/gu },
  { name: 'Hugging Face token', pattern: /\bhf_[A-Za-z0-9]{16,}/gu },
  { name: 'SendGrid key', pattern: /\bSG\.[A-Za-z0-9_-]{12,}\.[A-Za-z0-9_-]{12,}/gu },
  { name: 'DigitalOcean token', pattern: /\bdo[opr]_v1_[a-f0-9]{32,}/gu },
  { name: 'Vault token', pattern: /\bhv[sbr]\.[A-Za-z0-9_-]{20,}/gu },
  { name: 'Databricks token', pattern: /\bdapi[a-f0-9]{32}\b/gu },
  { name: 'Linear key', pattern: /\blin_(?:api|oauth)_[A-Za-z0-9]{16,}/gu },
  { name: 'Shopify token', pattern: /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{24,}/gu },
  { name: 'age key', pattern: /\bAGE-SECRET-KEY-1[A-Z0-9]{20,}/gu },
  { name: 'bot token', pattern: /\b\d{8,10}:AA[A-Za-z0-9_-]{30,}/gu }, // Telegram
  {
    name: 'JSON Web Token',
    pattern: /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*/gu,
  },
];

/** `NAME_TOKEN=value` at the beginning of a line, as files of environment variables have it. */
const ASSIGNED =
  /^([ \t]*(?:\d+[\t:|][ \t]*)?(?:export[ \t]+|set[ \t]+)?[A-Z0-9_]*(?:API_?KEY|SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|PRIVATE_KEY|ACCESS_KEY|ACCOUNT_KEY|CREDENTIALS?|AUTH)[A-Z0-9_]*[ \t]*=[ \t]*)(?:"([^"$\n]{6,})"|'([^'\n]{6,})'|([^\s"'$(){};<>,[\]]{6,}))[ \t]*$/gmu;

/** A password in an address: `postgres://user:password@host`. */
const IN_ADDRESS =
  /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^/\s:@"'<>]{0,200}:)([^/\s@"'<>${}]{3,200})(@[\w[])/giu;

/** What a header brings along: long, and with a digit in it. */
const BEARER = /\b(Bearer\s+)(?=[^\s]*\d)[A-Za-z0-9+/=._~-]{16,}/gu;

/** Replaces what has the form of a secret; what only has the name of one stays as it is. */
export function maskForms(text: string, mask: string): string {
  let masked = text;
  for (const { pattern } of FORMS) masked = masked.replace(pattern, mask);
  return masked;
}

/** Also the values of environment files and passwords in addresses; code that names a secret stays readable. */
export function maskForModel(text: string, mask: string): string {
  return maskForms(text, mask)
    .replace(ASSIGNED, (whole, before: string, ...values: (string | undefined)[]) =>
      isPlaceholder(values.slice(0, 3).find((value) => value !== undefined) ?? '')
        ? whole
        : `${before}${mask}`,
    )
    .replace(BEARER, `$1${mask}`)
    .replace(IN_ADDRESS, (whole, before: string, value: string, after: string) =>
      isPlaceholder(value) ? whole : `${before}${mask}${after}`,
    );
}

/** The secrets in a text that are known by their form. */
export function secretsIn(
  text: string,
): readonly { readonly name: string; readonly value: string }[] {
  const found = FORMS.flatMap(({ name, pattern }) =>
    [...text.matchAll(pattern)].map(([value]) => ({ name, value })),
  );
  for (const [, , double, single, bare] of text.matchAll(ASSIGNED)) {
    const value = double ?? single ?? bare ?? '';
    if (!isPlaceholder(value)) found.push({ name: 'value of an environment file', value });
  }
  for (const [, , value = ''] of text.matchAll(IN_ADDRESS))
    if (!isPlaceholder(value)) found.push({ name: 'password in an address', value });
  return found;
}

/** What examples and templates have in the place of a secret. */
function isPlaceholder(value: string): boolean {
  return (
    /^(?:x+|\*+|\.+|-+|<.*>|true|false|null|none|changeme|change[-_]me|password|passwd|secret|token|test|example|placeholder|user|username|pass|todo)$/iu.test(
      value,
    ) || /^(?:your|my|the|some|example|dummy|fake)[-_]/iu.test(value)
  );
}
