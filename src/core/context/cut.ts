import type { Message } from '../../domain/message.ts';
import type { Compaction } from '../../domain/session.ts';
import type { CompactionRequest } from './compact.ts';
import type { TokenEstimator } from './estimate.ts';
import { safeCutBefore, safeCuts } from './pairs.ts';
import { withShortTools } from './shorten.ts';
import { windowOf } from './window.ts';

/** Where a compaction cuts. */
export interface Cut {
  /** Messages the summary stands for, besides those of the earlier summary. */
  readonly older: readonly Message[];
  /** Messages that stay word for word. */
  readonly kept: number;
  readonly throughSeq: number;
  readonly resultLimit?: NonNullable<Compaction['resultLimit']>;
}

/** Tokens set aside for the new summary: share of the window. */
const SUMMARY_SHARE = 0.04;
/** Characters that kept results are shortened to, in this order, until the target is met. */
const RESULT_CHARACTERS = [20_000, 10_000, 5000, 2500, 1000, 400];

/**
 * Chooses what is summarized: everything but the last `keep` messages, never splitting a pair. With a
 * target, fewer are kept until it is met; the last exchange always stays, with its results shortened
 * where that is what it takes. `undefined`: there is nothing to do.
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
  const at = (cut: number, characters?: number): Cut => {
    const throughSeq = cut === 0 ? start : (tail[cut - 1] as Message).seq;
    const resultLimit = limitOf(compaction, throughSeq, tail.at(-1)?.seq ?? 0, characters);
    return {
      older: tail.slice(0, cut),
      kept: tail.length - cut,
      throughSeq,
      ...(resultLimit === undefined ? {} : { resultLimit }),
    };
  };
  if (targetTokens === undefined) return first === 0 ? undefined : at(first);
  if (tail.length === 0) return undefined;

  const fixed =
    request.overheadTokens + SUMMARY_SHARE * request.contextLimit + (await estimator.measure(head));
  const last = safeCutBefore(safe, tail.length - 1);
  let tokens = fixed + (await estimator.measure(tail.slice(first)));
  for (let cut = first; cut <= last; cut += 1) {
    if (safe[cut] === true && cut > 0 && tokens <= targetTokens) return at(cut);
    tokens -= await estimator.measure(tail.slice(cut, cut + 1));
  }
  return at(last, await charactersFor(tail.slice(last), targetTokens - fixed, estimator));
}

/** How short results must be so that the messages take at most `room` tokens; the least when nothing helps. */
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

/** What was shortened stays so for as long as it is kept; a new limit covers everything kept. */
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
