import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePanel } from '../../panel.ts';

/** A question that has just come up takes no answer that was meant for something else. */
const ARM_DELAY_MS = 500;
/** The share of the end mark that has to be visible; a mark that only touches the edge is not. */
const VISIBLE_SHARE = 0.5;

/** True once `key` has been the same for half a second. */
export function useArmed(key: string): boolean {
  const [armed, setArmed] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setArmed(key), ARM_DELAY_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return armed === key;
}

/** The one condition for an approval. */
export interface Gate {
  /** The question has been there for half a second: it can be denied. */
  readonly isArmed: boolean;
  /** The end of what is asked was on the screen. */
  readonly isSeen: boolean;
  /** Half a second has passed since the end was on the screen: it can be allowed. */
  readonly isOpen: boolean;
  readonly showEnd: () => void;
}

/**
 * Opens half a second after the end of what is asked was first on the screen.
 * @param end a mark after the last line; `null` while the content is shown elsewhere
 */
export function useGate(questionId: string, end: RefObject<HTMLElement | null>): Gate {
  const { questions } = usePanel();
  const isSeen = questions.seen.value.has(questionId);
  const isArmed = useArmed(questionId);
  const isSettled = useArmed(`${questionId} ${isSeen}`);
  useEffect(() => {
    const { current } = end;
    if (isSeen || current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ intersectionRatio }) => intersectionRatio >= VISIBLE_SHARE))
          questions.markSeen(questionId);
      },
      { threshold: VISIBLE_SHARE },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [questionId, isSeen]);
  return {
    isArmed,
    isSeen,
    isOpen: isSeen && isSettled,
    showEnd: () => end.current?.scrollIntoView({ block: 'nearest' }),
  };
}
