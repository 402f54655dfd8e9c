import type { SavedView } from '../../../src/protocol/view.ts';
import { messageRow } from '../conversation/message-row.ts';
import { Look, type ScrollerElements } from './look.ts';
import { PersonScrolling } from './person-scrolling.ts';

/** This near to the end is at the end, in pixels: sizes are rounded, places are not. */
const END = 4;
/** Older messages are fetched when the start is this many screens away. */
const AHEAD = 3;

interface Listeners {
  readonly onAway: (away: boolean) => void;
  readonly onPlace: (scroll: SavedView['scroll']) => void;
  readonly onNearStart: () => Promise<void>;
  readonly onNearEnd: () => Promise<void>;
}

/**
 * Keeps the conversation at its end while it grows, until the person scrolls up; then the place stays until the
 * person comes back to the end. While it follows, only an actor (wheel, key, touch, scroll bar, screen reader) can
 * bring the box above the place where it was put: the browser's scroll anchoring is off, and what is laid out anew
 * cannot move the box between two looks at it; see `Look`. There is no timer.
 */
export class Scroller {
  readonly #box: HTMLElement;
  readonly #content: HTMLElement;
  readonly #look: Look;
  readonly #person: PersonScrolling;
  readonly #listeners: Listeners;
  readonly #sizes: ResizeObserver;
  #follows = true;
  #loading = false;
  /** The first row while the box is at its very start, and where it stood. */
  #first: { readonly row: HTMLElement; readonly top: number } | undefined;
  /** The place to hold until the person scrolls. */
  #wanted: SavedView['scroll'] = null;

  constructor(elements: ScrollerElements, listeners: Listeners) {
    const { frame, box, content } = elements;
    this.#box = box;
    this.#content = content;
    this.#listeners = listeners;
    this.#look = new Look(elements);
    this.#person = new PersonScrolling(box, {
      up: () => {
        this.#wanted = null;
        if (this.#box.scrollTop > 0) this.#follow(false);
      },
      down: () => {
        this.#wanted = null;
        if (this.#atEnd()) this.#follow(true);
      },
      letsGo: () => this.#resized(),
    });
    this.#sizes = new ResizeObserver(() => this.#resized());
    this.#sizes.observe(frame);
    this.#sizes.observe(box);
    this.#sizes.observe(content);
    box.addEventListener('scroll', this.#scrolled, { passive: true });
    box.addEventListener('scrollend', this.#rested, { passive: true });
    box.style.overflowAnchor = 'none';
  }

  dispose(): void {
    this.#sizes.disconnect();
    this.#person.dispose();
    this.#box.removeEventListener('scroll', this.#scrolled);
    this.#box.removeEventListener('scrollend', this.#rested);
  }

  /** Goes to the end and stays there. */
  toEnd(): void {
    this.#wanted = null;
    this.#follow(true);
    this.#pin();
  }

  /** Goes to a place that was saved. */
  restore(place: SavedView['scroll']): void {
    if (place === null) {
      this.toEnd();
      return;
    }
    this.#follow(false);
    this.#wanted = place;
    this.#hold();
  }

  /** Changes what stands above without moving what is seen. */
  keepPlace(change: () => void): void {
    this.#remember();
    change();
  }

  /** The browser holds the place by itself, except at the very start: there the first row is held. */
  #remember(): void {
    const row =
      this.#box.scrollTop < 2 ? this.#content.querySelector<HTMLElement>('[data-message]') : null;
    this.#first = row === null ? undefined : { row, top: row.offsetTop };
  }

  #follow(follows: boolean): void {
    if (this.#follows === follows) return;
    this.#follows = follows;
    // The browser holds what is seen only when it is not the end that is to be seen.
    this.#box.style.overflowAnchor = follows ? 'none' : '';
    if (!follows) this.#look.free();
    this.#listeners.onAway(!follows);
  }

  #atEnd(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.#box;
    return scrollHeight - scrollTop - clientHeight <= END;
  }

  #pin(): void {
    // While the page is hidden it has no sizes; while the person holds the scroll bar it is the person's.
    if (this.#box.clientHeight === 0 || this.#person.holds) return;
    this.#look.pin();
  }

  #resized(): void {
    if (this.#follows) this.#notice();
    this.#look.fit();
    if (this.#follows) {
      this.#pin();
      return;
    }
    if (this.#wanted !== null) this.#hold();
    else if (this.#first !== undefined && this.#box.scrollTop < 2) {
      const { row, top } = this.#first;
      this.#box.scrollTop += row.offsetTop - top;
    }
    this.#look.take();
    // Where there is nothing to scroll, what is seen is the end.
    if (this.#wanted === null && this.#look.end <= 0 && this.#box.clientHeight > 0)
      this.#follow(true);
  }

  #hold(): void {
    const place = this.#wanted;
    if (place === null) return;
    const row = messageRow(this.#content, place.messageId);
    if (row !== null) this.#box.scrollTop = row.offsetTop + place.offset;
    this.#look.take();
  }

  readonly #scrolled = (): void => {
    this.#notice();
    if (!this.#follows) this.#look.take();
    this.#remember();
    const { scrollTop, scrollHeight, clientHeight } = this.#box;
    const left = scrollHeight - scrollTop - clientHeight;
    if (scrollTop < AHEAD * clientHeight) void this.#load(this.#listeners.onNearStart);
    if (left < AHEAD * clientHeight) void this.#load(this.#listeners.onNearEnd);
  };

  /** Looks whether the box was moved, and where to. */
  #notice(): void {
    if (!this.#look.sameScale()) return;
    const moved = this.#box.scrollTop - this.#look.top;
    if (Math.abs(moved) > 1) this.#wanted = null;
    if (this.#follows && moved < -1) this.#follow(false);
    else if (!this.#follows && moved > 0 && this.#wanted === null && this.#reachedEnd())
      this.toEnd();
  }

  /** The end as it was seen counts, too: it may have gone on meanwhile. */
  #reachedEnd(): boolean {
    return this.#atEnd() || this.#box.scrollTop >= this.#look.end - END;
  }

  /** Scrolling has come to rest: only then is the place worth looking for. */
  readonly #rested = (): void => {
    this.#listeners.onPlace(this.#follows ? null : this.#place());
  };

  async #load(load: () => Promise<void>): Promise<void> {
    if (this.#loading) return;
    this.#loading = true;
    try {
      await load();
    } finally {
      this.#loading = false;
    }
  }

  /** The row at the top edge. */
  #place(): SavedView['scroll'] {
    const { scrollTop } = this.#box;
    const rows = this.#content.querySelectorAll<HTMLElement>('[data-message]');
    let low = 0;
    let high = rows.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((rows[middle]?.offsetTop ?? 0) <= scrollTop) low = middle;
      else high = middle - 1;
    }
    const row = rows[low];
    const messageId = row?.dataset['message'];
    if (row === undefined || messageId === undefined) return null;
    return { messageId, offset: Math.round(scrollTop - row.offsetTop) };
  }
}
