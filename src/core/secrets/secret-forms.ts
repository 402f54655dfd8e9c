import { assignedValues, isPlaceholder, maskAssigned } from './assigned-values.ts';

/** A kind of secret that is known by its form alone, wherever it stands. */
interface SecretForm {
  readonly name: string;
  readonly pattern: RegExp;
  /** One of these is in every such secret, and found thirty times faster than the pattern. */
  readonly marks: readonly string[];
}

/** Keys and tokens as their makers shape them. Each begins with something no ordinary word begins with. */
const PLAIN_FORMS: readonly SecretForm[] = [
  {
    name: 'private key',
    pattern:
      /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)/gu,
    marks: ['-----BEGIN '],
  },
  {
    name: 'private key',
    // The end of one, without its beginning; from the first of its lines, which may be numbered: each is read once.
    pattern:
      /(?<![A-Za-z0-9+/])(?<![A-Za-z0-9+/]{4,76}={0,2}[ \t$\r]{0,3}\n[^\nA-Za-z0-9+/]{0,12}(?:\d{1,6}[^\nA-Za-z0-9+/]{1,12})?)(?:[A-Za-z0-9+/]{4,76}={0,2}[ \t$\r]{0,3}\n[^\nA-Za-z0-9+/]{0,12}(?:\d{1,6}[^\nA-Za-z0-9+/]{1,12})?)+\+?-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----/gu,
    marks: ['-----END '],
  },
  // These prefixes mean a key of Anthropic, OpenAI or OpenRouter, of any length.
  {
    name: 'API key',
    pattern: /\bsk-(?:ant|proj|svcacct|admin|or|live|test)-[\w-]{4,}/gu,
    marks: ['sk-'],
  },
  { name: 'API key', pattern: /\bsk-(?=[\w-]{0,100}\d)[A-Za-z0-9_-]{16,}/gu, marks: ['sk-'] },
  {
    name: 'API key',
    pattern: /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{8,}/gu,
    marks: ['_live_', '_test_'],
  }, // Stripe
  { name: 'webhook secret', pattern: /\bwhsec_[A-Za-z0-9+/=]{12,}/gu, marks: ['whsec_'] },
  {
    name: 'GitHub token',
    pattern: /\bgh[pousr]_[A-Za-z0-9]{6,}/gu,
    marks: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
  },
  { name: 'GitHub token', pattern: /\bgithub_pat_[A-Za-z0-9_]{6,}/gu, marks: ['github_pat_'] },
  {
    name: 'GitLab token',
    pattern: /\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-[A-Za-z0-9_-]{6,}/gu,
    marks: ['gl'],
  },
  { name: 'Slack token', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{6,}/gu, marks: ['xox'] },
  { name: 'Slack token', pattern: /\bxapp-\d-[A-Za-z0-9-]{8,}/gu, marks: ['xapp-'] },
  {
    name: 'Slack webhook',
    pattern: /\bhooks\.slack\.com\/(?:services|workflows)\/[\w/-]{8,}/gu,
    marks: ['hooks.slack.com/'],
  },
  {
    name: 'Discord webhook',
    pattern: /\bdiscord(?:app)?\.com\/api\/webhooks\/\d+\/[\w-]{8,}/gu,
    marks: ['/api/webhooks/'],
  },
  {
    name: 'AWS key',
    pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/gu,
    marks: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
  },
  { name: 'Google key', pattern: /\bAIza[A-Za-z0-9_-]{30,}/gu, marks: ['AIza'] },
  { name: 'Google token', pattern: /\bya29\.[A-Za-z0-9_-]{12,}/gu, marks: ['ya29.'] },
  { name: 'Google secret', pattern: /\bGOCSPX-[A-Za-z0-9_-]{12,}/gu, marks: ['GOCSPX-'] },
  { name: 'API key', pattern: /\bgsk_[A-Za-z0-9]{16,}/gu, marks: ['gsk_'] }, // Groq
  { name: 'API key', pattern: /\bxai-[A-Za-z0-9]{16,}/gu, marks: ['xai-'] },
  { name: 'API key', pattern: /\bcsk-[A-Za-z0-9]{16,}/gu, marks: ['csk-'] }, // Cerebras
  { name: 'API key', pattern: /\bfw_[A-Za-z0-9]{16,}/gu, marks: ['fw_'] }, // Fireworks
  { name: 'API key', pattern: /\bnvapi-[A-Za-z0-9_-]{16,}/gu, marks: ['nvapi-'] }, // NVIDIA
  { name: 'API key', pattern: /\bpplx-[A-Za-z0-9]{16,}/gu, marks: ['pplx-'] }, // Perplexity
  { name: 'API key', pattern: /\btgp_v1_[A-Za-z0-9_-]{16,}/gu, marks: ['tgp_v1_'] }, // Together
  { name: 'API key', pattern: /\bvck_[A-Za-z0-9]{16,}/gu, marks: ['vck_'] }, // Vercel AI Gateway
  {
    name: 'Azure key',
    // The value alone: the rest of a connection string says which account it is.
    pattern: /(?<=\b(?:Account|SharedAccess)Key\s{0,9}=\s{0,9})[A-Za-z0-9+/]{16,}={0,2}/giu,
    marks: ['Key', 'key', 'KEY'],
  },
  {
    name: 'Azure key',
    pattern: /\b[A-Za-z0-9]{40,60}JQQJ99[A-Za-z0-9]{16,40}\b/gu,
    marks: ['JQQJ99'],
  },
  { name: 'Bedrock key', pattern: /\bABSK[A-Za-z0-9+/]{40,}={0,2}/gu, marks: ['ABSK'] },
  { name: 'Bedrock key', pattern: /\bbedrock-api-key-[A-Za-z0-9+/=]{16,}/gu, marks: ['bedrock-'] },
  { name: 'npm token', pattern: /\bnpm_[A-Za-z0-9]{20,}/gu, marks: ['npm_'] },
  { name: 'PyPI token', pattern: /\bpypi-[A-Za-z0-9_-]{16,}/gu, marks: ['pypi-'] },
  { name: 'Docker token', pattern: /\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{12,}/gu, marks: ['dckr_'] },
  { name: 'Hugging Face token', pattern: /\bhf_[A-Za-z0-9]{16,}/gu, marks: ['hf_'] },
  {
    name: 'SendGrid key',
    pattern: /\bSG\.[A-Za-z0-9_-]{12,}\.[A-Za-z0-9_-]{12,}/gu,
    marks: ['SG.'],
  },
  { name: 'DigitalOcean token', pattern: /\bdo[opr]_v1_[a-f0-9]{32,}/gu, marks: ['_v1_'] },
  {
    name: 'Vault token',
    pattern: /\bhv[sbr]\.[A-Za-z0-9_-]{20,}/gu,
    marks: ['hvs.', 'hvb.', 'hvr.'],
  },
  { name: 'Databricks token', pattern: /\bdapi[a-f0-9]{32}\b/gu, marks: ['dapi'] },
  { name: 'Linear key', pattern: /\blin_(?:api|oauth)_[A-Za-z0-9]{16,}/gu, marks: ['lin_'] },
  { name: 'Shopify token', pattern: /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{24,}/gu, marks: ['shp'] },
  { name: 'age key', pattern: /\bAGE-SECRET-KEY-1[A-Z0-9]{20,}/gu, marks: ['AGE-SECRET-KEY-1'] },
  { name: 'bot token', pattern: /\b\d{8,10}:AA[A-Za-z0-9_-]{30,}/gu, marks: [':AA'] }, // Telegram
  {
    name: 'JSON Web Token',
    pattern: /\beyJ[A-Za-z0-9_-]{8,400}\.eyJ[A-Za-z0-9_-]{4,4000}\.[A-Za-z0-9_-]*/gu,
    marks: ['eyJ'],
  },
];

/** An escape in a text within a text, a code of a terminal, a percent sign: what follows begins a word, too. */
const BEGINS = String.raw`(?:\b|(?<=\\[nrtbfv0])|(?<=\\u[\da-fA-F]{4})|(?<=%[\da-fA-F]{2})|(?<=\[[\d;]{0,9}[mK]))`;

const FORMS: readonly SecretForm[] = PLAIN_FORMS.map(
  ({ name, marks, pattern: { source, flags } }) => ({
    name,
    marks,
    pattern: new RegExp(source.startsWith('\\b') ? `${BEGINS}${source.slice(2)}` : source, flags),
  }),
);

/** A password in an address: `postgres://user:password@host`. */
const IN_ADDRESS =
  /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^/\s:@"'<>]{0,200}:)([^/\s@"'<>${}]{3,200})(@[\w[])/giu;

/** A header's token: long, and with a digit in it. */
const BEARER =
  /\b(Bearer\s+|authorization["']?\s{0,9}[:=]\s{0,9}["']?Basic\s+)(?=\S{0,100}[\dA-Z=])[A-Za-z0-9+/=._~-]{12,}/giu;
/** As `.netrc` has it. */
const LOGIN = /\b(login\s{1,9}\S{1,200}\s{1,9}password\s{1,9})(\S{3,400})/gu;
/** Words of a command line. */
const FLAG =
  /((?<![\w-])--?(?:password|passwd|token|secret|api-?key|auth-token|access-key|client-secret)[= ]["']?)((?=[^\s"']{0,100}\d)[^\s"'$<]{6,400})/giu;

/** Replaces what has the form of a secret; what only has the name of one stays as it is. */
export function maskForms(text: string, mask: string): string {
  let masked = text;
  for (const { pattern } of formsIn(text)) masked = masked.replace(pattern, mask);
  return masked;
}

/** Those that may be in a text. */
function formsIn(text: string): readonly SecretForm[] {
  return FORMS.filter(({ marks }) => marks.some((mark) => text.includes(mark)));
}

/** Also the values of environment files and passwords in addresses; code that names a secret stays readable. */
export function maskForModel(text: string, mask: string): string {
  return maskAssigned(maskForms(text, mask), mask)
    .replace(LOGIN, `$1${mask}`)
    .replace(FLAG, (whole, before: string, value: string) =>
      isPlaceholder(value) ? whole : `${before}${mask}`,
    )
    .replace(BEARER, `$1${mask}`)
    .replace(IN_ADDRESS, (whole, before: string, value: string, after: string) =>
      isPlaceholder(value) ? whole : `${before}${mask}${after}`,
    );
}

export function secretsIn(
  text: string,
): readonly { readonly name: string; readonly value: string }[] {
  const found = formsIn(text).flatMap(({ name, pattern }) =>
    [...text.matchAll(pattern)].map(([value]) => ({ name, value })),
  );
  for (const { value } of assignedValues(text))
    found.push({ name: 'value of an environment file', value });
  for (const [, , value = ''] of text.matchAll(LOGIN)) found.push({ name: 'password', value });
  for (const [, , value = ''] of text.matchAll(IN_ADDRESS))
    if (!isPlaceholder(value)) found.push({ name: 'password in an address', value });
  return found;
}
