import { told, type Told } from '../../domain/text/told.ts';
import { type Failure, tells } from '../../domain/failure.ts';
import { isJsonObject } from '../../domain/data/json.ts';
import { parsedJson, textOr } from '../http/fields.ts';
import { failureFrom } from '../http/refusal/errors.ts';
import { refusalFrom } from '../http/refusal/refusal.ts';
import type { Destination, Refusal, Rule } from '../http/refusal/refusal.ts';
import { server } from '../http/refusal/refusal-rules.ts';

const said = ({ text }: Refusal): string | Told =>
  text === '' ? '' : told` It says: ${text.slice(0, 500)}`;

/** Refusals of VS Code and the extensions behind it, by the codes of `LanguageModelError` and Copilot's names. */
const RULES: readonly Rule[] = [
  {
    codes: ['NoPermissions'],
    code: 'permission',
    say: (at) =>
      told`VS Code does not let Belay use ${at.model}: the question for access was answered with no, or a policy forbids it. Everything so far is kept, and nothing was sent: send again to be asked again, or choose another model with “Belay: Choose Model”.`,
  },
  {
    codes: ['NotFound'],
    code: 'model_not_found',
    say: (at) =>
      told`VS Code no longer has ${at.model}: its extension was disabled or removed, or you are signed out there. Everything so far is kept: sign in again, or choose another model with “Belay: Choose Model”.`,
  },
  {
    codes: ['ChatQuotaExceeded', 'quota_exceeded', 'Blocked'],
    code: 'billing',
    say: (at, refusal) =>
      told`${server(at)} in VS Code gives no more answers of ${at.model}: the plan's quota is used up, or Belay is blocked.${said(refusal)} Everything so far is kept: look at your plan, or choose another model with “Belay: Choose Model”.`,
  },
  {
    codes: ['ChatRateLimited', 'rate_limited'],
    code: 'rate_limited',
    say: (at) =>
      told`${server(at)} in VS Code limits how often ${at.model} is asked. Everything so far is kept: send again later, or choose another model with “Belay: Choose Model”.`,
  },
  {
    text: /off[_ -]topic|responsible ai|content[_ ]filter|\bfiltered\b/i,
    code: 'refusal',
    say: (at, refusal) =>
      told`${server(at)} in VS Code declined to answer.${said(refusal)} Everything so far is kept: change your message, or choose another model with “Belay: Choose Model”.`,
  },
  {
    text: /ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|fetch failed|net::ERR|network (?:error|changed)/i,
    code: 'network',
    say: (at, refusal) =>
      told`${server(at)} in VS Code cannot be reached.${said(refusal)} Everything so far is kept: check the network, then send again.`,
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
      ...tells(
        told`VS Code cannot read an image of this conversation. Everything so far is kept: send it in another form, as PNG or JPEG.`,
      ),
      details: { problem: 'unreadable' },
    };
  // Nobody knows what it is: as the connection that breaks in the middle of an answer.
  if (!inAnswer) return failure;
  return {
    code: 'stream_broken',
    ...tells(
      told`The answer of ${at.model} broke off.${said(refusal)} Everything so far is kept; nothing unfinished was run: send a message to go on.`,
    ),
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
