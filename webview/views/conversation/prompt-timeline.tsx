import * as l10n from '@vscode/l10n';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PromptMark } from '../../../src/protocol/view.ts';
import { usePanel, type Panel } from '../../panel.ts';
import { messageRow } from './message-row.ts';

/** Fewer requests than this are seen without marks. */
const LEAST = 3;

/** A mark for each message of the person, beside the scroll bar: a click or a key goes there. */
export function PromptTimeline({
  box,
}: {
  readonly box: RefObject<HTMLElement | null>;
}): ComponentChildren {
  const panel = usePanel();
  const prompts = usePrompts(panel);
  return prompts.length < LEAST ? null : <Marks box={box} prompts={prompts} />;
}

interface MarksProps {
  readonly box: RefObject<HTMLElement | null>;
  readonly prompts: readonly PromptMark[];
}

function Marks({ box, prompts }: MarksProps): ComponentChildren {
  const panel = usePanel();
  const strip = useRef<HTMLDivElement>(null);
  const [chosen, choose] = useState<number>();
  const { places, current, bar } = usePlaces(panel, box, prompts);
  const shown = chosen === undefined ? undefined : prompts[chosen];
  const go = (index: number | undefined): void => {
    const prompt = index === undefined ? undefined : prompts[index];
    if (prompt === undefined) return;
    panel.conversation.goTo.value = { seq: prompt.seq, nth: null };
  };
  const nearest = (event: MouseEvent): number => {
    const { top, height } = strip.current?.getBoundingClientRect() ?? { top: 0, height: 1 };
    const at = (event.clientY - top) / height;
    const gaps = places.map((place) => Math.abs(place - at));
    return gaps.indexOf(Math.min(...gaps));
  };
  const key = (event: KeyboardEvent): void => {
    const at = chosen ?? current;
    const next = keyed(event.key, at, prompts.length);
    if (next === undefined && event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    event.stopPropagation();
    if (next === undefined) go(at);
    else choose(next);
  };
  return (
    <div
      class="timeline"
      ref={strip}
      style={{ insetInlineEnd: `${bar}px` }}
      role="slider"
      tabIndex={0}
      aria-label={l10n.t('Your messages')}
      aria-orientation="vertical"
      aria-valuemin={1}
      aria-valuemax={prompts.length}
      aria-valuenow={(chosen ?? current) + 1}
      aria-valuetext={l10n.t(
        '{0} of {1}: {2}',
        (chosen ?? current) + 1,
        prompts.length,
        prompts[chosen ?? current]?.line ?? '',
      )}
      onPointerMove={(event) => choose(nearest(event))}
      onPointerLeave={() => choose(undefined)}
      onBlur={() => choose(undefined)}
      onClick={(event) => go(nearest(event))}
      onKeyDown={key}
    >
      {prompts.map(({ id }, index) => (
        <span
          key={id}
          class={`tick ${index === current ? 'is-current' : ''} ${index === chosen ? 'is-chosen' : ''}`}
          style={{ top: `${(places[index] ?? 0) * 100}%` }}
        />
      ))}
      {shown !== undefined && (
        <span class="tick-line" style={{ top: `${(places[chosen ?? 0] ?? 0) * 100}%` }}>
          {shown.line === '' ? l10n.t('A message without words') : shown.line}
        </span>
      )}
    </div>
  );
}

function keyed(key: string, at: number, count: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowUp: at - 1,
    ArrowDown: at + 1,
    PageUp: at - 10,
    PageDown: at + 10,
    Home: 0,
    End: count - 1,
  };
  const next = steps[key];
  return next === undefined ? undefined : Math.max(0, Math.min(count - 1, next));
}

/** All messages of the person in the session, loaded or not. */
function usePrompts(panel: Panel): readonly PromptMark[] {
  const { transcript, session } = panel.store;
  const id = session.id.value;
  const newest = transcript.entries.value.findLast((entry) => {
    const { role, origin = 'person' } = entry.view.peek();
    return role === 'user' && origin === 'person';
  })?.id;
  const [prompts, setPrompts] = useState<readonly PromptMark[]>([]);
  useEffect(() => {
    let current = true;
    const read = async (sessionId: string): Promise<void> => {
      const answer = await panel.host.attempt('listPrompts', { sessionId });
      if (current && 'value' in answer) setPrompts(answer.value.prompts);
    };
    if (id === null) setPrompts([]);
    else void read(id);
    return () => {
      current = false;
    };
  }, [id, newest]);
  return prompts;
}

interface Places {
  /** Of each mark, as a share of the height. */
  readonly places: readonly number[];
  /** The last one above the middle of the screen. */
  readonly current: number;
  /** Pixels that the scroll bar takes. */
  readonly bar: number;
}

/** Where the marks stand: as far down as their messages; of what is not loaded the height is guessed. */
function usePlaces(
  panel: Panel,
  box: RefObject<HTMLElement | null>,
  prompts: readonly PromptMark[],
): Places {
  const [places, setPlaces] = useState<Places>({ places: [], current: 0, bar: 0 });
  const entries = panel.store.transcript.entries.value;
  useEffect(() => {
    const { current: element } = box;
    if (element === null) return undefined;
    let frame = 0;
    const measure = (): void => {
      frame = 0;
      setPlaces((before) => {
        const next = placesOf(panel, element, prompts);
        return JSON.stringify(before) === JSON.stringify(next) ? before : next;
      });
    };
    const soon = (): void => {
      frame ||= requestAnimationFrame(measure);
    };
    const sizes = new ResizeObserver(soon);
    sizes.observe(element);
    if (element.firstElementChild !== null) sizes.observe(element.firstElementChild);
    element.addEventListener('scroll', soon, { passive: true });
    soon();
    return () => {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      element.removeEventListener('scroll', soon);
    };
  }, [prompts, entries]);
  return places;
}

function placesOf(panel: Panel, box: HTMLElement, prompts: readonly PromptMark[]): Places {
  const entries = panel.store.transcript.entries.peek();
  const first = entries[0]?.seq ?? 1;
  const last = entries.at(-1)?.seq ?? 1;
  const height = box.scrollHeight;
  const each = height / Math.max(1, last - first + 1);
  const above = (first - 1) * each;
  const end = Math.max(last, prompts.at(-1)?.seq ?? 0);
  const whole = above + height + (end - last) * each;
  const middle = above + box.scrollTop + box.clientHeight / 2;
  const tops = prompts.map(({ seq, id }) => {
    if (seq < first) return (seq - 1) * each;
    const row = messageRow(box, id);
    return above + (row?.offsetTop ?? (seq - first) * each);
  });
  const current = Math.max(
    0,
    tops.findLastIndex((top) => top <= middle),
  );
  const bar = box.offsetWidth - box.clientWidth;
  return { places: tops.map((top) => top / Math.max(1, whole)), current, bar };
}
