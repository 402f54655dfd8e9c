import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { usePanel } from '../../panel.ts';
import { bandOf, ReadStretches } from '../scrolling/read-stretches.ts';

/**
 * A question that has just come up takes no answer that was meant for something else; nor does a
 * button that has just changed its meaning. In milliseconds.
 */
const ARMED_AFTER = 500;
/** Milliseconds between looks at the screen, beside every scroll. */
const LOOKS = 200;

/** True when a question has been on screen long enough for an answer to be meant. */
export function useArmed(of: string): boolean {
  const [armed, setArmed] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setArmed(of), ARMED_AFTER);
    return () => clearTimeout(timer);
  }, [of]);
  return armed === of;
}

/** How far a person can judge a question. */
export interface Judging {
  /** An answer counts as meant: neither the question nor what its buttons mean has just come up. */
  readonly armed: boolean;
  /** The question has not just come up: a no by key counts, whose meaning never changes. */
  readonly shown: boolean;
  /** All of it has been on the screen: before that there is no yes. */
  readonly read: boolean;
  /** Some of it is on the screen now: there is no yes beside what was scrolled away. */
  readonly inSight: boolean;
  /** The same, looked at now. */
  readonly looks: () => boolean;
  /** Brings the next part into view that was not on the screen yet; of what was read, the beginning. */
  readonly showNext: () => void;
}

/**
 * Follows what of a question has been on the screen, once it is armed, and whether it is there now.
 * @param content all of what will happen; `null` while it is shown elsewhere
 */
export function useJudging(questionId: string, content: RefObject<HTMLElement | null>): Judging {
  const panel = usePanel();
  const read = panel.questions.read.value.has(questionId);
  const [inSight, setInSight] = useState(true);
  const stretches = useRef(new ReadStretches());
  const shown = useArmed(questionId);
  const first = useRef(true);
  // Read with the first look: no button changed its meaning under the person's hand.
  const atOnce = useRef(false);
  const settled = useArmed(`${questionId} ${read} ${inSight}`);
  useLayoutEffect(() => {
    if (!shown) return undefined;
    const look = (): void => {
      const { current } = content;
      if (current === null || document.visibilityState === 'hidden') return;
      setInSight(isInSight(current));
      if (read) return;
      stretches.current.add(bandOf(current));
      const isFirst = first.current;
      first.current = false;
      if (!stretches.current.whole) return;
      atOnce.current = isFirst;
      panel.questions.markRead(questionId);
    };
    return looking(look);
  }, [questionId, shown, read]);
  const showNext = (): void => {
    const { current } = content;
    if (current !== null) scrollTo(current, read ? 0 : stretches.current.next);
  };
  if (!inSight) atOnce.current = false;
  const looks = (): boolean => content.current === null || isInSight(content.current);
  return {
    armed: read && !atOnce.current ? settled : shown,
    shown,
    read,
    inSight,
    looks,
    showNext,
  };
}

/** True when all that one answer is about is in sight; the looks are those of the newest drawing. */
export function useSight(looks: () => boolean): boolean {
  const [inSight, setInSight] = useState(true);
  const newest = useRef(looks);
  newest.current = looks;
  useLayoutEffect(() => looking(() => setInSight(newest.current())), []);
  return inSight;
}

/** Looks now, at every scroll and from time to time, until the answer is called. */
function looking(look: () => void): () => void {
  look();
  const timer = setInterval(look, LOOKS);
  document.addEventListener('scroll', look, true);
  return () => {
    clearInterval(timer);
    document.removeEventListener('scroll', look, true);
  };
}

/** True when at least the height of a line is on the screen: then a line is, or the middle of one. */
export function isInSight(content: HTMLElement): boolean {
  const band = bandOf(content);
  return (
    band !== undefined && band.bottom - band.top >= Math.min(lineOf(content) + 2, band.height - 1)
  );
}

/** The height of a line, in pixels. */
const lineOf = (content: HTMLElement): number =>
  Number.parseFloat(getComputedStyle(content).lineHeight) || 0;

/** Scrolls whatever holds the element until its first line is the last thing in sight: before it is room for others. */
export const endAtFirstLine = (content: HTMLElement): void => scrollTo(content, 0, 'end');

/** Scrolls whatever holds the element until this share of its height is at the top, or its line at the end. */
function scrollTo(content: HTMLElement, share: number, block: 'start' | 'end' = 'start'): void {
  const mark = document.createElement('span');
  mark.className = 'read-mark';
  mark.style.top = `${share * content.getBoundingClientRect().height}px`;
  content.append(mark);
  if (block === 'end') mark.style.height = `${lineOf(content) + 3}px`;
  mark.scrollIntoView({ block });
  mark.remove();
}
