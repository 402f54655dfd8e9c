import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { SessionRow } from '../../../src/protocol/snapshot.ts';
import type { SearchHit } from '../../../src/protocol/view.ts';
import { usePanel, type Panel } from '../../panel.ts';
import { ago } from '../../texts/words.ts';
import { plural } from '../../../src/domain/text/language.ts';

/** Full-text search begins when typing pauses this long, in milliseconds. */
const PAUSE = 150;

/** The findings of a search, by session. */
export interface Findings {
  readonly query: string;
  readonly hits: ReadonlyMap<string, readonly SearchHit[]>;
  /** `false`: older messages are still being made findable. */
  readonly complete: boolean;
}

const NOTHING: Findings = { query: '', hits: new Map(), complete: true };

/** Searches all messages of all sessions while the person types. */
export function useSearch(panel: Panel, query: string): Findings {
  const [found, setFound] = useState(NOTHING);
  useEffect(() => {
    if (query === '') {
      setFound(NOTHING);
      return undefined;
    }
    let current = true;
    const search = async (): Promise<void> => {
      const answer = await panel.host.ask('searchSessions', { query });
      if (!current || answer === undefined) return;
      const hits = Map.groupBy(answer.hits, ({ sessionId }) => sessionId);
      setFound({ query, hits, complete: answer.complete });
    };
    const timer = setTimeout(() => void search(), PAUSE);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [query]);
  return found;
}

/** Sessions whose title has all words, or in which something was found. */
export function matching(
  rows: readonly SessionRow[],
  query: string,
  { hits }: Findings,
): readonly SessionRow[] {
  if (query === '') return rows;
  const words = query.toLowerCase().split(/\s+/u);
  return rows.filter((row) => {
    const title = row.title.toLowerCase();
    return hits.has(row.id) || words.every((word) => title.includes(word));
  });
}

interface HitsProps {
  readonly row: SessionRow;
  readonly findings: Findings;
}

/** The places in a session at which something was found; a click goes there. */
export function Hits({ row, findings }: HitsProps): ComponentChildren {
  const hits = (findings.hits.get(row.id) ?? []).filter(({ seq }) => seq > 0);
  const [first] = hits;
  if (first === undefined) return null;
  const more = first.hits - hits.length;
  return (
    <ul class="session-hits">
      {hits.map((hit) => (
        <li key={hit.seq}>
          <HitButton hit={hit} query={findings.query} />
        </li>
      ))}
      {more > 0 && (
        <li class="quiet">{plural(more, 'and {0} more message', 'and {0} more messages')}</li>
      )}
    </ul>
  );
}

function HitButton({
  hit,
  query,
}: {
  readonly hit: SearchHit;
  readonly query: string;
}): ComponentChildren {
  const panel = usePanel();
  const who = hit.role === 'user' ? l10n.t('You') : 'Belay';
  const open = async (): Promise<void> => {
    const { sessionId, seq } = hit;
    panel.page.value = 'conversation';
    if (panel.store.session.id.peek() !== sessionId) {
      const opened = await panel.host.ask('openSession', { sessionId });
      if (opened === undefined) return;
    }
    panel.conversation.find.show(query, seq);
  };
  return (
    <button type="button" class="session-hit" onClick={() => void open()}>
      <span class="session-excerpt">
        {hit.pieces.map((piece, index) =>
          piece.hit ? <mark key={index}>{piece.text}</mark> : piece.text,
        )}
      </span>
      <span class="session-facts">{`${who} · ${ago(hit.at, panel.store.clock.now())}`}</span>
    </button>
  );
}
