import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { usePanel } from '../../panel.ts';

/** Reports whether a card that waits for the user is on the screen. */
export function useInView(card: RefObject<HTMLElement | null>, questionId: string): void {
  const { questions } = usePanel();
  useEffect(() => {
    const { current } = card;
    if (current === null) return undefined;
    const observer = new IntersectionObserver((entries) =>
      questions.setInView(questionId, entries.at(-1)?.isIntersecting === true),
    );
    observer.observe(current);
    return () => {
      observer.disconnect();
      questions.setInView(questionId, false);
    };
  }, [questionId]);
}
