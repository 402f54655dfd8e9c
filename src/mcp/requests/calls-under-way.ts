import type { AskingCall } from './person.ts';

/** A call, and the signal of its end once a question of the server wanted it. */
interface UnderWay {
  readonly call: AskingCall;
  end?: AbortController;
}

/** Calls of one server that are under way: whom a question of it belongs to. */
export class CallsUnderWay {
  readonly #calls = new Set<UnderWay>();

  get size(): number {
    return this.#calls.size;
  }

  /** Call what it returns when the call has ended. */
  begin(call: AskingCall): () => void {
    const underWay: UnderWay = { call };
    this.#calls.add(underWay);
    return () => {
      this.#calls.delete(underWay);
      underWay.end?.abort();
    };
  }

  /** The one that began last. Its `over` is made here: most calls are asked nothing, and an abort costs more than the rest of a call. */
  latest(): AskingCall | undefined {
    const latest = [...this.#calls].at(-1);
    if (latest === undefined) return undefined;
    latest.end ??= new AbortController();
    return { ...latest.call, over: latest.end.signal };
  }
}
