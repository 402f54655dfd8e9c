/** Characters kept from the beginning and from the end of a command's output. */
const HEAD = 256 * 1024;
const TAIL = 768 * 1024;

/** Keeps the beginning and the end of a long text that arrives in pieces; memory stays bounded. */
export class BoundedOutput {
  readonly #head: number;
  readonly #tail: number;
  #start = '';
  #pieces: string[] = [];
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
    this.#pieces.push(rest);
    this.#kept += rest.length;
    // Joined only now and then, so that a flood of small pieces costs no quadratic time.
    if (this.#kept > this.#tail * 2) this.#pieces = [this.#end()];
    if (this.#pieces.length === 1) this.#kept = this.#pieces[0]?.length ?? 0;
  }

  /** The text, with a line in the middle that says how much is left out. */
  toString(): string {
    const end = this.#end();
    const omitted = this.#total - this.#start.length - end.length;
    return omitted === 0
      ? this.#start + end
      : `${this.#start}\n[… ${omitted} characters left out …]\n${end}`;
  }

  #end(): string {
    const joined = this.#pieces.join('');
    return joined.length > this.#tail ? joined.slice(-this.#tail) : joined;
  }
}
