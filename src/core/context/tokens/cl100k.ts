import type { CountTokens } from './estimate.ts';

/**
 * Characters counted at once: the tokenizer is quadratic in unbroken runs of letters (20,000 Chinese characters took
 * 2.4 s). A cut costs a token at most.
 */
const SLICE = 1000;
/** A slice ends at white space where there is some in its last part. */
const SEARCH = 300;
/** Slice for text without white space: Chinese, base64, minified code. */
const UNBROKEN_SLICE = 250;

/** The end of the slice that starts at `from`: before white space, so that words stay whole. */
function endOfSlice(text: string, from: number): number {
  if (text.length - from <= UNBROKEN_SLICE) return text.length;
  const furthest = Math.min(from + SLICE, text.length);
  for (let index = furthest - 1; index > furthest - SEARCH && index > from; index -= 1) {
    const unit = text.charCodeAt(index);
    if (unit === 32 || unit === 10) return index;
  }
  return Math.min(from + UNBROKEN_SLICE, text.length);
}

/** Loads cl100k_base (C12) when a count first matters: a quarter of a second and 25 MB. */
export async function loadCl100k(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/cl100k_base');
  // Text that looks like a special token is text.
  const options = { disallowedSpecial: new Set<string>() };
  return (text) => {
    let tokens = 0;
    for (let from = 0; from < text.length;) {
      const end = endOfSlice(text, from);
      tokens += countTokens(text.slice(from, end), options);
      from = end;
    }
    return tokens;
  };
}
