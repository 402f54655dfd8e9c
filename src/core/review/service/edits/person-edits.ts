/** Which files the person typed in or saved, and when: counted, because clocks jump. */
export class PersonEdits {
  readonly #last = new Map<string, number>();
  #count = 0;

  get now(): number {
    return this.#count;
  }

  touched(path: string): void {
    this.#count += 1;
    this.#last.delete(path);
    this.#last.set(path, this.#count);
    const [oldest] = this.#last.keys();
    if (this.#last.size > 5000 && oldest !== undefined) this.#last.delete(oldest);
  }

  since(path: string, moment: number): boolean {
    return (this.#last.get(path) ?? 0) > moment;
  }
}
