import { applyReplacements } from './replacement.ts';
import type { Replacement } from './replacement.ts';

/** A text with LF only, and the way back: every line keeps the end that it had. */
export class LineEnds {
  readonly text: string;
  readonly #original: string;
  /** Characters of `text` after which a CR was left out, ascending. */
  readonly #dropped: readonly number[];

  constructor(original: string) {
    this.#original = original;
    const dropped: number[] = [];
    for (let at = original.indexOf('\r\n'); at !== -1; at = original.indexOf('\r\n', at + 2))
      dropped.push(at - dropped.length);
    this.#dropped = dropped;
    this.text = dropped.length === 0 ? original : original.replaceAll('\r\n', '\n');
  }

  /** The original with replacements that were found in `text`; new lines end as those they replace. */
  apply(replacements: readonly Replacement[]): string {
    if (this.#dropped.length === 0) return applyReplacements(this.#original, replacements);
    return applyReplacements(
      this.#original,
      replacements.map(({ from, to, text }) => {
        const crlf = this.#endsWithCrlf(from, to);
        return {
          from: this.#place(from),
          to: this.#place(to),
          text: crlf ? text.replace(/\r?\n/gu, '\r\n') : text,
        };
      }),
    );
  }

  /** Where a character of `text` lies in the original. A CR belongs to the LF after it. */
  #place(at: number): number {
    return at + this.#droppedBefore(at);
  }

  #droppedBefore(at: number): number {
    let low = 0;
    let high = this.#dropped.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#dropped[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The first line end in or after the place decides; without one, what most lines have. */
  #endsWithCrlf(from: number, to: number): boolean {
    const inside = this.text.indexOf('\n', from);
    const end =
      inside === -1 || inside > to ? this.text.lastIndexOf('\n', Math.max(0, from - 1)) : inside;
    const at = end === -1 ? inside : end;
    if (at === -1) return false;
    const index = this.#droppedBefore(at);
    return this.#dropped[index] === at;
  }
}
