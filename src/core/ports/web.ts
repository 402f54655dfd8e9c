export interface WebRequest {
  /** Judged by the request guard; nothing else is read from it. */
  readonly url: URL;
  /** Sent to the origin of `url` alone. Absent: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON that is posted. Absent: the page is fetched. */
  readonly body?: string;
  /** The person named the host themselves, in a setting: it may lie in their own network. */
  readonly trusted: boolean;
  readonly signal: AbortSignal;
  /** Bytes of the body, unpacked; a larger one is cut there. */
  readonly maxBytes: number;
  /** Milliseconds for all of it. */
  readonly timeoutMs: number;
  /** Judges the target of a redirect; `false` ends there, and it is given back. */
  readonly follow: (url: URL) => boolean;
}

export type WebAnswer =
  | {
      readonly kind: 'page';
      /** Of the last hop. */
      readonly url: URL;
      readonly status: number;
      /** Milliseconds that the server asks to wait before the next request. */
      readonly retryAfterMs?: number;
      /** The media type in lower case, without parameters; empty when the server named none. */
      readonly mediaType: string;
      /** Of the `content-type` header. */
      readonly charset?: string;
      readonly body: Uint8Array;
      /** There was more than `maxBytes`. */
      readonly cut: boolean;
    }
  | {
      /** It leads to a place that nobody was asked about. */
      readonly kind: 'redirect';
      readonly from: URL;
      /** As the server wrote it, resolved where it can be. */
      readonly to: string;
    };

/** A page as it came. */
export type WebPage = Extract<WebAnswer, { kind: 'page' }>;

/** The words of a page, without what is invisible or steers a terminal. */
export interface PageText {
  readonly title?: string;
  /** Its beginning, at most what was asked for. */
  readonly text: string;
  /** Of the whole text. */
  readonly characters: number;
  /** Bytes that were read, where the whole page takes too long. */
  readonly readBytes?: number;
}

/** The model's requests: no cookies or credentials, to the address that was judged. */
export interface Web {
  /** Fails with `BelayError` code `network`, `timeout` or `permission` (the name leads inside). */
  get(request: WebRequest): Promise<WebAnswer>;

  /**
   * The text of a page, found beside everything else that goes on: a page may be made so that reading it takes for
   * ever or all memory.
   * @param most characters
   * @throws BelayError `tool` for a page without words, or one that cannot be read; AbortError
   */
  text(page: WebPage, most: number, signal: AbortSignal): Promise<PageText>;
}
