/** Values of a span's attributes. */
export type Attribute = string | number | boolean | readonly string[];

export type Attributes = Readonly<Record<string, Attribute | undefined>>;

/** Something that happened within a span. */
export interface SpanEvent {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly attributes: Attributes;
}

/** A finished piece of work, as OpenTelemetry has it. */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** `client`: a call of another service. */
  readonly kind: 'internal' | 'client';
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  /** Why it failed, for people; absent: it did not. */
  readonly error: string | undefined;
}
