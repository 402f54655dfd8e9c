import type {
  TextMatch,
  TextSearchRequest,
  TextSearchResult,
} from '../../../core/ports/files/search.ts';
import { compare } from './file-names.ts';
import { shownLine } from './matched-line.ts';
import { type SearchRules, isLeftOut, isTooLarge } from './search-rules.ts';

interface Text {
  readonly text?: string;
  /** Base64, when it is not UTF-8. */
  readonly bytes?: string;
}

interface Report {
  readonly type: 'begin' | 'match' | 'context' | 'end' | 'summary';
  readonly data: {
    readonly path?: Text;
    readonly lines?: Text;
    readonly line_number?: number | null;
    readonly submatches?: readonly { readonly start: number; readonly end: number }[];
  };
}

/** Puts matches and the lines around them together. */
export class MatchCollector {
  readonly #limit: number;
  readonly #context: number;
  readonly #isHidden: (file: string) => boolean;
  readonly #matches: {
    path: string;
    line: number;
    text: string;
    before: string[];
    after: string[];
  }[] = [];
  #before: { readonly line: number; readonly text: string }[] = [];
  /** The file that is reported does not count. */
  #hidden = false;
  full = false;

  constructor({ limit, context, root }: TextSearchRequest, rules: SearchRules) {
    this.#limit = limit;
    this.#context = context;
    this.#isHidden = (file) => isLeftOut(file, root, rules) || isTooLarge(file);
  }

  get count(): number {
    return this.#matches.length;
  }

  take(line: string): void {
    // Most reports are of no use here, and reading JSON takes longer than all the rest.
    const isBegin = line.startsWith('{"type":"b');
    if (this.full || (this.#hidden && !isBegin) || !/^\{"type":"[bmc]/u.test(line)) return;
    const { type, data } = JSON.parse(line) as Report;
    if (type === 'begin') {
      this.#before = [];
      this.#hidden = this.#isHidden(textOf(data.path));
    } else this.#line(type === 'match', data);
  }

  #line(isMatch: boolean, data: Report['data']): void {
    const number = data.line_number ?? 0;
    const text = textOf(data.lines);
    if (isMatch && this.#matches.length >= this.#limit) {
      this.full = true;
      return;
    }
    // Columns of ripgrep are bytes; for lines of plain ASCII, the long ones, they are characters.
    const first = data.submatches?.[0];
    const shown = shownLine(text, first?.start, first?.end);
    const path = textOf(data.path);
    for (const match of this.#matches.slice(-this.#context - 1)) {
      if (match.path === path && number > match.line && number - match.line <= this.#context)
        match.after.push(shown);
    }
    if (isMatch) {
      const before = this.#before
        .filter((earlier) => number - earlier.line <= this.#context)
        .map((earlier) => earlier.text);
      this.#matches.push({ path, line: number, text: shown, before, after: [] });
    }
    this.#before.push({ line: number, text: shown });
    if (this.#before.length > this.#context) this.#before.shift();
  }

  result(): TextSearchResult {
    const matches: TextMatch[] = this.#matches.toSorted(
      (left, right) => compare(left.path, right.path) || left.line - right.line,
    );
    return { matches, complete: !this.full };
  }
}

function textOf(value: Text | undefined): string {
  return value?.text ?? new TextDecoder().decode(Buffer.from(value?.bytes ?? '', 'base64'));
}
