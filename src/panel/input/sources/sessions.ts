import * as l10n from '@vscode/l10n';
import { recordText } from '../../../core/context/record-text.ts';
import type { Transcripts } from '../../../core/ports/store/transcripts.ts';
import type { MentionReader } from '../../../core/tool-call/mention-reader.ts';
import { makeVisible } from '../../../domain/text/honest-text.ts';
import { fuzzyScore } from '../../../domain/text/fuzzy-score.ts';
import type { PanelSessions } from '../../services.ts';
import { mentionRow, tokensOfCharacters, type MentionSource } from '../source.ts';

const MOST = 5;
/** Characters of another session's record. */
const MOST_TEXT = 30_000;
const LABEL = 40;
/** Files come first. */
const BEHIND_FILES = -300;

/** Past sessions, by their titles; the model gets their record, shortened. */
export function sessionSource(
  sessions: Pick<PanelSessions, 'list'>,
  transcripts: Pick<Transcripts, 'messages'>,
  reader: Pick<MentionReader, 'bySource'>,
  open: (sessionId: string) => Promise<void>,
): MentionSource {
  return {
    id: 'session',
    trigger: '@',
    search: async (query, _, byKind) => {
      if (query === '' && byKind !== true) return [];
      return (await sessions.list())
        .filter(({ type }) => type === 'main')
        .flatMap(({ id, title, updatedAt }) => {
          const worth =
            query === '' ? updatedAt : fuzzyScore(query, `session/${title.replaceAll('/', ' ')}`);
          if (worth === undefined) return [];
          const label = makeVisible(title).slice(0, LABEL);
          const detail = l10n.t('Session of {0}', new Date(updatedAt).toISOString().slice(0, 10));
          return [
            {
              worth,
              mention: { source: 'session', ref: id, label, detail, icon: 'comment-discussion' },
            },
          ];
        })
        .toSorted((left, right) => right.worth - left.worth)
        .slice(0, MOST)
        .map(({ mention, worth }) => mentionRow(mention, worth + BEHIND_FILES));
    },
    take: (ref, sessionId) =>
      reader.bySource(
        'past_session',
        async () => {
          const messages = await transcripts.messages({ sessionId: ref });
          const text =
            messages.length === 0
              ? 'This session is no longer there.'
              : `The record of a past session:\n${recordText(messages, MOST_TEXT)}`;
          return { content: [{ type: 'text', text }] };
        },
        sessionId,
      ),
    weigh: async (ref) =>
      tokensOfCharacters(
        recordText(await transcripts.messages({ sessionId: ref }), MOST_TEXT).length,
      ),
    open,
  };
}
