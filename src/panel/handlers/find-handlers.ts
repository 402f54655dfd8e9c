import { countMatches, findPattern } from '../../domain/text/find-pattern.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';
import { readableText } from '../../domain/text/readable-text.ts';
import { readChangeComment } from '../../domain/review/change-comment.ts';
import type { RequestHandlers } from '../../protocol/requests.ts';
import type { MessageView } from '../../protocol/view.ts';
import type { PanelRecords } from '../services.ts';
import type { PanelControl } from './panel-control.ts';

/** Hits of a search at most. */
const SEARCH_HITS = 200;
/** Requests of one session that are marked beside it, and characters of each. */
const PROMPTS = 2000;
const LINE = 120;
/** Messages that the arrow keys bring back: of this session, and of all others. */
const HISTORY = 100;

type FindRequest = 'searchSessions' | 'findInSession' | 'listPrompts' | 'promptHistory';

/** Requests that look for something in what is on record. */
export function findHandlers(
  control: PanelControl,
  { transcripts }: Pick<PanelRecords, 'transcripts'>,
): Pick<RequestHandlers, FindRequest> {
  return {
    searchSessions: async ({ query }) => {
      const { hits, complete } = await transcripts.search(query, SEARCH_HITS);
      const visible = hits.map(({ pieces, messageSeq: seq, ...hit }) => ({
        ...hit,
        seq,
        pieces: pieces.map((piece) => ({ ...piece, text: makeVisible(piece.text) })),
      }));
      return { hits: visible, complete };
    },
    findInSession: async ({ sessionId, query, matchCase }) => {
      const stored = await transcripts.find({ sessionId, query, matchCase });
      const { id, messages } = control.session.view;
      // An answer that is being written is not on record yet.
      const open = id === sessionId ? messages.filter((message) => message.open) : [];
      const pattern = findPattern(query, matchCase);
      const live = open
        .map((message) => ({
          seq: message.seq,
          id: message.id,
          hits: countMatches(textOf(message), pattern),
        }))
        .filter((place) => place.hits > 0 && !stored.some((one) => one.id === place.id));
      return { places: [...stored, ...live] };
    },
    listPrompts: async ({ sessionId }) => {
      const found = await transcripts.prompts({ sessionId, others: false, limit: PROMPTS });
      const prompts = found.toReversed().map(({ seq, id, text }) => {
        const said = readChangeComment(text)?.comment ?? text;
        const [line = ''] = said.trimStart().split('\n', 1);
        return { seq, id, line: makeVisible(line.slice(0, LINE)) };
      });
      return { prompts };
    },
    promptHistory: async ({ sessionId }) => {
      const read = async (others: boolean) =>
        transcripts.prompts({ sessionId: sessionId ?? '', others, limit: HISTORY });
      const own = sessionId === null ? [] : await read(false);
      const texts = [...own, ...(await read(true))]
        .map(({ text }) => text)
        .filter((text) => text.trim() !== '' && readChangeComment(text) === undefined);
      return { texts: [...new Set(texts)] };
    },
  };
}

const textOf = ({ parts }: MessageView): string =>
  parts
    .flatMap((part) =>
      part.type === 'text' || part.type === 'reasoning' ? [readableText(part.text)] : [],
    )
    .join('\n');
