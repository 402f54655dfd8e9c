import type { Signal } from '@preact/signals';
import type { RequestName, RequestParams, RequestResult } from '../src/protocol/requests.ts';

/** What a part of the panel asks the host, and what it has a screen reader say. */
export interface PanelRequests {
  /** The answer, or the sentence of a refusal, which is for whoever asked. */
  attempt<Name extends RequestName>(
    name: Name,
    params: RequestParams<Name>,
  ): Promise<{ readonly value: RequestResult<Name> } | { readonly refused: string }>;
  /** A request whose answer does not matter. */
  do<Name extends RequestName>(name: Name, params: RequestParams<Name>): void;
  /** What a screen reader is told. */
  readonly announcement: Signal<string>;
}
