/** Largest number of files that are remembered; the oldest go. */
const MAX_FILES = 5000;

/** The files that the user typed in or saved in this window, and when: counted, because clocks jump. */
export class UserEdits {
  readonly #last = new Map<string, number>();
  #count = 0;

  /** The number of edits so far; a moment for `isEditedSince`. */
  get count(): number {
    return this.#count;
  }

  noteEdit(path: string): void {
    this.#count += 1;
    this.#last.delete(path);
    this.#last.set(path, this.#count);
    const [oldest] = this.#last.keys();
    if (this.#last.size > MAX_FILES && oldest !== undefined) this.#last.delete(oldest);
  }

  isEditedSince(path: string, count: number): boolean {
    return (this.#last.get(path) ?? 0) > count;
  }
}
