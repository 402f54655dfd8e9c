import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** Decodes a stream of server-sent events, chunk by chunk. A new one is made for each attempt. */
export class ServerSentEvents {
  readonly #text = new TextDecoder('utf-8');
  readonly #parser = createParser({ onEvent: (event) => this.#events.push(event) });
  #events: EventSourceMessage[] = [];

  /** Returns the events that end in this chunk. The rest of an event at the end of the stream is dropped. */
  push(chunk: Uint8Array): readonly EventSourceMessage[] {
    this.#parser.feed(this.#text.decode(chunk, { stream: true }));
    const events = this.#events;
    this.#events = [];
    return events;
  }
}
