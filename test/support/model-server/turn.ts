import type {
  MessageParam,
  TextBlockParam,
  Tool,
  ToolChoice,
} from '@anthropic-ai/sdk/resources/messages/messages';

/** A request body of the Messages API as the server received it. */
export interface WireRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly stream?: boolean;
  readonly system?: string | readonly TextBlockParam[];
  readonly messages: readonly MessageParam[];
  readonly tools?: readonly Tool[];
  readonly tool_choice?: ToolChoice;
  readonly thinking?: { readonly type: string; readonly budget_tokens?: number };
  readonly output_config?: { readonly effort?: string };
}

/** One content block that the scripted model writes. */
export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature?: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | {
      readonly type: 'tool_use';
      readonly id?: string;
      readonly name: string;
      /** Text is sent as it is, valid JSON or not. */
      readonly input: unknown;
    }
  /** Any other block, sent in its start event as it is. */
  | { readonly type: 'raw'; readonly block: unknown; readonly deltas?: readonly unknown[] };

/** A server-sent event before it is written; text data is written as it is. */
export interface WireEvent {
  readonly event?: string;
  readonly data: unknown;
}

/** Where in the answer a fault strikes: before the headers, after so many events, or after so many bytes of the body. */
export type Moment = 'headers' | { readonly events: number } | { readonly bytes: number };

/** What happens to the connection. After `hang` it stays open and silent; `end` is a clean end of the body. */
export interface Cut {
  readonly how: 'reset' | 'hang' | 'end';
  readonly at: Moment;
}

/** One answer of the scripted model. Everything is optional: the default is a streamed, empty `end_turn`. */
export interface Turn {
  readonly content?: readonly Block[];
  readonly stopReason?: string | null;
  readonly stopDetails?: unknown;
  /** Replaces the counted usage; `null` leaves it out everywhere. */
  readonly usage?: Record<string, unknown> | null;
  readonly model?: string;
  /** Characters of text, thinking or JSON in one delta. */
  readonly deltaSize?: number;
  /** Changes the events before they are written: drop, repeat, reorder, insert. */
  readonly edit?: (events: WireEvent[]) => readonly WireEvent[];

  /** An HTTP error instead of an answer. */
  readonly error?: HttpError;
  /** A redirect instead of an answer; status 307 unless given. */
  readonly redirect?: { readonly to: string; readonly status?: number };
  /** Exactly this body instead of the events. */
  readonly body?: { readonly text: string; readonly contentType: string; readonly status?: number };

  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds before the headers. */
  readonly delayMs?: number;
  /** Milliseconds before each write of the body. */
  readonly gapMs?: number;
  /** Bytes in one write; absent: everything at once, or one event a write when there is a gap. */
  readonly chunkBytes?: number;
  readonly lineEnd?: '\n' | '\r\n' | '\r';
  /** Adds comments, `id` and `retry` fields, and spreads JSON data over two lines. */
  readonly decorated?: boolean;
  /** Pings written, one every `everyMs`, after `events` events; then the rest. */
  readonly pings?: { readonly events: number; readonly count: number; readonly everyMs: number };
  readonly cut?: Cut;
  /** The events after so many are written when something has happened. */
  readonly rest?: { readonly events: number; readonly when: Promise<unknown> };
  /** Called when the last event has been written. */
  readonly onWritten?: () => void;
}

export interface HttpError {
  readonly status: number;
  readonly type?: string;
  readonly message?: string;
  readonly details?: unknown;
  /** Sent instead of the JSON error body. */
  readonly body?: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The scripted model: request number `n` (1 for the first) gets this answer. */
export type Script = (request: WireRequest, n: number) => Turn | Promise<Turn>;

/** Text, then the end of the turn. */
export const say = (text: string, more: Partial<Turn> = {}): Turn => ({
  content: [{ type: 'text', text }],
  ...more,
});

/** Text that is written piece by piece, and whose end never comes. */
export const talk = (text: string): Turn =>
  say(text, { deltaSize: 20, gapMs: 60, cut: { how: 'hang', at: { events: 20 } } });

/** A tool call block. Without an id one is made that is unique within the server. */
export const call = (name: string, input: unknown, id?: string): Block => ({
  type: 'tool_use',
  name,
  input,
  ...(id === undefined ? {} : { id }),
});

/** Tool calls, then `tool_use`. */
export const calls = (...content: Block[]): Turn => ({ content });

/** An HTTP error in the API's own form. */
export const fail = (
  status: number,
  type: string,
  message: string,
  more: Partial<HttpError> = {},
): Turn => ({
  error: { status, type, message, ...more },
});

/** Answers one after the other; the last one is repeated. */
export const inOrder =
  (...turns: readonly Turn[]): Script =>
  (_request, n) =>
    turns[Math.min(n, turns.length) - 1] ?? {};
