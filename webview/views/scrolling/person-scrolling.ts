/** Keys that scroll a box, and the way they go. */
const KEYS: Readonly<Record<string, 'up' | 'down'>> = {
  ArrowUp: 'up',
  PageUp: 'up',
  Home: 'up',
  ArrowDown: 'down',
  PageDown: 'down',
  End: 'down',
};

interface Listeners {
  /** The person begins to scroll up. */
  readonly up: () => void;
  readonly down: () => void;
  /** The scroll bar or the touched content is let go. */
  readonly letsGo: () => void;
}

/**
 * The person's doings that scroll a box, told before the box has moved: a smooth movement begins with less than a
 * pixel, and must not be taken back meanwhile. Scrolling without any of these is seen by where the box stands.
 */
export class PersonScrolling {
  readonly #box: HTMLElement;
  readonly #listeners: Listeners;
  readonly #gone = new AbortController();
  #holds: 'pointer' | 'touch' | undefined;

  constructor(box: HTMLElement, listeners: Listeners) {
    this.#box = box;
    this.#listeners = listeners;
    const { signal } = this.#gone;
    const options = { passive: true, signal };
    box.addEventListener('wheel', this.#wheeled, options);
    box.addEventListener('keydown', this.#keyed, { signal });
    box.addEventListener('pointerdown', this.#pressed, options);
    box.addEventListener('touchstart', () => this.#hold('touch'), options);
    for (const name of ['touchend', 'touchcancel'])
      window.addEventListener(name, () => this.#letGo('touch'), options);
    for (const name of ['pointerup', 'blur'])
      window.addEventListener(name, () => this.#letGo('pointer'), options);
    // A browser does not tell of each release of a scroll bar.
    window.addEventListener(
      'pointermove',
      ({ buttons, pointerType }) => {
        if (buttons === 0 && pointerType === 'mouse') this.#letGo('pointer');
      },
      options,
    );
  }

  /** The person holds the scroll bar or the content. */
  get holds(): boolean {
    return this.#holds !== undefined;
  }

  dispose(): void {
    this.#gone.abort();
  }

  readonly #wheeled = (event: WheelEvent): void => {
    // With Ctrl it zooms, with Shift it goes sideways.
    if (event.deltaY === 0 || event.ctrlKey || event.shiftKey) return;
    const way = event.deltaY < 0 ? 'up' : 'down';
    if (!this.#scrollsInside(event.target, way)) this.#listeners[way]();
  };

  readonly #keyed = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || isTyping(event.target)) return;
    const space = event.key === ' ' && event.target === this.#box;
    const way = space ? (event.shiftKey ? 'up' : 'down') : KEYS[event.key];
    if (way !== undefined && !this.#scrollsInside(event.target, way)) this.#listeners[way]();
  };

  readonly #pressed = (event: PointerEvent): void => {
    const { left, top } = this.#box.getBoundingClientRect();
    const onBar =
      event.target === this.#box &&
      (event.clientX - left > this.#box.clientWidth ||
        event.clientY - top > this.#box.clientHeight);
    // The wheel's button scrolls, too: by moving the pointer.
    if (event.pointerType === 'mouse' && (onBar || event.button === 1)) this.#hold('pointer');
  };

  #hold(by: 'pointer' | 'touch'): void {
    this.#holds = by;
  }

  #letGo(by: 'pointer' | 'touch'): void {
    if (this.#holds !== by) return;
    this.#holds = undefined;
    this.#listeners.letsGo();
  }

  /** True when something inside takes the movement: the output of a card, code. */
  #scrollsInside(target: EventTarget | null, way: 'up' | 'down'): boolean {
    let element = target instanceof Element ? target : null;
    for (; element !== null && element !== this.#box; element = element.parentElement) {
      const { scrollTop, scrollHeight, clientHeight } = element;
      const room = way === 'up' ? scrollTop : scrollHeight - clientHeight - scrollTop;
      if (room >= 1 && /auto|scroll/u.test(getComputedStyle(element).overflowY)) return true;
    }
    return false;
  }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select') !== null;
}
