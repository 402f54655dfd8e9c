import type { Message } from '../../../domain/message.ts';
import type { Compaction } from '../../../domain/session/session.ts';
import type { CompactionRequest } from './compaction-request.ts';
import type { TokenEstimator } from '../tokens/estimate.ts';
import { safeCutBefore, safeCuts } from '../pairs.ts';
import { withShortTexts, withShortTools } from './shorten.ts';
import { isRequest, windowOf } from '../window.ts';

export interface Cut {
  /** Messages the summary stands for, besides those of the earlier summary. */
  readonly older: readonly Message[];
  /** Messages that stay word for word. */
  readonly kept: number;
  readonly throughSeq: number;
  readonly resultLimit?: NonNullable<Compaction['resultLimit']> | undefined;
  readonly requestLimit?: number | undefined;
}

/** Tokens set aside for the new summary: share of the window. */
const SUMMARY_SHARE = 0.04;
/** Share of the target that a first request is cut to, when the whole of it leaves no room for a later one. */
const REQUEST_SHARE = 0.2;
const CHARACTERS_PER_TOKEN = 4;
/** Characters that kept results are shortened to, in this order, until the target is met. */
const RESULT_CHARACTERS = [20_000, 10_000, 5000, 2500, 1000, 400];

/**
 * Chooses what is summarized: all but the last `keep` messages, fewer with a target; pairs are
 * never split. The last exchange and the first request always stay, shortened where it takes that.
 * `undefined`: there is nothing to do.
 */
export async function chooseCut(
  request: Pick<
    CompactionRequest,
    'messages' | 'compaction' | 'keep' | 'targetTokens' | 'contextLimit' | 'overheadTokens'
  >,
  estimator: TokenEstimator,
): Promise<Cut | undefined> {
  const { compaction, keep, targetTokens } = request;
  const window = windowOf({ messages: request.messages, compaction });
  const head = window.messages.slice(0, window.fixed);
  const tail = window.messages.slice(window.fixed);
  const start = Math.max(compaction?.throughSeq ?? 0, head.at(-1)?.seq ?? 0);
  const safe = safeCuts(tail);
  const first = safeCutBefore(safe, tail.length - keep);
  const at = (cut: number, characters?: number, limit = compaction?.requestLimit): Cut => {
    const throughSeq = cut === 0 ? start : (tail[cut - 1] as Message).seq;
    const resultLimit = limitOf(compaction, throughSeq, tail.at(-1)?.seq ?? 0, characters);
    return {
      older: tail.slice(0, cut),
      kept: tail.length - cut,
      throughSeq,
      resultLimit,
      requestLimit: limit,
    };
  };
  if (targetTokens === undefined) return first === 0 ? undefined : at(first);
  if (tail.length === 0) return undefined;

  const besides = request.overheadTokens + SUMMARY_SHARE * request.contextLimit;
  const last = safeCutBefore(safe, tail.length - 1);
  const whole = targetTokens - besides - (await estimator.measure(head));
  const found = await cutFor(tail, { safe, first, last, room: whole }, estimator);
  if (found !== undefined) return at(found);
  const limit = requestLimitFor(request.messages, targetTokens);
  if (limit === undefined) return at(last, await charactersFor(tail.slice(last), whole, estimator));
  const short = head.map((message) =>
    isRequest(message) ? withShortTexts(message, limit) : message,
  );
  const room = targetTokens - besides - (await estimator.measure(short));
  if (room === whole) return at(last, await charactersFor(tail.slice(last), whole, estimator));
  const shorter = await cutFor(tail, { safe, first, last, room }, estimator);
  if (shorter !== undefined) return at(shorter, undefined, limit);
  return at(last, await charactersFor(tail.slice(last), room, estimator), limit);
}

/** The first place to cut from which the rest fits into `room` tokens. */
async function cutFor(
  tail: readonly Message[],
  { safe, first, last, room }: Places,
  estimator: TokenEstimator,
): Promise<number | undefined> {
  let tokens = await estimator.measure(tail.slice(first));
  for (let cut = first; cut <= last; cut += 1) {
    if (safe[cut] === true && cut > 0 && tokens <= room) return cut;
    tokens -= await estimator.measure(tail.slice(cut, cut + 1));
  }
  return undefined;
}

interface Places {
  readonly safe: readonly boolean[];
  readonly first: number;
  readonly last: number;
  /** Tokens. */
  readonly room: number;
}

/** A first request is only shortened for a later one: alone it is the task. */
function requestLimitFor(messages: readonly Message[], targetTokens: number): number | undefined {
  const [, later] = messages.filter(isRequest);
  return later === undefined
    ? undefined
    : Math.floor(REQUEST_SHARE * targetTokens * CHARACTERS_PER_TOKEN);
}

/** The length of short results with which the messages take at most `room` tokens, or the least. */
async function charactersFor(
  kept: readonly Message[],
  room: number,
  estimator: TokenEstimator,
): Promise<number> {
  for (const characters of RESULT_CHARACTERS) {
    const short = kept.map((message) => withShortTools(message, characters));
    if ((await estimator.measure(short)) <= room) return characters;
  }
  return RESULT_CHARACTERS.at(-1) ?? 0;
}

/** A text that was shortened stays so while it is kept; a new limit covers everything kept. */
function limitOf(
  earlier: Compaction | undefined,
  throughSeq: number,
  lastSeq: number,
  characters: number | undefined,
): Compaction['resultLimit'] {
  const carried = earlier?.resultLimit;
  const still = carried !== undefined && carried.throughSeq > throughSeq ? carried : undefined;
  if (characters === undefined) return still;
  return { throughSeq: lastSeq, characters: Math.min(characters, still?.characters ?? characters) };
}
