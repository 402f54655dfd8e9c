import type { Settings } from '../../domain/settings/settings.ts';

/** Tokens that a request to a model may have: its window, or what the person says of it. */
export function contextLimitOf(settings: Settings, window: number): number {
  return settings('model.contextLimit') || window;
}

/**
 * Tokens at which a compaction is due by itself (C3): a share of the window, or fewer where the person says so.
 * `Infinity`: never (E5).
 */
export function compactionPoint(settings: Settings, contextLimit: number): number {
  if (settings('context.strategy') !== 'summarize') return Infinity;
  const absolute = settings('advanced.compactAtTokens');
  const share = settings('context.compactAt') * contextLimit;
  return absolute > 0 ? Math.min(share, absolute) : share;
}
