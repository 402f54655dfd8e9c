import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';

/** Share of the window that `/compact` goes down to when the person names no number: half of where it happens by itself (C3). */
const TARGET_SHARE = 0.35;

export interface CompactWish {
  /** Tokens the next request is to have at most. */
  readonly targetTokens: number;
  /** They named the number. */
  readonly isNamed: boolean;
  readonly instruction?: string;
}

/**
 * Reads what follows `/compact` (D2): a target in tokens (`20,000`, `20k`, `to 20k`) or as a share of the window (`25%`),
 * then what to keep. Throws `invalid` for a target of nothing or more than the window.
 */
export function readCompactArgument(text: string, contextLimit: number): CompactWish {
  const { number, unit, rest = text } = TARGET.exec(text.trim())?.groups ?? {};
  const instruction = rest.replace(/^[\s,;:.]+/u, '').trim();
  const kept = instruction === '' ? {} : { instruction };
  if (number === undefined)
    return { targetTokens: Math.floor(TARGET_SHARE * contextLimit), isNamed: false, ...kept };
  const targetTokens = tokensOf(Number(number.replaceAll(',', '')), unit, contextLimit);
  if (targetTokens < 1 || targetTokens > contextLimit) {
    const message = told`/compact ${number}${unit ?? ''}: the target is to be between 1 and ${contextLimit} tokens, the context window. Nothing was changed.`;
    throw fault('invalid', message);
  }
  return { targetTokens, isNamed: true, ...kept };
}

/** Four digits or a unit make a target: the number of `/compact 3 files matter` counts files. */
const TARGET =
  /^(?:to\s+)?(?<number>\d{1,3}(?:,\d{3})+|\d{4,}|\d+(?:\.\d+)?(?=\s*(?:k\b|%|tokens?\b)))\s*(?<unit>k\b|%|tokens?\b)?(?:\s*tokens?\b)?(?<rest>(?:[\s,;:.][\s\S]*)?)$/iu;

function tokensOf(number: number, unit: string | undefined, contextLimit: number): number {
  if (unit === '%') return Math.floor((number / 100) * contextLimit);
  return Math.floor(unit?.toLowerCase() === 'k' ? number * 1000 : number);
}
