/** The part of an element that is on the screen, in pixels from its top. */
export interface Band {
  readonly top: number;
  readonly bottom: number;
  readonly height: number;
}

/** Pixels that may be missing between two stretches: borders, rounding. */
const SLACK = 2;

/** Which stretches of a text have been on the screen. */
export class ReadStretches {
  #height = 0;
  #ranges: (readonly [from: number, to: number])[] = [];

  /** Takes what is on the screen now; a text that is laid out anew is read anew. */
  add(band: Band | undefined): void {
    if (band === undefined) return;
    if (Math.abs(band.height - this.#height) > SLACK) {
      this.#height = band.height;
      this.#ranges = [];
    }
    const merged: [number, number][] = [];
    const sorted = [...this.#ranges, [band.top, band.bottom] as const].toSorted(
      ([one], [other]) => one - other,
    );
    for (const [from, to] of sorted) {
      const last = merged.at(-1);
      if (last !== undefined && from <= last[1] + SLACK) last[1] = Math.max(last[1], to);
      else merged.push([from, to]);
    }
    this.#ranges = merged;
  }

  /** All of it has been on the screen. */
  get whole(): boolean {
    return this.#height > 0 && this.#end >= this.#height - SLACK;
  }

  /** Where the first part begins that was not on the screen, as a share of the height. */
  get next(): number {
    return this.#height === 0 ? 0 : Math.min(1, this.#end / this.#height);
  }

  get #end(): number {
    const [first] = this.#ranges;
    return first === undefined || first[0] > SLACK ? 0 : first[1];
  }
}

/** The part of an element that is on the screen, with everything that cuts it off; `undefined`: none. */
export function bandOf(element: HTMLElement): Band | undefined {
  const whole = element.getBoundingClientRect();
  let top = Math.max(whole.top, 0);
  let bottom = Math.min(whole.bottom, window.innerHeight);
  for (let box = element.parentElement; box !== null; box = box.parentElement) {
    if (getComputedStyle(box).overflowY === 'visible') continue;
    const cut = box.getBoundingClientRect();
    top = Math.max(top, cut.top + box.clientTop);
    bottom = Math.min(bottom, cut.top + box.clientTop + box.clientHeight);
  }
  if (bottom <= top || whole.width === 0) return undefined;
  return { top: top - whole.top, bottom: bottom - whole.top, height: whole.height };
}
