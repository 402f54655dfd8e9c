import type { Failure } from '../../src/domain/failure.ts';

/** The line to the host. */
export interface HostPort {
  post(message: unknown): void;
}

/** A request that the host refused, with a sentence for the person. */
export class Refusal extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'Refusal';
    this.failure = failure;
  }
}

/** The sentence of a refusal, or of whatever else was thrown. */
export const sentenceOf = (error: unknown): string =>
  error instanceof Refusal ? error.failure.message : String(error);

/** Parameters and answer of each request, by its name. */
type Calls = Readonly<Record<string, { readonly params: unknown; readonly result: unknown }>>;

/** Requests to the host that wait for their answers. */
export class PendingRequests<Table extends Calls> {
  readonly #host: HostPort;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  #requests = 0;

  constructor(host: HostPort) {
    this.#host = host;
  }

  /** Rejects with `Refusal`. */
  request<Name extends keyof Table & string>(
    name: Name,
    params: Table[Name]['params'],
  ): Promise<Table[Name]['result']> {
    this.#requests += 1;
    const id = this.#requests;
    const waiting = Promise.withResolvers<unknown>();
    this.#pending.set(id, waiting);
    this.#host.post({ type: 'request', id, name, params });
    return waiting.promise;
  }

  /** Takes an answer of the host. */
  settle(
    answer:
      | { readonly type: 'reply'; readonly id: number; readonly value: unknown }
      | { readonly type: 'refusal'; readonly id: number; readonly failure: Failure },
  ): void {
    const waiting = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    if (answer.type === 'reply') waiting?.resolve(answer.value);
    else waiting?.reject(new Refusal(answer.failure));
  }
}
