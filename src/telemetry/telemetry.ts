import type { RunEvent } from '../domain/event.ts';
import { RunSpans, type RunSpansParts } from './run-spans.ts';
import { SpanExporter, type SpanExporterParts } from './span-exporter.ts';

/** Follows events until they end, and sends their spans. */
export class Telemetry {
  readonly #exporter: SpanExporter;
  readonly #following: Promise<void>;

  constructor(events: AsyncIterable<RunEvent>, parts: RunSpansParts & SpanExporterParts) {
    this.#exporter = new SpanExporter(parts);
    this.#following = this.#follow(events, parts);
  }

  /** Resolves when what is left is sent or dropped; the events must have ended. */
  async dispose(): Promise<void> {
    await this.#following;
    await this.#exporter.dispose();
  }

  async #follow(
    events: AsyncIterable<RunEvent>,
    parts: RunSpansParts & SpanExporterParts,
  ): Promise<void> {
    const spans = new RunSpans(parts);
    try {
      for await (const event of events) this.#exporter.add(await spans.take(event));
      this.#exporter.add(spans.rest(parts.clock.now()));
    } catch (error) {
      parts.log.error('Telemetry ended.', error);
    }
  }
}
