import { type Steps, inOneGo } from '../../domain/lifetime/steps.ts';
import { firstWhere } from './first-where.ts';
import { type Replacement, applyingReplacements } from './replacement.ts';

/** Replacements that are looked at in one step: a few milliseconds. */
const STEP = 5000;

/** A text with LF only, and the way back: every line keeps the end that it had. */
export class LineEnds {
  readonly text: string;
  readonly #original: string;
  /** Characters of `text` after which a CR was left out, ascending. */
  readonly #dropped: readonly number[];
  /** The ends of the lines of `text`. */
  #ends: readonly number[] | undefined;

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
    return inOneGo(this.applying(replacements));
  }

  /** The same in steps. */
  *applying(replacements: readonly Replacement[]): Steps<string> {
    if (this.#dropped.length === 0)
      return yield* applyingReplacements(this.#original, replacements);
    const own: Replacement[] = [];
    for (const { from, to, text } of replacements) {
      const crlf = this.#endsWithCrlf(from, to);
      own.push({
        from: this.#place(from),
        to: this.#place(to),
        text: crlf ? text.replace(/\r?\n/gu, '\r\n') : text,
      });
      if (own.length % STEP === 0) yield;
    }
    return yield* applyingReplacements(this.#original, own);
  }

  /** A character's place in the original. A CR belongs to the LF after it. */
  #place(at: number): number {
    return at + this.#droppedBefore(at);
  }

  #droppedBefore(at: number): number {
    return firstWhere(this.#dropped, (dropped) => dropped >= at);
  }

  /** The first line end in or after the place decides; without one, what most lines have. */
  #endsWithCrlf(from: number, to: number): boolean {
    this.#ends ??= lineFeeds(this.text);
    const next = firstWhere(this.#ends, (at) => at >= from);
    const inside = this.#ends[next];
    const at = inside === undefined || inside > to ? (this.#ends[next - 1] ?? inside) : inside;
    return at !== undefined && this.#dropped[this.#droppedBefore(at)] === at;
  }
}

function lineFeeds(text: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) found.push(at);
  return found;
}
