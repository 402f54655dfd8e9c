import { untilAborted } from '../../domain/lifetime/until-aborted.ts';

/**
 * The person is asked once whether Belay may use the models of a vendor, by the editor, with the first
 * request to one. Until that is answered no other request is sent there: a second one would ask a second time.
 */
export class Consents {
  readonly #given = new Set<string>();
  readonly #isOpen = new Set<string>();
  /** The last question of each vendor, with its answer. */
  readonly #asking = new Map<string, Promise<unknown>>();

  /**
   * Sends what may ask; what waits for another's question shares its no. `byPerson`: the call answers a message of
   * the person; others, for titles and summaries, do not ask again after a no.
   */
  async asked<Result>(
    vendor: string,
    { signal, byPerson }: { readonly signal: AbortSignal; readonly byPerson: boolean },
    send: () => Promise<Result>,
  ): Promise<Result> {
    if (this.#given.has(vendor)) return send();
    const other = this.#asking.get(vendor);
    if (other !== undefined && (this.#isOpen.has(vendor) || !byPerson))
      await untilAborted(other, signal);
    const asking = send();
    this.#asking.set(vendor, asking);
    this.#isOpen.add(vendor);
    const settled = (): void => void this.#isOpen.delete(vendor);
    asking.then(() => this.#given.add(vendor), settled);
    return asking.finally(settled);
  }
}
