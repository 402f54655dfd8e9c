import { signal } from '@preact/signals';

/** Texts that are being written at several places at once; they outlast folding these and other sessions. */
export class Drafts<Draft> {
  readonly #all = signal<ReadonlyMap<string, Draft>>(new Map());

  at(place: string): Draft | undefined {
    return this.#all.value.get(place);
  }

  /** `undefined`: nothing is being written there any more. */
  set(place: string, draft: Draft | undefined): void {
    const all = new Map(this.#all.peek());
    if (draft === undefined) all.delete(place);
    else all.set(place, draft);
    this.#all.value = all;
  }
}
