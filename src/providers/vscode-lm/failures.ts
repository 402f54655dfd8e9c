import type { Failure } from '../../domain/failure.ts';
import { isJsonObject } from '../../domain/json.ts';
import { parsedJson, textOr } from '../http/fields.ts';
import { failureFrom } from '../http/errors.ts';
import { refusalFrom } from '../http/refusal.ts';
import type { Destination, Refusal, Rule } from '../http/refusal.ts';
import { CHOOSE, KEPT, server } from '../http/refusal-rules.ts';

const said = ({ text }: Refusal): string => (text === '' ? '' : ` It says: ${text.slice(0, 500)}`);

/** Refusals of VS Code and the extensions behind it, by the codes of `LanguageModelError` and Copilot's names. */
const RULES: readonly Rule[] = [
  {
    codes: ['NoPermissions'],
    code: 'permission',
    say: (at) =>
      `VS Code does not let Belay use ${at.model}: the question for access was answered with no, or a policy forbids it. ${KEPT}, and nothing was sent: send again to be asked again, or ${CHOOSE}.`,
  },
  {
    codes: ['NotFound'],
    code: 'model_not_found',
    say: (at) =>
      `VS Code no longer has ${at.model}: its extension was disabled or removed, or you are signed out there. ${KEPT}: sign in again, or ${CHOOSE}.`,
  },
  {
    codes: ['ChatQuotaExceeded', 'quota_exceeded', 'Blocked'],
    code: 'billing',
    say: (at, refusal) =>
      `${server(at)} in VS Code gives no more answers of ${at.model}: the plan's quota is used up, or Belay is blocked.${said(refusal)} ${KEPT}: look at your plan, or ${CHOOSE}.`,
  },
  {
    codes: ['ChatRateLimited', 'rate_limited'],
    code: 'rate_limited',
    say: (at) =>
      `${server(at)} in VS Code limits how often ${at.model} is asked. ${KEPT}: send again later, or ${CHOOSE}.`,
  },
  {
    text: /off[_ -]topic|responsible ai|content[_ ]filter|\bfiltered\b/i,
    code: 'refusal',
    say: (at, refusal) =>
      `${server(at)} in VS Code declined to answer.${said(refusal)} ${KEPT}: change your message, or ${CHOOSE}.`,
  },
  {
    text: /ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|fetch failed|net::ERR|network (?:error|changed)/i,
    code: 'network',
    say: (at, refusal) =>
      `${server(at)} in VS Code cannot be reached.${said(refusal)} ${KEPT}: check the network, then send again.`,
  },
];

/**
 * An error of the editor, or of the extension whose model it is, as a failure. `inAnswer`: parts of one had come;
 * `hasImages`: the request had some.
 */
export function editorFailure(
  thrown: unknown,
  at: Destination,
  { inAnswer, hasImages }: { readonly inAnswer: boolean; readonly hasImages: boolean },
): Failure {
  const refusal = refusalOf(thrown);
  const failure = failureFrom(refusal, at, RULES);
  if (failure.code !== 'api') return failure;
  // An image that VS Code cannot decode is thrown without a word.
  if (hasImages && refusal.text === '')
    return {
      code: 'image_rejected',
      message: `VS Code cannot read an image of this conversation. ${KEPT}: send it in another form, as PNG or JPEG.`,
      details: { problem: 'unreadable' },
    };
  // Nobody knows what it is: as the connection that breaks in the middle of an answer.
  if (!inAnswer) return failure;
  return {
    code: 'stream_broken',
    message: `The answer of ${at.model} broke off.${said(refusal)} ${KEPT}; nothing unfinished was run: send a message to go on.`,
  };
}

/** The failure in what was thrown: extensions throw anything, and Copilot puts status and JSON of the server into a text. */
function refusalOf(thrown: unknown): Refusal {
  const error = isError(thrown) ? thrown : { message: textOr(thrown) };
  const text = textOr(error.message);
  const http = /\b(?:failed|status|HTTP)[^\d\n]{0,12}([45]\d\d)\b\s*(\{[\s\S]*\})?/i.exec(text);
  const status = http === null ? undefined : Number(http[1]);
  const inner = refusalFrom(parsedJson(http?.[2] ?? ''), status === undefined ? {} : { status });
  const cause = isError(error.cause) ? textOr(error.cause.message) : '';
  const code = [error.code, error.name].find((one) => typeof one === 'string' && NAMED.test(one));
  return {
    ...(typeof code === 'string' ? { code } : {}),
    ...inner,
    text: inner.text || [text, cause].filter((one) => one !== '').join(': '),
  };
}

/** Names that say what happened; others are those of classes. */
const NAMED = /^(?!Error$|LanguageModelError$|Unknown$|TypeError$)\w+$/;

interface Thrown {
  readonly message?: unknown;
  readonly code?: unknown;
  readonly name?: unknown;
  readonly cause?: unknown;
}

const isError = (value: unknown): value is Thrown => value instanceof Error || isJsonObject(value);
