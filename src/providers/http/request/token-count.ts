import { BelayError, CANCELED } from '../../../domain/failure.ts';
import { isJsonObject } from '../../../domain/data/json.ts';
import { HttpRefusal, type WireClient } from '../client.ts';
import { parsedJson } from '../fields.ts';

/** A question for the tokens of a request, as a wire asks it. */
export interface CountQuestion {
  /** Below the address. */
  readonly path: string;
  readonly pieces: readonly Uint8Array[];
  /** The field of the answer that has the number. */
  readonly field: string;
}

/** Refusals of servers that do not count. */
const NOT_THERE: ReadonlySet<number> = new Set([404, 405, 501]);

/** Asks a server for exact counts (C12), until it says that it has none for a model: the estimate serves then. */
export class TokenCount {
  /** By model: what one refuses another may have; and a name with a typing error costs itself alone. */
  readonly #none = new Set<string>();

  /** @throws BelayError `canceled` */
  async of(
    client: WireClient,
    model: string,
    question: () => CountQuestion | undefined,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const asked = this.#none.has(model) ? undefined : question();
    if (asked === undefined) return undefined;
    const { path, pieces, field } = asked;
    try {
      const response = await client.post(path, pieces, signal);
      const answer = parsedJson(await response.text());
      const counted = isJsonObject(answer) ? answer[field] : undefined;
      return typeof counted === 'number' ? counted : undefined;
    } catch (thrown) {
      if (signal.aborted) throw new BelayError(CANCELED, { cause: thrown });
      if (thrown instanceof HttpRefusal && NOT_THERE.has(thrown.refusal.status ?? 0))
        this.#none.add(model);
      return undefined;
    }
  }
}
