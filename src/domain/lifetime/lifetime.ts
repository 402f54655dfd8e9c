import type { Disposable } from './disposable.ts';

/** Disposes of its members in reverse order, each once; what is added afterwards at once. */
export class Lifetime implements Disposable {
  readonly #members = new Set<Disposable>();
  readonly #onError: (error: unknown) => void;
  #over = false;

  /** `onError` hears of members that throw while they are disposed of; the others still are. */
  constructor(onError: (error: unknown) => void = () => {}) {
    this.#onError = onError;
  }

  add<Member extends Disposable>(member: Member): Member {
    if (this.#over) this.#end(member);
    else this.#members.add(member);
    return member;
  }

  /** Disposes of one member before the others. */
  remove(member: Disposable): void {
    if (this.#members.delete(member)) this.#end(member);
  }

  dispose(): void {
    this.#over = true;
    for (const member of [...this.#members].toReversed()) this.remove(member);
  }

  #end(member: Disposable): void {
    try {
      member.dispose();
    } catch (error) {
      this.#onError(error);
    }
  }
}
