/** Where a code block ends: its last line begins at `from` and ends before `to`. */
interface CodeEnd {
  readonly from: number;
  readonly to: number;
  /** Text that follows does not change it. */
  readonly complete: boolean;
}

const OPENING = /^( {0,3})(`{3,}(?=[^`\n]*\n)|~{3,})([^\n]*)\n/u;
const MARKDOWN = /^(?:markdown|mdx?)(?![^\s{,:])/iu;

/**
 * A fenced code block at the beginning of a text that may grow. In one of markdown, a fence with an info string, or
 * behind the mark of a list item, opens an inner block, and a bare fence closes the innermost open one. Fences with
 * fewer marks than the outer one, or with other marks, are text.
 */
export class FencedCode {
  readonly info: string;
  readonly isMarkdown: boolean;
  /** Where the code begins. */
  readonly #start: number;
  readonly #indent: number;
  /** A line with a fence: what it is behind, marks of list items, the fence, the info string, the line feed. */
  readonly #line: RegExp;
  /** How many marks the open inner fences have, the innermost last. */
  readonly #inner: number[] = [];
  /** The first line that could end the block if it had no inner ones. */
  #first: CodeEnd | undefined;

  private constructor([head, indent = '', fence = '', info = '']: RegExpExecArray) {
    this.info = info.trim();
    this.isMarkdown = MARKDOWN.test(this.info);
    this.#start = head.length;
    this.#indent = indent.length;
    const mark = fence.charAt(0);
    this.#line = new RegExp(
      `^([ \\t>]*)((?:(?:[-*+]|\\d{1,9}[.)])[ \\t]+)*)(${mark}{${fence.length},})([^\\n${mark === '~' ? '' : mark}]*)(\\n|$)`,
      'gmu',
    );
    this.#line.lastIndex = head.length;
  }

  /** The code block that a text begins with, once its first line is complete. */
  static read(text: string): FencedCode | undefined {
    const opening = OPENING.exec(text);
    return opening === null ? undefined : new FencedCode(opening);
  }

  /**
   * Finds the end in the same text, or in one that has grown; complete lines are read once. `final`: it does not grow
   * any more. Then a block whose inner blocks do not all close ends at its first bare fence, as in CommonMark.
   */
  findEnd(text: string, final: boolean): CodeEnd | undefined {
    for (const found of text.matchAll(this.#line)) {
      const [line, before = '', item = '', marks = '', info = '', feed] = found;
      const opens = item !== '' || info.trim() !== '';
      const to = found.index + line.length;
      const end = { from: found.index, to, complete: final || feed !== '' };
      const isOuter = !opens && /^ {0,3}$/u.test(before);
      if (isOuter && this.#inner.length === 0) return end;
      if (!end.complete) return undefined;
      if (isOuter) this.#first ??= end;
      this.#follow(opens, marks.length);
      this.#line.lastIndex = to;
    }
    this.#line.lastIndex = Math.max(this.#line.lastIndex, text.lastIndexOf('\n') + 1);
    return final ? this.#first : undefined;
  }

  #follow(opens: boolean, length: number): void {
    if (opens && this.isMarkdown) this.#inner.push(length);
    else if (!opens && length >= (this.#inner.at(-1) ?? Infinity)) this.#inner.pop();
  }

  /** The code before its end, or all of it so far, without the line feed of its last line. */
  codeIn(text: string, end: CodeEnd | undefined): string {
    const code = text.slice(this.#start, end?.from).replace(/(?<=[^\n])\n$/u, '');
    return this.#indent === 0
      ? code
      : code.replaceAll(new RegExp(`^ {1,${this.#indent}}`, 'gmu'), '');
  }
}
