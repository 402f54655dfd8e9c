import type { LineChange } from './line-changes.ts';
import type { Replacement } from './replacement.ts';

/** The lines of a text, without their ends, and where they begin. The text has LF line ends. */
export class LineIndex {
  readonly lines: readonly string[];
  readonly #starts: number[] = [];
  readonly #length: number;

  constructor(text: string) {
    this.lines = text.split('\n');
    this.#length = text.length;
    let at = 0;
    for (const line of this.lines) {
      this.#starts.push(at);
      at += line.length + 1;
    }
  }

  /** The start of a line; behind the last one: the end of the text. */
  start(line: number): number {
    return this.#starts[line] ?? this.#length;
  }

  /** The end of a line, without its line end. */
  end(line: number): number {
    return this.start(line) + (this.lines[line] ?? '').length;
  }

  /** A change of whole lines as a change of characters; lines beside it keep theirs. */
  replacement({ from, to, lines }: LineChange): Replacement {
    const text = lines.join('\n');
    if (from < to) {
      if (lines.length > 0) return { from: this.start(from), to: this.end(to - 1), text };
      const last = to >= this.lines.length;
      return last && from > 0
        ? { from: this.end(from - 1), to: this.end(to - 1), text: '' }
        : { from: this.start(from), to: this.start(to), text: '' };
    }
    if (from < this.lines.length)
      return { from: this.start(from), to: this.start(from), text: `${text}\n` };
    return { from: this.#length, to: this.#length, text: `\n${text}` };
  }
}
