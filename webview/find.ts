import { signal, type Signal } from '@preact/signals';
import type { FoundPlace } from '../src/protocol/view.ts';
import type { HostRequests } from './host/host-requests.ts';

/** One hit: the message, and which of its hits. */
export interface FoundHit {
  readonly seq: number;
  readonly id: string;
  readonly nth: number;
}

/** Finding in the conversation: over the whole session, loaded or not. */
export class Find {
  readonly open = signal(false);
  readonly query = signal('');
  readonly matchCase = signal(false);
  readonly places: Signal<readonly FoundPlace[]> = signal([]);
  /** The hit that was gone to. */
  readonly current: Signal<FoundHit | null> = signal(null);
  /** Asks the field to take the focus. */
  readonly focus = signal(0);
  /** The seq of the message at the top of the screen: there the search begins. */
  origin: () => number = () => 0;
  readonly #host: Pick<HostRequests, 'ask'>;
  readonly #session: () => string | null;
  readonly #go: (hit: FoundHit) => void;
  #asked = 0;
  /** The message from which on the first hit is to be gone to, once the answer is there. */
  #from: number | undefined;

  /** `go`: shows a hit. */
  constructor(
    host: Pick<HostRequests, 'ask'>,
    session: () => string | null,
    go: (hit: FoundHit) => void,
  ) {
    this.#host = host;
    this.#session = session;
    this.#go = go;
  }

  /** Opens it; with a query and a message it goes there. */
  show(query?: string, seq?: number): void {
    this.open.value = true;
    this.focus.value += 1;
    if (query === undefined) return;
    this.matchCase.value = false;
    this.query.value = query;
    void this.refresh(seq);
  }

  close(): void {
    this.open.value = false;
    this.#from = undefined;
    this.places.value = [];
    this.current.value = null;
  }

  /** All hits, and the place of the current one among them, from 1; 0: there is none. */
  get count(): { readonly position: number; readonly total: number } {
    const { value: current } = this.current;
    let position = 0;
    let total = 0;
    for (const { id, hits } of this.places.value) {
      if (id === current?.id) position = total + Math.min(current.nth, hits - 1) + 1;
      total += hits;
    }
    return { position, total };
  }

  /** Looks again; `from`: goes to the first hit from this message on, else what was gone to stays. */
  async refresh(from?: number): Promise<void> {
    this.#asked += 1;
    this.#from = from ?? this.#from;
    const asked = this.#asked;
    const sessionId = this.#session();
    const query = this.query.peek();
    const found =
      sessionId === null || query.trim() === ''
        ? { places: [] }
        : await this.#host.ask('findInSession', {
            sessionId,
            query,
            matchCase: this.matchCase.peek(),
          });
    if (found === undefined || asked !== this.#asked || !this.open.peek()) return;
    if (JSON.stringify(this.places.peek()) !== JSON.stringify(found.places))
      this.places.value = found.places;
    const { current } = this;
    const first = this.#from;
    this.#from = undefined;
    if (first !== undefined) {
      const place = found.places.find(({ seq }) => seq >= first) ?? found.places[0];
      this.#choose(place === undefined ? null : { ...place, nth: 0 });
    } else if (!found.places.some(({ id }) => id === current.peek()?.id)) current.value = null;
  }

  /** Goes to the next hit, or the one before; around the ends. */
  step(by: 1 | -1): void {
    const places = this.places.peek();
    const current = this.current.peek();
    const at = places.findIndex(({ id }) => id === current?.id);
    const place = places[at];
    if (place === undefined || current === null) {
      void this.refresh(this.origin());
      return;
    }
    const nth = Math.min(current.nth, place.hits - 1) + by;
    if (nth >= 0 && nth < place.hits) {
      this.#choose({ ...place, nth });
      return;
    }
    const next = places[(at + by + places.length) % places.length] ?? place;
    this.#choose({ ...next, nth: by === 1 ? 0 : next.hits - 1 });
  }

  #choose(hit: FoundHit | null): void {
    this.current.value = hit === null ? null : { seq: hit.seq, id: hit.id, nth: hit.nth };
    if (hit !== null) this.#go(hit);
  }
}
