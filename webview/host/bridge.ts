import type { HostMessage } from '../../src/protocol/envelope.ts';
import { isHostMessage } from '../../src/protocol/host-message.ts';
import type { RequestName, RequestParams, RequestResult } from '../../src/protocol/requests.ts';
import { type HostPort, PendingRequests } from './pending-requests.ts';

/** The panel's requests, for their line. */
type PanelCalls = {
  readonly [Name in RequestName]: {
    readonly params: RequestParams<Name>;
    readonly result: RequestResult<Name>;
  };
};

/** Messages from the bridge to the store. */
export type StateMessage = Exclude<HostMessage, { readonly type: 'reply' | 'refusal' }>;

/**
 * The panel's end of the line: requests with replies, numbered batches with acknowledgement. A
 * missing number asks for a snapshot. A batch is acknowledged when it is on screen: that is how a
 * slow panel slows the host down.
 */
export class Bridge {
  readonly #host: HostPort;
  readonly #onState: (message: StateMessage) => void;
  readonly #nextFrame: (run: () => void) => void;
  readonly #requests: PendingRequests<PanelCalls>;
  /** Number of the last batch; `undefined`: a snapshot is awaited. */
  #seq: number | undefined;

  constructor(
    host: HostPort,
    onState: (message: StateMessage) => void,
    nextFrame: (run: () => void) => void,
  ) {
    this.#host = host;
    this.#requests = new PendingRequests(host);
    this.#onState = onState;
    this.#nextFrame = nextFrame;
  }

  /** Asks for everything. */
  ready(): void {
    this.#seq = undefined;
    this.#host.post({ type: 'ready' });
  }

  /** Commands mean the place that has the focus. */
  focused(): void {
    this.#host.post({ type: 'focus' });
  }

  /** Rejects with `Refusal`. */
  request<Name extends RequestName>(
    name: Name,
    params: RequestParams<Name>,
  ): Promise<RequestResult<Name>> {
    return this.#requests.request(name, params);
  }

  /** Takes a message of the window; anything that is not the host's is ignored. */
  receive(raw: unknown): void {
    if (!isHostMessage(raw)) return;
    switch (raw.type) {
      case 'snapshot':
        this.#seq = raw.seq;
        this.#show(raw, raw.seq);
        break;
      case 'changes':
        if (this.#seq === undefined) return;
        if (raw.seq !== this.#seq + 1) {
          this.ready();
          return;
        }
        this.#seq = raw.seq;
        this.#show(raw, raw.seq);
        break;
      case 'reply':
      case 'refusal':
        this.#requests.settle(raw);
        break;
      case 'signal':
        this.#onState(raw);
        break;
      default:
        raw satisfies never;
    }
  }

  #show(message: StateMessage, seq: number): void {
    this.#onState(message);
    this.#nextFrame(() => this.#host.post({ type: 'ack', seq }));
  }
}
