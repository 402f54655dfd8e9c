/** A box that scrolls, and what stands around and in it. */
export interface ScrollerElements {
  /** The place that the box fills. */
  readonly frame: HTMLElement;
  readonly box: HTMLElement;
  readonly content: HTMLElement;
  /** An empty element behind the content. */
  readonly floor: HTMLElement;
}

/**
 * How a box that scrolls was when it was last looked at. The browser moves such a box up when its content becomes lower
 * or the box higher, if only for a moment, and does not say so. Therefore neither happens between two looks: the box has
 * the height that its frame had, and under the content is a floor, an empty element that stays where the content ended.
 */
export class Look {
  readonly #elements: ScrollerElements;
  /** Where the box stood, in pixels. */
  top = 0;
  /** The last place there was to stand at. */
  end = 0;
  #width = 0;
  #zoom = 1;

  constructor(elements: ScrollerElements) {
    this.#elements = elements;
  }

  /** True when width and zoom are as they were: else places are counted anew. */
  sameScale(): boolean {
    return this.#elements.box.clientWidth === this.#width && devicePixelRatio === this.#zoom;
  }

  /** Gives the box the height of its frame; one that is not shown has none. */
  fit(): void {
    const { frame, box } = this.#elements;
    const height = `${frame.clientHeight}px`;
    if (frame.clientHeight > 0 && box.style.height !== height) box.style.height = height;
  }

  /** Goes to the end, and lays the floor there. */
  pin(): void {
    const { box, content, floor } = this.#elements;
    floor.style.top = `${Math.max(0, content.offsetHeight - 1)}px`;
    box.scrollTop = box.scrollHeight;
    this.take();
  }

  /** Takes the floor away. */
  free(): void {
    this.#elements.floor.style.top = '0';
  }

  take(): void {
    const { clientWidth, clientHeight, scrollTop, scrollHeight } = this.#elements.box;
    this.top = scrollTop;
    this.end = scrollHeight - clientHeight;
    this.#width = clientWidth;
    this.#zoom = devicePixelRatio;
  }
}
