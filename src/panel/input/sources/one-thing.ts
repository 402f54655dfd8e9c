import type { ResultContent } from '../../../domain/message.ts';
import { fuzzyScore } from '../../../domain/text/fuzzy-score.ts';
import { mentionRow, type MentionSource, type ScoredRow } from '../source.ts';

export interface OneThing {
  readonly id: string;
  readonly label: string;
  readonly icon: string;
  /** Words by which people look for it, beside its label. */
  readonly words: string;
  /** One line of explanation; `undefined`: there is nothing of it now. */
  readonly detail: () => Promise<string | undefined> | string | undefined;
  readonly take: (sessionId: string) => Promise<readonly ResultContent[]>;
  readonly weigh?: () => Promise<number | null>;
  readonly open?: () => Promise<void>;
}

/** Worth before anything was typed: in front of files, in the order of the sources. */
const FIRST = 3000;
const BEFORE_FILES = 250;

/** A source with one thing to mention: the problems, what git has changed. */
export function oneThing(thing: OneThing): MentionSource {
  const { id, label, icon, words, open } = thing;
  return {
    id,
    trigger: '@',
    search: async (query): Promise<readonly ScoredRow[]> => {
      const worth = query === '' ? FIRST : fuzzyScore(query, `${words}/${label}`);
      if (worth === undefined) return [];
      const detail = await thing.detail();
      if (detail === undefined) return [];
      return [mentionRow({ source: id, ref: '', label, detail, icon }, worth + BEFORE_FILES)];
    },
    take: async (_, sessionId) => thing.take(sessionId),
    weigh: async () => thing.weigh?.() ?? null,
    ...(open === undefined ? {} : { open: async () => open() }),
  };
}
