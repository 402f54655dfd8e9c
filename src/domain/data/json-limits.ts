/** Values of one part of a JSON text: its members and items at all levels. A server's result or one server of a file is a part. */
export const MAX_JSON_VALUES = 10_000;
/** Levels of lists and objects in a JSON text. */
export const MAX_JSON_LEVELS = 100;
/** Values of a list of parts, for example of all tools of a page: to parse more would block the window for over 50 ms. */
const MAX_LIST_VALUES = 50_000;
/** The level of parts: a message has `result` and a file `mcpServers` above them. */
const PART_LEVEL = 3;

/** Replaces what is over the limits. */
export const CUT_JSON = '[left out: more than 10,000 values or 100 levels]';

/** True when a part is over the limits, or was before `cutJson`. */
export function isOverLimits(part: unknown): boolean {
  try {
    const text = JSON.stringify(part) ?? '';
    return cutJson(`[[${text}]]`).includes(CUT_JSON);
  } catch {
    // It has more levels than the stack.
    return true;
  }
}

interface Container {
  readonly start: number;
  /** Values of the text before it. */
  readonly before: number;
  readonly limit: number;
  readonly isList: boolean;
  /** A list of parts: only its last items are cut. */
  readonly isPartList: boolean;
}

/**
 * Returns JSON (comments allowed) that is safe to parse and to walk: a list or object with more values or levels than
 * the limits becomes the text `CUT_JSON`. Takes linear time and never throws, also when the text is no JSON.
 */
export function cutJson(text: string): string {
  const cutter = new Cutter();
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charCodeAt(at);
    if (letter === 0x22) at = findStringEnd(text, at);
    else if (letter === 0x2f) at = findCommentEnd(text, at);
    else if (letter === 0x5b || letter === 0x7b) cutter.open(at, letter === 0x5b);
    else if (letter === 0x2c) cutter.addItem(at);
    else if ((letter === 0x5d || letter === 0x7d) && cutter.close(at, letter === 0x5d)) break;
  }
  return cutter.apply(text);
}

class Cutter {
  readonly #cuts: { readonly start: number; readonly end: number }[] = [];
  readonly #open: Container[] = [];
  #values = 0;
  #level = 0;
  /** Everything from `start` to the end of the list or object at `level` is cut. */
  #skipped: { readonly start: number; readonly level: number } | undefined;

  open(start: number, isList: boolean): void {
    this.#level += 1;
    if (this.#skipped !== undefined) return;
    const isPartList = isList && this.#level === PART_LEVEL;
    const limit = isPartList
      ? MAX_LIST_VALUES
      : this.#level < PART_LEVEL
        ? 2 * MAX_LIST_VALUES
        : MAX_JSON_VALUES;
    this.#open.push({ start, before: this.#values, limit, isList, isPartList });
    this.#values += 1;
    if (this.#level > MAX_JSON_LEVELS) this.#skipped = { start, level: this.#level };
  }

  /** Returns true when no parser reads on: the whole value ended, or the bracket does not belong here. */
  close(at: number, isList: boolean): boolean {
    const skipped = this.#skipped;
    if (this.#level === (skipped?.level ?? this.#level)) {
      const container = this.#open.pop();
      if (skipped === undefined && container?.isList !== isList) {
        this.#skipped = { start: at, level: 0 };
        return true;
      }
      if (skipped !== undefined && container !== undefined) {
        this.#cut(skipped.start, container.isPartList ? at : at + 1);
        this.#skipped = undefined;
        this.#values = container.before + 1;
      }
    }
    this.#level -= 1;
    if (this.#open.at(-1)?.isPartList !== true) this.#checkLimit(at);
    return this.#level === 0;
  }

  /** @param at the place of the comma */
  addItem(at: number): void {
    this.#values += 1;
    this.#checkLimit(at);
  }

  apply(text: string): string {
    if (this.#skipped !== undefined) this.#cut(this.#skipped.start, text.length);
    let from = 0;
    const pieces = this.#cuts.map(({ start, end }) => {
      const piece = `${text.slice(from, start)}"${CUT_JSON}"`;
      from = end;
      return piece;
    });
    return pieces.length === 0 ? text : pieces.join('') + text.slice(from);
  }

  #checkLimit(at: number): void {
    const container = this.#skipped === undefined ? this.#open.at(-1) : undefined;
    if (container === undefined || this.#values - container.before <= container.limit) return;
    const start = container.isPartList ? at + 1 : container.start;
    this.#skipped = { start, level: this.#level };
  }

  #cut(start: number, end: number): void {
    while ((this.#cuts.at(-1)?.start ?? -1) >= start) this.#cuts.pop();
    this.#cuts.push({ start, end });
  }
}

function findStringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const letter = text.charCodeAt(at);
    if (letter === 0x22) return at;
    if (letter === 0x5c) at += 1;
  }
  return text.length;
}

function findCommentEnd(text: string, start: number): number {
  const [mark, shift] = text[start + 1] === '/' ? ['\n', 0] : ['*/', 1];
  if (text[start + 1] !== '/' && text[start + 1] !== '*') return start;
  const end = text.indexOf(mark, start + 2);
  return end === -1 ? text.length : end + shift;
}
