import type { Log } from '../../../src/core/ports/log.ts';
import type { SessionOptions } from '../../../src/core/run/agent-service.ts';
import type { WindowShares } from '../../../src/domain/models/window-shares.ts';
import type { PanelReviewing } from '../../../src/panel/services.ts';

/** The fill of the window, in tokens. */
export const SHARES: WindowShares = {
  tokens: {
    instructions: 2100,
    tools: 9400,
    'mcp tools': 12_300,
    summary: 0,
    messages: 18_000,
    mentions: 3200,
    'tool results': 61_000,
    pictures: 1600,
  },
  older: 71_000,
};

/** The options of a new session. */
export const OPTIONS: Required<SessionOptions> = {
  model: 'claude-sonnet-5',
  mode: 'ask',
  thinking: 'off',
  persona: '',
};

/** Nothing is on record about any change. */
export const NO_EVIDENCE: PanelReviewing['evidence'] = {
  known: () => undefined,
  of: async () => [],
  onLearned: () => ({ dispose: () => undefined }),
};

/** Writes each line down, with its level. */
export function stageLog(logged: string[]): Log {
  const line =
    (level: string) =>
    (message: string, thrown?: unknown): void => {
      const more = thrown instanceof Error ? ` ${thrown.message}` : '';
      logged.push(`${level}: ${message}${more}`);
    };
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}
