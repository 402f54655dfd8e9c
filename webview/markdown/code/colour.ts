import type { Highlighted } from './highlight.ts';

/** Longer code is not coloured: it would block the panel for more than a frame or two. */
const LIMIT = 20_000;
/** Blocks this near to the visible part are coloured. */
const MARGIN = '400px';

interface Wish {
  readonly text: string;
  readonly language: string;
  readonly done: (coloured: readonly Highlighted[]) => void;
}

const wishes = new Map<Element, Wish>();
const due: Element[] = [];
let observer: IntersectionObserver | undefined;
let working = false;

/**
 * Colours a code block when it comes near the visible part and nothing else is to do. The
 * highlighter is loaded with the first one. Gives what takes the wish back.
 */
export function colourWhenSeen(element: Element, wish: Wish): () => void {
  if (wish.language === '' || wish.text.length > LIMIT) return () => undefined;
  observer ??= new IntersectionObserver(seen, { rootMargin: MARGIN });
  wishes.set(element, wish);
  observer.observe(element);
  return () => forget(element);
}

function forget(element: Element): void {
  wishes.delete(element);
  observer?.unobserve(element);
}

function seen(entries: readonly IntersectionObserverEntry[]): void {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    observer?.unobserve(entry.target);
    due.push(entry.target);
  }
  if (due.length > 0 && !working) {
    working = true;
    requestIdleCallback(() => void work(), { timeout: 1000 });
  }
}

/** One block an idle moment. */
async function work(): Promise<void> {
  const { highlight } = await import('./highlight.ts');
  const element = due.shift();
  const wish = element === undefined ? undefined : wishes.get(element);
  if (element !== undefined && wish !== undefined) {
    wishes.delete(element);
    const coloured = highlight(wish.text, wish.language);
    if (coloured !== undefined) wish.done(coloured);
  }
  if (due.length > 0) requestIdleCallback(() => void work(), { timeout: 1000 });
  else working = false;
}
