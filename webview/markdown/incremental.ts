import type { TokensList } from 'marked';
import { FencedCode } from './fences.ts';
import { levelHeadings, MESSAGE } from './heading-levels.ts';
import { answerLexer, type MarkdownToken } from './syntax.ts';

/** A finished block: it will never change again. */
export interface Block {
  readonly key: number;
  readonly token: MarkdownToken;
}

/** A code block that is still being written. */
export interface OpenCode {
  readonly language: string;
  readonly text: string;
}

/** A text on screen: finished blocks in groups, and the open end. */
export interface Parsed {
  /** A full group is never replaced: what was rendered of it can be kept as it is. */
  readonly groups: readonly (readonly Block[])[];
  readonly tail: readonly MarkdownToken[];
  readonly code: OpenCode | null;
  /** There is more text than was taken in one step: step again in the next frame. */
  readonly behind: boolean;
}

/** Blocks of a group. */
const GROUP = 12;
/** Characters taken in one step: about 5 ms of work on a slow machine. */
const STEP = 12_000;
/** An open end longer than this is lexed again only when it has grown by an eighth. */
const LONG_TAIL = 8000;
/**
 * Characters of one block that are lexed as one; a longer one is cut at the end of a line, or a table behind a
 * row: 10 to 30 ms of work on a slow machine.
 */
const LONGEST_BLOCK = 16_000;
/** Characters of code from which on it is cut out without the lexer, which reads it several times. */
const LONG_CODE = 50_000;
/** Lists and quotations nested deeper are shown as they were written: their work grows with the square. */
const DEEP =
  /^(?: {60,}(?:[-*+]|\d{1,9}[.)])[ \t]|(?: {0,3}> ?){30,})|[[\]*_~`(<!$]{200,}|(?:[-*+] ){30,}/mu;

/**
 * Parses markdown that grows at its end. Blocks before the last one are final; only the open end
 * is lexed again, and an open code block is not lexed at all. Text that only grows gives, when it
 * is finished, the blocks of one parse of the whole.
 */
export class IncrementalMarkdown {
  #text = '';
  #groups: Block[][] = [];
  #keys = 0;
  /** The level of the last heading that will not change. */
  #level = MESSAGE;
  /** Where the open end begins. */
  #tailStart = 0;
  /** How far the text was taken. */
  #taken = 0;
  /** How far the open end was lexed. */
  #lexed = 0;
  #tail: readonly MarkdownToken[] = [];
  #code: OpenCode | null = null;
  #links: TokensList['links'] = {};
  #finished = false;
  /** The head of a table that was cut: its other rows are lexed as another one, behind it. */
  #header = '';
  /** The code block that the open end begins with, and where it begins. */
  #fenced: FencedCode | undefined;
  #codeStart = -1;

  /** Takes the text as it is now, at most a step of it. `final`: it will not grow any more. */
  update(text: string, final: boolean): Parsed {
    const goesOn = text === this.#text || text.startsWith(this.#text);
    if (!goesOn || (this.#finished && text.length > this.#text.length)) {
      this.#reset();
    }
    this.#text = text;
    const end = this.#stepEnd(text);
    const whole = final && end === text.length;
    if (end > this.#taken || (whole && !this.#finished)) {
      this.#taken = end;
      this.#advance(text, end, whole);
      this.#finished = whole && this.#taken === text.length;
    }
    return {
      groups: this.#groups,
      tail: this.#tail,
      code: this.#code,
      behind: this.#taken < text.length,
    };
  }

  #reset(): void {
    this.#groups = [];
    this.#level = MESSAGE;
    this.#tailStart = 0;
    this.#taken = 0;
    this.#lexed = 0;
    this.#tail = [];
    this.#code = null;
    this.#links = {};
    this.#finished = false;
    this.#header = '';
    this.#codeStart = -1;
  }

  /** A step ends at the end of a line where it can. */
  #stepEnd(text: string): number {
    if (text.length - this.#taken <= STEP) return text.length;
    const line = text.lastIndexOf('\n', this.#taken + STEP);
    return line >= this.#taken ? line + 1 : this.#taken + STEP;
  }

  #advance(text: string, end: number, whole: boolean): void {
    const tail = this.#header + text.slice(this.#tailStart, end);
    if (this.#followCode(tail, whole)) return;
    this.#code = null;
    const grown = end - this.#lexed;
    if (
      !whole &&
      this.#lexed > this.#tailStart &&
      tail.length > LONG_TAIL &&
      grown < tail.length / 8
    ) {
      this.#tail = withRest(this.#tail, text.slice(this.#lexed, end));
      return;
    }
    this.#lexed = end;
    const tokens = this.#lex(tail, whole);
    // A block without an end is cut: what is lexed at once stays small.
    const isLong = tail.length > LONGEST_BLOCK + this.#header.length && openFrom(tokens) === 0;
    const open = whole || isLong ? tokens.length : openFrom(tokens);
    let length = open > 0 ? -this.#header.length : 0;
    for (const token of tokens.slice(0, open)) {
      length += token.raw.length;
      if (token.type !== 'space' && token.type !== 'def') this.#close(token);
    }
    this.#tailStart += length;
    this.#tail = tokens.slice(open);
    levelHeadings(this.#tail, this.#level);
    this.#header = isLong ? headerOf(tokens.at(-1)) : open > 0 ? '' : this.#header;
    if (!whole) this.#followCode(text.slice(this.#tailStart, end), false);
  }

  /** True when the open end is a code block, perhaps a long one that ends; then its text is only cut out. */
  #followCode(tail: string, whole: boolean): boolean {
    if (this.#codeStart !== this.#tailStart) this.#fenced = FencedCode.read(tail);
    const fenced = this.#fenced;
    if (fenced === undefined) return false;
    this.#codeStart = this.#tailStart;
    const end = fenced.findEnd(tail, whole);
    const isEnd = whole || end?.complete === true;
    if (isEnd && tail.length < LONG_CODE) return false;
    const text = fenced.codeIn(tail, end);
    this.#tail = [];
    if (isEnd) {
      this.#code = null;
      this.#tailStart += end?.to ?? tail.length;
      this.#lexed = this.#tailStart;
      this.#close({ type: 'code', raw: '', lang: fenced.info, text });
      // The rest is for the next step.
      this.#taken = Math.min(this.#taken, this.#tailStart);
    } else this.#code = { language: fenced.info, text };
    return true;
  }

  #lex(source: string, whole: boolean): MarkdownToken[] {
    if (DEEP.test(source) || isTangled(source))
      return [{ type: 'html', raw: source, text: source, pre: false, block: true }];
    const lexer = answerLexer(whole ? '' : source);
    Object.assign(lexer.tokens.links, this.#links);
    const tokens = lexer.lex(source);
    this.#links = tokens.links;
    return tokens as unknown as MarkdownToken[];
  }

  #close(token: MarkdownToken): void {
    this.#level = levelHeadings([token], this.#level);
    const block: Block = { key: this.#keys, token };
    this.#keys += 1;
    const last = this.#groups.at(-1);
    // Groups are replaced, not changed: the identity of a group says whether it is the same.
    if (last === undefined || last.length >= GROUP) this.#groups.push([block]);
    else this.#groups[this.#groups.length - 1] = [...last, block];
  }
}

/**
 * The first token that may still change. The last block may, and the one before it as long as
 * the first line of the last is not complete: the line may turn out to belong to it.
 */
function openFrom(tokens: readonly MarkdownToken[]): number {
  const last = tokens.findLastIndex((token) => token.type !== 'space');
  const token = tokens[last];
  if (token === undefined) return 0;
  if (token.raw.includes('\n') || last < tokens.length - 1) return last;
  const before = tokens.slice(0, last).findLastIndex((other) => other.type !== 'space');
  return before === -1 ? 0 : before;
}

/** Marks of emphasis and of formulas in one paragraph: each is compared with each other one, 40 ms at worst. */
const MOST_MARKS = 1000;

/** True for a paragraph with more marks than can be matched in time. */
function isTangled(source: string): boolean {
  const count = (text: string): number => text.match(/[*_~$]+|\\[([]/gu)?.length ?? 0;
  return (
    count(source) > MOST_MARKS &&
    source.split(/\n\s*\n|\n\|/u).some((one) => count(one) > MOST_MARKS)
  );
}

/** The first two lines of a table. */
function headerOf(token: MarkdownToken | undefined): string {
  return token?.type === 'table' ? (/^[^\n]*\n[^\n]*\n/u.exec(token.raw)?.[0] ?? '') : '';
}

/** Shows text that was not lexed yet behind the last block, as it is. */
function withRest(tail: readonly MarkdownToken[], rest: string): readonly MarkdownToken[] {
  const lexed = tail.filter((token) => token.type !== 'text' || token.escaped !== true);
  return [...lexed, { type: 'text', raw: rest, text: rest, escaped: true }];
}
