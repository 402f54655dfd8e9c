import type { SavedView } from '../../src/protocol/view.ts';

/** This near to the end counts as at the end, in pixels. */
const END = 24;
/** Older messages are fetched when the start is this many screens away. */
const AHEAD = 3;

interface Listeners {
  readonly onAway: (away: boolean) => void;
  readonly onPlace: (scroll: SavedView['scroll']) => void;
  readonly onNearStart: () => Promise<void>;
  readonly onNearEnd: () => Promise<void>;
}

/**
 * Keeps the conversation at its end while it grows, unless the person has scrolled up; then the
 * place stays. Works on sizes that the browser reports: there is no timer.
 */
export class Scroller {
  readonly #box: HTMLElement;
  readonly #content: HTMLElement;
  readonly #listeners: Listeners;
  readonly #sizes: ResizeObserver;
  #follows = true;
  #loading = false;
  /** The first row while the box is at its very start, and where it stood. */
  #first: { readonly row: HTMLElement; readonly top: number } | undefined;
  /** Where it was at the last look. */
  #top = 0;
  /** The place to hold until the person scrolls. */
  #wanted: SavedView['scroll'] = null;

  constructor(box: HTMLElement, content: HTMLElement, listeners: Listeners) {
    this.#box = box;
    this.#content = content;
    this.#listeners = listeners;
    this.#sizes = new ResizeObserver(() => this.#resized());
    this.#sizes.observe(box);
    this.#sizes.observe(content);
    box.addEventListener('scroll', this.#scrolled, { passive: true });
    box.addEventListener('scrollend', this.#rested, { passive: true });
    box.addEventListener('wheel', this.#wheeled, { passive: true });
    box.addEventListener('keydown', this.#keyed);
  }

  dispose(): void {
    this.#sizes.disconnect();
    this.#box.removeEventListener('scroll', this.#scrolled);
    this.#box.removeEventListener('scrollend', this.#rested);
    this.#box.removeEventListener('wheel', this.#wheeled);
    this.#box.removeEventListener('keydown', this.#keyed);
  }

  /** Goes to the end and stays there. */
  toEnd(): void {
    this.#wanted = null;
    this.#follow(true);
    this.#box.scrollTop = this.#box.scrollHeight;
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
    this.#listeners.onAway(!follows);
  }

  #resized(): void {
    if (this.#follows) this.#box.scrollTop = this.#box.scrollHeight;
    else if (this.#wanted !== null) this.#hold();
    else if (this.#first !== undefined && this.#box.scrollTop < 2) {
      const { row, top } = this.#first;
      this.#box.scrollTop += row.offsetTop - top;
    }
  }

  #hold(): void {
    const place = this.#wanted;
    if (place === null) return;
    const row = this.#content.querySelector<HTMLElement>(
      `[data-message="${CSS.escape(place.messageId)}"]`,
    );
    if (row !== null) this.#box.scrollTop = row.offsetTop + place.offset;
  }

  readonly #wheeled = (event: WheelEvent): void => {
    this.#wanted = null;
    if (event.deltaY < 0 && this.#box.scrollTop > 0) this.#follow(false);
  };

  readonly #keyed = (event: KeyboardEvent): void => {
    if (event.target !== this.#box) return;
    if (!['PageUp', 'PageDown', 'ArrowUp', 'ArrowDown', 'Home', 'End'].includes(event.key)) return;
    this.#wanted = null;
    if (['PageUp', 'ArrowUp', 'Home'].includes(event.key)) this.#follow(false);
  };

  readonly #scrolled = (): void => {
    const { scrollTop, scrollHeight, clientHeight } = this.#box;
    const left = scrollHeight - scrollTop - clientHeight;
    // Whoever moves up — wheel, scroll bar, keyboard, a screen reader — wants to stay there.
    if (left <= END && this.#wanted === null) this.#follow(true);
    else if (scrollTop < this.#top - 1) this.#follow(false);
    this.#top = scrollTop;
    this.#remember();
    if (scrollTop < AHEAD * clientHeight) void this.#load(this.#listeners.onNearStart);
    if (left < AHEAD * clientHeight) void this.#load(this.#listeners.onNearEnd);
  };

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
