import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CompactionView, SavedView } from '../../../src/protocol/view.ts';
import { usePanel } from '../../panel.ts';
import type { MessageEntry } from '../../transcript.ts';
import type { ViewState } from '../../view-state.ts';
import { FindBar } from '../find/find-bar.tsx';
import { useFindMarks } from '../find/use-find-marks.ts';
import { useGoTo } from './go-to.ts';
import { Compaction } from './compaction.tsx';
import { Icon } from '../elements/icon.tsx';
import type { ScrollerElements } from '../scrolling/look.ts';
import { Row } from './row.tsx';
import { later } from '../elements/later.tsx';
import { Scroller } from '../scrolling/scroller.ts';

const PromptTimeline = later(async () => (await import('./prompt-timeline.tsx')).PromptTimeline);

/** Messages rendered at once when a session is opened, the last ones: enough to fill the panel. */
const FIRST = 8;
/** Messages rendered in each later frame at most. */
const SLICE = 8;
/** Milliseconds that rendering them may take: half a frame is left for layout and paint. */
const BUDGET = 5;

/** The conversation: the rows, kept at the end while an answer grows. */
export function Conversation({
  viewState,
  children,
}: {
  readonly viewState: ViewState;
  /** The content behind the last message. */
  readonly children: ComponentChildren;
}): ComponentChildren {
  const panel = usePanel();
  const { transcript, session } = panel.store;
  const box = useRef<HTMLDivElement>(null);
  const scroller = useRef<Scroller>(null);
  const [away, setAway] = useState(false);
  const entries = transcript.entries.value;
  const shown = panel.store.saved.shown.value;
  const whole = useGoTo({ panel, box, scroller });
  const mounted = useMounted(entries, shown, whole);

  useEffect(() => {
    const elements = elementsOf(box.current);
    if (elements === undefined) return undefined;
    const created = new Scroller(elements, {
      onAway: setAway,
      onPlace: (scroll) => viewState.change({ scroll }),
      onNearStart: () => loadOlder(),
      onNearEnd: () => loadNewer(),
    });
    scroller.current = created;
    return () => created.dispose();
  }, []);
  useEffect(() => scroller.current?.restore(shown.scroll), [shown]);
  useFindMarks(panel, box);
  const wish = panel.conversation.toEnd.value;
  useEffect(() => {
    if (wish > 0) toEnd();
  }, [wish]);

  const loadOlder = async (): Promise<void> => {
    const first = transcript.entries.peek()[0];
    const sessionId = session.id.peek();
    if (!transcript.hasOlder.peek() || first === undefined || sessionId === null) return;
    const page = await panel.host.ask('loadOlder', { sessionId, beforeSeq: first.seq });
    if (page === undefined || session.id.peek() !== sessionId) return;
    scroller.current?.keepPlace(() => transcript.prepend(page.messages, page.hasOlder));
  };
  const loadNewer = async (): Promise<void> => {
    const last = transcript.entries.peek().at(-1);
    const sessionId = session.id.peek();
    if (!transcript.hasNewer.peek() || last === undefined || sessionId === null) return;
    const page = await panel.host.ask('loadNewer', { sessionId, afterSeq: last.seq });
    if (page === undefined || session.id.peek() !== sessionId) return;
    transcript.append(page.messages, page.hasNewer);
    // A streamed message is not on record yet: the host knows it.
    if (!page.hasNewer) panel.host.resync();
  };
  const toEnd = (): void => {
    if (transcript.hasNewer.peek()) {
      transcript.leave();
      panel.host.resync();
    }
    scroller.current?.toEnd();
  };
  return (
    <div class="conversation">
      <FindBar />
      <div class="scroll" ref={box} tabIndex={0} role="region" aria-label={l10n.t('Conversation')}>
        <div class="rows">
          {transcript.hasOlder.value && (
            <button type="button" class="link older" onClick={() => void loadOlder()}>
              {l10n.t('Show older messages')}
            </button>
          )}
          <Rows entries={mounted} compactions={session.compactions.value} />
          {children}
        </div>
        <div class="floor" aria-hidden="true" />
      </div>
      <PromptTimeline box={box} />
      {(away || transcript.hasNewer.value) && entries.length > 0 && <ToEnd onClick={toEnd} />}
    </div>
  );
}

function ToEnd({ onClick }: { readonly onClick: () => void }): ComponentChildren {
  return (
    <button
      type="button"
      class="to-end"
      title={l10n.t('Jump to the latest message')}
      onClick={onClick}
    >
      <Icon name="arrow-down" />
      <span>{l10n.t('Latest')}</span>
    </button>
  );
}

/** The box's frame, content and floor, as they stand around and in it. */
function elementsOf(box: HTMLElement | null): ScrollerElements | undefined {
  const [content, floor] = box?.children ?? [];
  const frame = box?.parentElement ?? undefined;
  if (box === null || frame === undefined) return undefined;
  if (!(content instanceof HTMLElement && floor instanceof HTMLElement)) return undefined;
  return { frame, box, content, floor };
}

/** The entries rendered so far: some more each frame, from the end upwards. */
function useMounted(
  entries: readonly MessageEntry[],
  shown: SavedView,
  whole: boolean,
): readonly MessageEntry[] {
  const state = useRef({
    shown: undefined as SavedView | undefined,
    limit: FIRST,
    slice: SLICE,
    begun: 0,
  });
  const [, step] = useState(0);
  if (state.current.shown !== shown) {
    state.current = {
      shown,
      limit: shown.scroll !== null ? Number.POSITIVE_INFINITY : FIRST,
      slice: SLICE,
      begun: 0,
    };
  }
  if (whole) state.current.limit = Number.POSITIVE_INFINITY;
  const { limit } = state.current;
  const behind = entries.length > limit;
  useLayoutEffect(() => {
    const { current } = state;
    if (current.begun === 0) return;
    const took = performance.now() - current.begun;
    current.begun = 0;
    current.slice = Math.max(
      1,
      Math.min(SLICE, Math.round((current.slice * BUDGET) / Math.max(took, 0.5))),
    );
  });
  useEffect(() => {
    if (!behind) return undefined;
    const frame = requestAnimationFrame(() => {
      state.current.limit += state.current.slice;
      state.current.begun = performance.now();
      step((count) => count + 1);
    });
    return () => cancelAnimationFrame(frame);
  });
  return behind ? entries.slice(-limit) : entries;
}

function Rows({
  entries,
  compactions,
}: {
  readonly entries: readonly MessageEntry[];
  readonly compactions: readonly CompactionView[];
}): ComponentChildren {
  const rows: ComponentChildren[] = [];
  for (const [index, entry] of entries.entries()) {
    rows.push(<Row key={entry.id} entry={entry} />);
    const next = entries[index + 1]?.seq ?? Number.POSITIVE_INFINITY;
    for (const compaction of compactions) {
      if (compaction.throughSeq >= entry.seq && compaction.throughSeq < next) {
        rows.push(<Compaction key={compaction.id} compaction={compaction} />);
      }
    }
  }
  return rows;
}
