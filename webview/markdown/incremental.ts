import { Lexer, type MarkedToken, type TokensList } from 'marked';

/** A finished block: it will never change again. */
export interface Block {
  readonly key: number;
  readonly token: MarkedToken;
}

/** A code block that is still being written. */
export interface OpenCode {
  readonly language: string;
  readonly text: string;
}

/** What is on screen of a text: finished blocks in groups, and the open end. */
export interface Parsed {
  /** A full group is never replaced: what was rendered of it can be kept as it is. */
  readonly groups: readonly (readonly Block[])[];
  readonly tail: readonly MarkedToken[];
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
const FENCE = /^( {0,3})(`{3,}(?!`)|~{3,}(?!~))([^\n]*)\n/u;

/**
 * Parses markdown that grows at its end. Blocks before the last one are final; only the open end
 * is lexed again, and an open code block is not lexed at all. Text that only grows gives, when it
 * is finished, the blocks of one parse of the whole.
 */
export class IncrementalMarkdown {
  #text = '';
  #groups: Block[][] = [];
  #keys = 0;
  /** Where the open end begins. */
  #tailStart = 0;
  /** How far the text was taken. */
  #taken = 0;
  /** How far the open end was lexed. */
  #lexed = 0;
  #tail: readonly MarkedToken[] = [];
  #code: OpenCode | null = null;
  #links: TokensList['links'] = {};
  #finished = false;

  /** Takes the text as it is now, at most a step of it. `final`: it will not grow any more. */
  update(text: string, final: boolean): Parsed {
    if (!text.startsWith(this.#text) || (this.#finished && text.length > this.#text.length)) {
      this.#reset();
    }
    this.#text = text;
    const end = this.#stepEnd(text);
    const whole = final && end === text.length;
    if (end > this.#taken || (whole && !this.#finished)) {
      this.#taken = end;
      this.#advance(text, end, whole);
      this.#finished = whole;
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
    this.#tailStart = 0;
    this.#taken = 0;
    this.#lexed = 0;
    this.#tail = [];
    this.#code = null;
    this.#links = {};
    this.#finished = false;
  }

  /** A step ends at the end of a line where it can. */
  #stepEnd(text: string): number {
    if (text.length - this.#taken <= STEP) return text.length;
    const line = text.lastIndexOf('\n', this.#taken + STEP);
    return line >= this.#taken ? line + 1 : this.#taken + STEP;
  }

  #advance(text: string, end: number, whole: boolean): void {
    const tail = text.slice(this.#tailStart, end);
    if (!whole && this.#followCode(tail)) return;
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
    const tokens = this.#lex(tail);
    const open = whole ? tokens.length : openFrom(tokens);
    let length = 0;
    for (const token of tokens.slice(0, open)) {
      length += token.raw.length;
      if (token.type !== 'space' && token.type !== 'def') this.#close(token);
    }
    this.#tailStart += length;
    this.#tail = tokens.slice(open);
    if (!whole) this.#followCode(text.slice(this.#tailStart, end));
  }

  /** Whether the open end is a code block without its closing fence; then its text is only cut out. */
  #followCode(tail: string): boolean {
    const opening = FENCE.exec(tail);
    const [head, indent, fence, info] = opening ?? [];
    if (head === undefined || indent === undefined || fence === undefined || info === undefined)
      return false;
    if (fence.startsWith('`') && info.includes('`')) return false;
    const mark = fence.charAt(0);
    const closing = new RegExp(`(?:^|\\n) {0,3}${mark}{${fence.length},}[ \\t]*(?:\\n|$)`, 'u');
    const body = tail.slice(head.length);
    if (closing.test(body)) return false;
    const text =
      indent === '' ? body : body.replaceAll(new RegExp(`^ {1,${indent.length}}`, 'gmu'), '');
    this.#code = { language: info.trim(), text };
    this.#tail = [];
    return true;
  }

  #lex(source: string): MarkedToken[] {
    const lexer = new Lexer({ gfm: true });
    Object.assign(lexer.tokens.links, this.#links);
    const tokens = lexer.lex(source);
    this.#links = tokens.links;
    return tokens as unknown as MarkedToken[];
  }

  #close(token: MarkedToken): void {
    const block: Block = { key: this.#keys, token };
    this.#keys += 1;
    const last = this.#groups.at(-1);
    // Groups are replaced, not changed: the identity of a group says whether it is the same.
    if (last === undefined || last.length >= GROUP) this.#groups = [...this.#groups, [block]];
    else this.#groups = [...this.#groups.slice(0, -1), [...last, block]];
  }
}

/**
 * The first token that may still change. The last block may, and the one before it as long as
 * the first line of the last is not complete: the line may turn out to belong to it.
 */
function openFrom(tokens: readonly MarkedToken[]): number {
  const last = tokens.findLastIndex((token) => token.type !== 'space');
  const token = tokens[last];
  if (token === undefined) return 0;
  if (token.raw.includes('\n') || last < tokens.length - 1) return last;
  const before = tokens.slice(0, last).findLastIndex((other) => other.type !== 'space');
  return before === -1 ? 0 : before;
}

/** Shows text that was not lexed yet behind the last block, as it is. */
function withRest(tail: readonly MarkedToken[], rest: string): readonly MarkedToken[] {
  const lexed = tail.filter((token) => token.type !== 'text' || token.escaped !== true);
  return [...lexed, { type: 'text', raw: rest, text: rest, escaped: true }];
}
