/** The parts of the API's events that Belay reads. Every field may be missing: gateways leave things out. */
export interface WireEvent {
  readonly type?: unknown;
  readonly index?: unknown;
  readonly message?: WireAnswer;
  readonly content_block?: WireContent;
  readonly delta?: WireDelta;
  readonly usage?: WireUsage | null;
  readonly error?: unknown;
}

export interface WireAnswer {
  readonly type?: unknown;
  readonly model?: unknown;
  readonly content?: unknown;
  readonly stop_reason?: unknown;
  readonly stop_details?: unknown;
  readonly usage?: WireUsage | null;
  readonly error?: unknown;
}

export interface WireContent {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly thinking?: unknown;
  readonly signature?: unknown;
  readonly data?: unknown;
  readonly id?: unknown;
  readonly name?: unknown;
  readonly input?: unknown;
}

export interface WireDelta {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly thinking?: unknown;
  readonly signature?: unknown;
  readonly partial_json?: unknown;
  readonly stop_reason?: unknown;
  readonly stop_details?: unknown;
}

export interface WireUsage {
  readonly input_tokens?: unknown;
  readonly output_tokens?: unknown;
  readonly cache_creation_input_tokens?: unknown;
  readonly cache_read_input_tokens?: unknown;
}

/** D7: thinking goes by many names; any text field named like it counts. */
export function thinkingIn(value: object): string {
  return Object.entries(value)
    .filter(
      ([name, field]) => /reasoning|thinking|thought/i.test(name) && typeof field === 'string',
    )
    .map(([, field]) => field as string)
    .join('');
}
