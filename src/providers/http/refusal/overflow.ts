import type { JsonObject } from '../../../domain/data/json.ts';
import { fieldOf, isPassing, type Refusal } from './refusal.ts';

/** Statuses of an overflow; an error within a stream has none. */
const STATUSES: ReadonlySet<number | undefined> = new Set([undefined, 400, 413, 422]);

/** Codes and types that mean an overflow: OpenAI and others, llama.cpp, Copilot, Z.ai. */
const CODES: readonly unknown[] = [
  'context_length_exceeded',
  'exceed_context_size_error',
  'model_max_prompt_tokens_exceeded',
  '1261',
];

/** Names of the conversation's size. A field such as `max_tokens` is none, and one `token` may be a credential. */
const SIZE = String.raw`(?:(?:prompt|input)_|(?<![a-z_]))tokens(?!_)|token[ _](?:count|limit|length)|(?:context|model)[ _](?:window|length|size|limit)|(?:maximum|max|available|model'?s) context|max_(?:model_len|seq_len)|context the overflow|上下文`;
/** Names of the conversation, which are also names of other things. */
const CONVERSATION = String.raw`(?<![\w'"])prompts?(?![[_\w])|(?<![\w'".])inputs?(?![[_\w.]| (?:should|value))|(?<![\w'"])messages(?![[_\w.])|conversation|提示|输入`;
/** Words that say that something is more than it may be. */
const EXCESS = String.raw`(?<!took )too (?:long|large|many|big)|exceed|(?:longer|larger|greater|bigger|more) than|overflow|reduce the length|range of|(?<=(?:context|prompt|input) (?:length|window|size)) (?:is|of) (?:only )?\d|超|过长`;

const near = (subject: string): RegExp =>
  new RegExp(
    `(?:${subject})[^\\n]{0,120}?(?:${EXCESS})|(?:${EXCESS})[^\\n:;.]{0,80}?(?:${subject})`,
    'iu',
  );
const SIZE_EXCEEDED = near(SIZE);
const CONVERSATION_EXCEEDED = near(CONVERSATION);
const HAS_SIZE = new RegExp(SIZE, 'iu');
const HAS_CONVERSATION = new RegExp(CONVERSATION, 'iu');

/** Other things that can be too long or too large. */
const OTHER_THING =
  /image|picture|pixel|audio|video|pdf|\bfiles?\b|document|attachment|\bbytes|\d ?[kmg]i?b\b|characters|\bstring|\burl|\btools?\b|function|schema|\bstop\b|header|\bbody\b|payload/iu;
/** Words for the answer and the thinking. A text that has them speaks of the conversation only if it names that, too. */
const ANSWER = /max_(?:\w+_)?tokens|output|completion|response|generat|thinking|reasoning|budget/iu;
const NAMES_CONVERSATION = /\b(?:prompt|inputs?(?! should)|messages|context|conversation)/iu;
/** Limits of an account, which a shorter conversation does not change. */
const ACCOUNT =
  /quota|allowance|credit|balance|billing|subscription|\b(?:daily|monthly|weekly|hourly)\b|\bper (?:second|min|hour|day|month)|\b[TR]P[MD]\b/iu;

/**
 * Returns whether the conversation is longer than the model takes: a known code, or words for its size or for the
 * conversation near words for too much, or two counts of which one is larger than the limit.
 */
export function isOverflow(refusal: Refusal): boolean {
  const { status, code, type, details, text } = refusal;
  if (!STATUSES.has(status) || isPassing(refusal)) return false;
  if ([code, type, fieldOf(details, 'error_code')].some((one) => CODES.includes(one))) return true;
  if (ACCOUNT.test(text) || (ANSWER.test(text) && !NAMES_CONVERSATION.test(text))) return false;
  if (SIZE_EXCEEDED.test(text)) return true;
  const isOther = OTHER_THING.test(text);
  if (CONVERSATION_EXCEEDED.test(text) && !isOther) return true;
  const isSize = HAS_SIZE.test(text) || (HAS_CONVERSATION.test(text) && !isOther);
  return isSize && readTokenCounts(text)['limit'] !== undefined;
}

/**
 * Returns whether one request needs more tokens than a rate limit ever allows: waiting does not help, a shorter
 * conversation does. “Limit 30000, Used 29000, Requested 2000” is not one.
 */
export function isTooLargeForRate({ status, text }: Refusal): boolean {
  if (status !== 429 && !STATUSES.has(status)) return false;
  if (!ACCOUNT.test(text) && status !== 429) return false;
  if (!/tokens|\bTP[MD]\b/iu.test(text)) return false;
  const [limit = 0] = countsAfter(String.raw`\blimit\b`, text);
  const requested = countsAfter(String.raw`\brequest(?:ed)?\b(?![ _-]?id)`, text);
  return limit > 0 && requested.some((count) => count > limit);
}

const COUNT = String.raw`(?<![\w.-])(\d{1,3}(?:[,_]\d{3})+|\d{1,8})(?![\w-]|[.,]\d)`;

/** The first count after each match of the words, up to 40 characters later. */
function countsAfter(words: string, text: string): readonly number[] {
  const pattern = new RegExp(`(?:${words})[^\\d\\n]{0,40}?${COUNT}`, 'giu');
  return [...text.matchAll(pattern)].map(([, count = '']) => toNumber(count));
}

const toNumber = (count: string): number => Number(count.replaceAll(/[,_]/gu, ''));

const LIMIT_WORDS = String.raw`limit|max(?:imum)?|at most|up to|(?:less|longer|larger|greater|bigger|more) than|exceed(?:s|ed)?|only|<=?|>`;

/** Reads the two token counts of a refusal; empty unless one is larger than the limit. */
export function readTokenCounts(text: string): JsonObject {
  const limit = Math.min(...countsAfter(LIMIT_WORDS, text));
  const unused = text.replaceAll(/\bused\b\D{0,10}[\d,_]+/giu, '');
  const counts = [...unused.matchAll(new RegExp(COUNT, 'gu'))].map(([, count = '']) =>
    toNumber(count),
  );
  const larger = counts.filter((count) => count > limit);
  return larger.length === 0 ? {} : { promptTokens: Math.max(...larger), limit };
}
