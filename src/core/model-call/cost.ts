import type { Usage } from '../../domain/message.ts';
import type { ModelPrices } from '../../domain/models/model.ts';

/** The time that the provider keeps what is written to its prompt cache. */
export type CacheTtl = '5m' | '1h';

/** US dollars that the prompt cache saved in a call; below 0 where writing to it cost more. */
export function savedByCache(usage: Usage, prices: ModelPrices, cacheTtl: CacheTtl = '5m'): number {
  const { inputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const uncached = {
    ...usage,
    inputTokens: inputTokens + cacheReadTokens + cacheWriteTokens,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
  };
  return costOf(uncached, prices, cacheTtl) - costOf(usage, prices, cacheTtl);
}

/** US dollars of one model call (B12): each kind of token has its own price. */
export function costOf(usage: Usage, prices: ModelPrices, cacheTtl: CacheTtl = '5m'): number {
  const promptTokens = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  let valid = prices;
  while (valid.longPrompt !== undefined && promptTokens > valid.longPrompt.aboveTokens)
    valid = valid.longPrompt.prices;
  const writePrice =
    cacheTtl === '1h' ? (valid.cacheWriteHour ?? valid.cacheWrite) : valid.cacheWrite;
  const millionths =
    usage.inputTokens * valid.input +
    usage.outputTokens * valid.output +
    usage.cacheReadTokens * valid.cacheRead +
    usage.cacheWriteTokens * writePrice;
  return millionths / 1_000_000;
}
