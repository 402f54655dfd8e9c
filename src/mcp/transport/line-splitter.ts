/** A stream's lines, and lines that were too long to keep. */
export interface LineHandlers {
  line(text: string): void;
  /** The first and the last characters of a line that was longer than the limit. */
  tooLong(head: string, tail: string): void;
}

/** Bytes kept of the ends of a line that is too long. */
const endLength = 512;

/** Splits a stream into lines; a line longer than the limit is skipped as it comes, not kept. */
export class LineSplitter {
  readonly #limit: number;
  readonly #handlers: LineHandlers;
  #pieces: Buffer[] = [];
  #length = 0;
  /** Ends of the line that is being skipped. */
  #skipped: { head: Buffer; tail: Buffer } | undefined;

  /** `limit`: bytes of the longest line. */
  constructor(limit: number, handlers: LineHandlers) {
    this.#limit = limit;
    this.#handlers = handlers;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.#add(chunk.subarray(from, end));
      this.#finishLine();
      from = end + 1;
    }
    this.#add(chunk.subarray(from));
  }

  #add(piece: Buffer): void {
    if (piece.length === 0) return;
    if (this.#skipped !== undefined) {
      this.#skipped.tail = Buffer.concat([this.#skipped.tail, piece]).subarray(-endLength);
      return;
    }
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length <= this.#limit) return;
    const whole = Buffer.concat(this.#pieces);
    // Copies: a view would keep the whole line in memory.
    this.#skipped = {
      head: Buffer.from(whole.subarray(0, endLength)),
      tail: Buffer.from(whole.subarray(-endLength)),
    };
    this.#pieces = [];
    this.#length = 0;
  }

  #finishLine(): void {
    const { head, tail } = this.#skipped ?? {};
    const [only, second] = this.#pieces;
    const whole = only !== undefined && second === undefined ? only : Buffer.concat(this.#pieces);
    const text = whole.toString('utf8');
    this.#pieces = [];
    this.#length = 0;
    this.#skipped = undefined;
    if (head !== undefined && tail !== undefined) {
      this.#handlers.tooLong(head.toString('utf8'), tail.toString('utf8'));
    } else if (text.trim() !== '') {
      this.#handlers.line(text.endsWith('\r') ? text.slice(0, -1) : text);
    }
  }
}
