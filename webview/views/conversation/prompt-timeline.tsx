import * as l10n from '@vscode/l10n';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PromptMark } from '../../../src/protocol/view.ts';
import { usePanel, type Panel } from '../../panel.ts';
import { messageRows } from './message-row.ts';

/** Fewer requests than this are seen without marks. */
const LEAST = 3;
/** Marks that can be told apart in the height of the panel: those of the same step are drawn as one. */
const STEPS = 250;

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
  const { places, steps, current, bar } = usePlaces(panel, box, prompts);
  const shown = chosen === undefined ? undefined : prompts[chosen];
  const at = chosen === undefined ? undefined : steps[chosen];
  const go = (index: number | undefined): void => {
    const prompt = index === undefined ? undefined : prompts[index];
    if (prompt === undefined) return;
    panel.conversation.goTo.value = { seq: prompt.seq, nth: null };
  };
  const nearest = (event: MouseEvent): number => {
    const { top, height } = strip.current?.getBoundingClientRect() ?? { top: 0, height: 1 };
    const pointed = (event.clientY - top) / height;
    const gaps = places.current.map((place) => Math.abs(place - pointed));
    return gaps.indexOf(Math.min(...gaps));
  };
  const key = (event: KeyboardEvent): void => {
    const from = chosen ?? current;
    const next = keyed(event.key, from, prompts.length);
    if (next === undefined && event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    event.stopPropagation();
    if (next === undefined) go(from);
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
      {[...new Set(steps)].map((step) => (
        <span
          key={step}
          class={`tick ${step === steps[current] ? 'is-current' : ''} ${step === at ? 'is-chosen' : ''}`}
          style={{ top: topOf(step) }}
        />
      ))}
      {shown !== undefined && (
        <span class="tick-line" style={{ top: topOf(at) }}>
          {shown.line === '' ? l10n.t('A message without words') : shown.line}
        </span>
      )}
    </div>
  );
}

const topOf = (step = 0): string => `${(step / STEPS) * 100}%`;

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
  /** Of each mark, as a share of the height; what changes by less than a step draws nothing anew. */
  readonly places: { readonly current: readonly number[] };
  /** Of each mark, the step at which it is drawn. */
  readonly steps: readonly number[];
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
  const places = useRef<readonly number[]>([]);
  const [drawn, draw] = useState<Omit<Places, 'places'>>({ steps: [], current: 0, bar: 0 });
  const entries = panel.store.transcript.entries.value;
  useEffect(() => {
    const { current: element } = box;
    if (element === null) return undefined;
    let frame = 0;
    const measure = (): void => {
      frame = 0;
      const { shares, ...more } = placesOf(panel, element, prompts);
      places.current = shares;
      const next = { steps: shares.map((share) => Math.round(share * STEPS)), ...more };
      draw((before) => (isSame(before, next) ? before : next));
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
  return { places, ...drawn };
}

const isSame = (one: Omit<Places, 'places'>, other: Omit<Places, 'places'>): boolean =>
  one.current === other.current &&
  one.bar === other.bar &&
  one.steps.length === other.steps.length &&
  one.steps.every((step, index) => step === other.steps[index]);

function placesOf(
  panel: Panel,
  box: HTMLElement,
  prompts: readonly PromptMark[],
): { readonly shares: readonly number[]; readonly current: number; readonly bar: number } {
  const entries = panel.store.transcript.entries.peek();
  const first = entries[0]?.seq ?? 1;
  const last = entries.at(-1)?.seq ?? 1;
  const height = box.scrollHeight;
  const each = height / Math.max(1, last - first + 1);
  const above = (first - 1) * each;
  const end = Math.max(last, prompts.at(-1)?.seq ?? 0);
  const whole = above + height + (end - last) * each;
  const middle = above + box.scrollTop + box.clientHeight / 2;
  const rows = messageRows(box);
  const tops = prompts.map(({ seq, id }) => {
    if (seq < first) return (seq - 1) * each;
    return above + (rows.get(id)?.offsetTop ?? (seq - first) * each);
  });
  const current = Math.max(
    0,
    tops.findLastIndex((top) => top <= middle),
  );
  const bar = box.offsetWidth - box.clientWidth;
  return { shares: tops.map((top) => top / Math.max(1, whole)), current, bar };
}
