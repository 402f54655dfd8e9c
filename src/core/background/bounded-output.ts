/** Characters kept from the beginning and from the end of a command's output. */
const HEAD = 256 * 1024;
const TAIL = 768 * 1024;
/** Pieces shorter than this grow, so that a flood of small ones stays a short list. */
const PIECE = 16 * 1024;

/** Keeps the beginning and the end of a long text that arrives in pieces; memory stays bounded. */
export class BoundedOutput {
  readonly #head: number;
  readonly #tail: number;
  #start = '';
  /** The end, in pieces; what is not needed any more is dropped piece by piece. */
  #pieces: string[] = [];
  #dropped = 0;
  #kept = 0;
  #total = 0;

  constructor(head = HEAD, tail = TAIL) {
    this.#head = head;
    this.#tail = tail;
  }

  /** Characters seen. */
  get total(): number {
    return this.#total;
  }

  add(text: string): void {
    this.#total += text.length;
    const room = this.#head - this.#start.length;
    let rest = text;
    if (room > 0) {
      this.#start += rest.slice(0, room);
      rest = rest.slice(room);
    }
    if (rest === '') return;
    const last = this.#pieces.at(-1);
    if (last !== undefined && last.length < PIECE)
      this.#pieces[this.#pieces.length - 1] = last + rest;
    else this.#pieces.push(rest);
    this.#kept += rest.length;
    this.#drop();
  }

  /** The text, with a line in the middle that says how much is left out. */
  toString(): string {
    const joined = this.#pieces.slice(this.#dropped).join('');
    const end = joined.length > this.#tail ? joined.slice(-this.#tail) : joined;
    const omitted = this.#total - this.#start.length - end.length;
    return omitted === 0
      ? this.#start + end
      : `${this.#start}\n[… ${omitted} characters left out …]\n${end}`;
  }

  #drop(): void {
    for (;;) {
      const length = this.#pieces[this.#dropped]?.length ?? 0;
      if (length === 0 || this.#kept - length < this.#tail) break;
      this.#pieces[this.#dropped] = '';
      this.#dropped += 1;
      this.#kept -= length;
    }
    if (this.#dropped < 1000) return;
    this.#pieces = this.#pieces.slice(this.#dropped);
    this.#dropped = 0;
  }
}
