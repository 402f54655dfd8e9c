import type {
  ContentBlock,
  Message,
  RawContentBlockDelta,
  RawMessageDeltaEvent,
  RawMessageStreamEvent,
  Usage,
} from '@anthropic-ai/sdk/resources/messages/messages';

/** The fields of a type of the API, each of which may be missing or something else: gateways leave things out. */
type Unsure<Type> = { readonly [Field in FieldOf<Type>]?: unknown };
type FieldOf<Type> = Type extends unknown ? keyof Type : never;

/** The field that an error has. */
interface ErrorField {
  readonly error?: unknown;
}

export interface WireEvent extends Unsure<RawMessageStreamEvent>, ErrorField {
  readonly message?: WireAnswer;
  readonly content_block?: WireContent;
  readonly delta?: WireDelta;
  readonly usage?: WireUsage | null;
}

export interface WireAnswer extends Unsure<Message>, ErrorField {
  readonly usage?: WireUsage | null;
}

export type WireContent = Unsure<ContentBlock>;

export type WireDelta = Unsure<RawContentBlockDelta | RawMessageDeltaEvent.Delta>;

export type WireUsage = Unsure<Usage>;

/** D7: thinking goes by many names; any text field named like it counts. */
export function thinkingIn(value: object): string {
  return Object.entries(value)
    .filter(
      ([name, field]) => /reasoning|thinking|thought/i.test(name) && typeof field === 'string',
    )
    .map(([, field]) => field as string)
    .join('');
}
