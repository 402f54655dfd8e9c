import { signal, type Signal } from '@preact/signals';
import type { RequestName, RequestParams, RequestResult } from '../../src/protocol/requests.ts';
import type { NoticeView } from '../../src/protocol/view.ts';
import type { Bridge } from './bridge.ts';
import type { KeptView } from '../view-state.ts';
import { Refusal, sentenceOf } from './pending-requests.ts';

/** Refusals shown at a time; the oldest go first. */
const REFUSALS = 3;

/** Why something that the person asked for was not done. */
export interface RefusalView extends NoticeView {
  readonly sessionId: string | null;
  /** It was refused because a run is on. */
  readonly isBusy: boolean;
  /** The request that failed: its next success ends the notice. */
  readonly request: RequestName | undefined;
}

/** The panel's requests to the host, and what it refused. */
export class HostRequests {
  /** Requests that the host refused, with the session that was on screen when they were made. */
  readonly refusals: Signal<readonly RefusalView[]> = signal([]);
  readonly #bridge: Pick<Bridge, 'request' | 'ready'>;
  /** The session on screen. */
  readonly #session: () => string | null;
  #refused = 0;
  /** Why what is typed could not be kept the last time. */
  #notKept = '';

  constructor(bridge: Pick<Bridge, 'request' | 'ready'>, session: () => string | null) {
    this.#bridge = bridge;
    this.#session = session;
  }

  /** Asks the host; a refusal is shown and gives `undefined`. */
  async ask<Name extends RequestName>(
    name: Name,
    params: RequestParams<Name>,
  ): Promise<RequestResult<Name> | undefined> {
    const sessionId = this.#session();
    try {
      const answer = await this.#bridge.request(name, params);
      this.#clear(({ request }) => request === name);
      return answer;
    } catch (error) {
      this.refuse(error, sessionId, name);
      return undefined;
    }
  }

  /** Asks the host; the sentence of a refusal is for whoever asked. */
  async attempt<Name extends RequestName>(
    name: Name,
    params: RequestParams<Name>,
  ): Promise<{ readonly value: RequestResult<Name> } | { readonly refused: string }> {
    try {
      return { value: await this.#bridge.request(name, params) };
    } catch (error) {
      return { refused: sentenceOf(error) };
    }
  }

  /** As `ask`, for requests whose answer does not matter. */
  do<Name extends RequestName>(name: Name, params: RequestParams<Name>): void {
    void this.ask(name, params);
  }

  /** Keeps draft and place of a session. That it is refused is said once, not with each key. */
  async keep(sessionId: string | null, view: KeptView): Promise<void> {
    const answer = await this.attempt('saveViewState', { sessionId, ...view });
    const refused = 'refused' in answer ? answer.refused : '';
    if (refused !== '' && refused !== this.#notKept) this.refuse(refused);
    this.#notKept = refused;
  }

  /** Asks for everything anew. */
  resync(): void {
    this.#bridge.ready();
  }

  /** A session is free: refusals because it was busy are no longer true. */
  clearBusy(sessionId: string | null): void {
    this.#clear((one) => one.isBusy && one.sessionId === sessionId);
  }

  /** Removes refusals that are no longer true. */
  #clear(isOver: (refusal: (typeof this.refusals.value)[number]) => boolean): void {
    const all = this.refusals.peek();
    if (all.some(isOver)) this.refusals.value = all.filter((one) => !isOver(one));
  }

  /** @param request the request that failed; its next success removes the sentence */
  refuse(error: unknown, sessionId = this.#session(), request?: RequestName): void {
    this.#refused += 1;
    const id = `refusal-${this.#refused}`;
    const notice = {
      id,
      level: 'error',
      message: sentenceOf(error),
      actions: [],
      sessionId,
      isBusy: error instanceof Refusal && error.failure.code === 'busy',
      request,
    } as const;
    this.refusals.value = [...this.refusals.peek(), notice].slice(-REFUSALS);
  }
}
