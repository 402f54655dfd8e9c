import { findPattern } from '../../../src/domain/text/find-pattern.ts';
import type { Find } from '../../find.ts';
import { findRanges } from './find-ranges.ts';

const ALL = 'belay-find';
const CURRENT = 'belay-find-current';

/** Marks the hits in sight, as the browser marks a selection: nothing of the page is changed by it. */
export class FindMarks {
  readonly #box: HTMLElement;
  readonly #find: Find;
  readonly #changes: MutationObserver;
  #frame = 0;

  constructor(box: HTMLElement, find: Find) {
    this.#box = box;
    this.#find = find;
    this.#changes = new MutationObserver(this.soon);
    this.#changes.observe(box, { childList: true, subtree: true, characterData: true });
    box.addEventListener('scroll', this.soon, { passive: true });
    this.soon();
  }

  /** Marks again with the next frame. */
  readonly soon = (): void => {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#mark();
    });
  };

  dispose(): void {
    cancelAnimationFrame(this.#frame);
    this.#changes.disconnect();
    this.#box.removeEventListener('scroll', this.soon);
    this.#show([], []);
    for (const row of this.#box.querySelectorAll('.is-found')) row.classList.remove('is-found');
  }

  #mark(): void {
    const { query, matchCase, current } = this.#find;
    const pattern = findPattern(query.peek(), matchCase.peek());
    const { top, bottom, height } = this.#box.getBoundingClientRect();
    const all: Range[] = [];
    let chosen: Range | undefined;
    for (const row of this.#box.querySelectorAll<HTMLElement>('[data-message]')) {
      const place = row.getBoundingClientRect();
      const isCurrent = row.dataset['message'] === current.peek()?.id;
      const isNear = place.bottom > top - height && place.top < bottom + height;
      const ranges = isNear ? findRanges(row, pattern) : [];
      all.push(...ranges);
      if (isCurrent) chosen = hitOf(ranges, current.peek()?.nth ?? 0);
      // A hit that is not on the screen as text is in what its card stands for.
      row.classList.toggle('is-found', isCurrent && isNear && chosen === undefined);
    }
    this.#show(all, chosen === undefined ? [] : [chosen]);
  }

  #show(all: readonly Range[], current: readonly Range[]): void {
    CSS.highlights.set(ALL, new Highlight(...all));
    const above = new Highlight(...current);
    above.priority = 1;
    CSS.highlights.set(CURRENT, above);
  }
}

/** The range of a hit; where fewer are on the screen than were counted, the last. */
export function hitOf(ranges: readonly Range[], nth: number): Range | undefined {
  return ranges[Math.min(nth, ranges.length - 1)];
}
