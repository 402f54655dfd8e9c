import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { findPattern } from '../../../src/domain/text/find-pattern.ts';
import { readableText } from '../../../src/domain/text/readable-text.ts';
import type { Panel } from '../../panel.ts';
import type { MessageEntry } from '../../transcript.ts';
import { hitOf } from '../find/find-marks.ts';
import { findRanges } from '../find/find-ranges.ts';
import { messageRow } from './message-row.ts';
import type { Scroller } from '../scrolling/scroller.ts';

/** Messages before the one that is gone to which are loaded with it. */
const BEFORE = 20;
/** The share of the height above what is gone to. */
const ABOVE = 0.3;
/** Looks until everything around has the height that it really has. */
const LOOKS = 6;

interface Place {
  readonly panel: Panel;
  readonly box: RefObject<HTMLElement | null>;
  readonly scroller: RefObject<Scroller | null>;
}

/** Goes to messages that are wished for, loaded or not; says whether all rows are to be rendered for it. */
export function useGoTo({ panel, box, scroller }: Place): boolean {
  const wish = panel.conversation.goTo.value;
  const [whole, setWhole] = useState(false);
  useEffect(() => {
    if (wish === null) return undefined;
    const gone = new AbortController();
    const go = async (): Promise<void> => {
      const entry = await loaded(panel, wish.seq);
      if (entry === undefined || gone.signal.aborted) return;
      setWhole(true);
      unfold(panel, entry);
      for (let look = 0; look < LOOKS; look += 1) {
        await new Promise(requestAnimationFrame);
        if (box.current === null || gone.signal.aborted) return;
        scroller.current?.restore({
          messageId: entry.id,
          offset: offsetOf(panel, box.current, entry.id, wish.nth),
        });
      }
    };
    void go();
    return () => gone.abort();
  }, [wish]);
  return whole;
}

/** The entry of a message; what is not there is loaded in the place of what is. */
async function loaded(panel: Panel, seq: number): Promise<MessageEntry | undefined> {
  const { transcript, session } = panel.store;
  const entryOf = (): MessageEntry | undefined =>
    transcript.entries.peek().find((entry) => entry.seq === seq);
  const sessionId = session.id.peek();
  if (entryOf() !== undefined || sessionId === null) return entryOf();
  const afterSeq = Math.max(0, seq - 1 - BEFORE);
  const page = await panel.host.ask('loadNewer', { sessionId, afterSeq });
  if (page === undefined || session.id.peek() !== sessionId) return undefined;
  transcript.jump(page.messages, afterSeq > 0, page.hasNewer);
  if (!page.hasNewer) panel.host.resync();
  return entryOf();
}

/** Unfolds what hides hits: long requests, what others said to the model, thinking. */
function unfold({ conversation }: Panel, entry: MessageEntry): void {
  const { find } = conversation;
  conversation.fold(`request/${entry.id}`, true);
  if (!find.open.peek()) return;
  conversation.fold(`aside/${entry.id}`, true);
  const pattern = findPattern(find.query.peek(), find.matchCase.peek());
  for (const [index, part] of entry.parts.peek().entries()) {
    const view = part.peek();
    const key = `${entry.id}/${index}`;
    if (view.type === 'reasoning' && readableText(view.text).search(pattern) >= 0)
      conversation.fold(key, true);
  }
}

/** Pixels from the row's top to the top of the box, so that the hit is well in sight. */
function offsetOf(panel: Panel, box: HTMLElement, id: string, nth: number | null): number {
  const room = -box.clientHeight * ABOVE;
  const row = messageRow(box, id);
  if (row === null || nth === null) return row === null ? 0 : room / 4;
  const { query, matchCase } = panel.conversation.find;
  const ranges = findRanges(row, findPattern(query.peek(), matchCase.peek()));
  const hit = hitOf(ranges, nth)?.getBoundingClientRect();
  if (hit === undefined || hit.height === 0) return room / 4;
  return hit.top - row.getBoundingClientRect().top + room;
}
