/** One server-sent event; `event` is empty when the stream gave it no name. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
}

/**
 * Decodes a stream of server-sent events (WHATWG HTML, 9.2.6), chunk by chunk. A new one is made for
 * each attempt. Work is linear in the bytes. By hand: `eventsource-parser` 3 keeps an event back whose
 * last carriage return ends a chunk, and searches the rest of the chunk at each line that ends so.
 */
export class ServerSentEvents {
  readonly #text = new TextDecoder('utf-8');
  /** Pieces of the line that has not ended yet. */
  #line: string[] = [];
  /** The last chunk ended in a carriage return: a line feed at the start of the next belongs to it. */
  #carriageReturn = false;
  #event = '';
  #data: string[] = [];

  /** The events that end in this chunk. What is left of an event at the end of the stream is dropped, as the standard says. */
  push(chunk: Uint8Array): ServerSentEvent[] {
    const text = this.#text.decode(chunk, { stream: true });
    const events: ServerSentEvent[] = [];
    let start = 0;
    if (this.#carriageReturn && text.length > 0) {
      this.#carriageReturn = false;
      if (text.startsWith('\n')) start = 1;
    }
    let feed = text.indexOf('\n', start);
    let carriage = text.indexOf('\r', start);
    while (feed >= 0 || carriage >= 0) {
      const isCarriage = carriage >= 0 && (feed < 0 || carriage < feed);
      const end = isCarriage ? carriage : feed;
      this.#endLine(text.slice(start, end), events);
      start = end + 1;
      if (isCarriage && start === text.length) this.#carriageReturn = true;
      if (isCarriage && feed === start) start += 1;
      if (feed >= 0 && feed < start) feed = text.indexOf('\n', start);
      if (isCarriage) carriage = text.indexOf('\r', start);
    }
    if (start < text.length) this.#line.push(text.slice(start));
    return events;
  }

  #endLine(rest: string, events: ServerSentEvent[]): void {
    let line = rest;
    if (this.#line.length > 0) {
      this.#line.push(rest);
      line = this.#line.join('');
      this.#line = [];
    }
    if (line === '') {
      if (this.#data.length > 0) events.push({ event: this.#event, data: this.#data.join('\n') });
      this.#event = '';
      this.#data = [];
      return;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#event = value;
    // Comments, `id`, `retry` and unknown fields mean nothing here.
  }
}
