import type { Signal } from '@preact/signals';
import type { RequestName, RequestParams, RequestResult } from '../src/protocol/requests.ts';

/** A part's requests to the host, and its words for a screen reader. */
export interface PanelRequests {
  /** The answer, or the sentence of a refusal, which is for whoever asked. */
  attempt<Name extends RequestName>(
    name: Name,
    params: RequestParams<Name>,
  ): Promise<{ readonly value: RequestResult<Name> } | { readonly refused: string }>;
  /** A request whose answer does not matter. */
  do<Name extends RequestName>(name: Name, params: RequestParams<Name>): void;
  /** Words for a screen reader. */
  readonly announcement: Signal<string>;
}
