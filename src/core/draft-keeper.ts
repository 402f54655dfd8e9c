import type { RunEvent } from '../domain/event.ts';
import type { Json } from '../domain/json.ts';
import type { EventBroker } from './broker.ts';
import type { Clock, Disposable, Recorder } from './ports.ts';

/** Milliseconds between two records of a growing answer: with the store's own wait, a crash loses 250 ms at most (B3). */
const EVERY_MS = 150;

interface Draft {
  readonly messageId: string;
  readonly parts: Map<number, { readonly type: 'text' | 'reasoning'; readonly pieces: string[] }>;
  timer: Disposable | undefined;
}

/** Keeps the text of answers that are being written, so that a crash can show it (B3). */
export class DraftKeeper implements Disposable {
  readonly #drafts = new Map<string, Draft>();
  readonly #clock: Clock;
  readonly #recorder: Pick<Recorder, 'draft'>;
  readonly #listening: Disposable;

  constructor(broker: EventBroker, recorder: Pick<Recorder, 'draft'>, clock: Clock) {
    this.#recorder = recorder;
    this.#clock = clock;
    this.#listening = broker.listen((event) => this.#follow(event));
  }

  dispose(): void {
    this.#listening.dispose();
    for (const sessionId of this.#drafts.keys()) this.#forget(sessionId);
  }

  #follow(event: RunEvent): void {
    switch (event.type) {
      case 'message.started':
        this.#forget(event.sessionId);
        this.#drafts.set(event.sessionId, {
          messageId: event.messageId,
          parts: new Map(),
          timer: undefined,
        });
        break;
      case 'message.delta':
        if (event.kind !== 'tool_input')
          this.#grow(event.sessionId, event.index, event.kind, event.text);
        break;
      case 'message.discarded':
        this.#forget(event.sessionId);
        this.#recorder.draft(event.sessionId, event.messageId, null);
        break;
      case 'message.completed':
        this.#forget(event.sessionId);
        break;
      default:
    }
  }

  #grow(sessionId: string, index: number, type: 'text' | 'reasoning', text: string): void {
    const draft = this.#drafts.get(sessionId);
    if (draft === undefined) return;
    const part = draft.parts.get(index);
    if (part === undefined) draft.parts.set(index, { type, pieces: [text] });
    else part.pieces.push(text);
    draft.timer ??= this.#clock.after(EVERY_MS, () => this.#record(sessionId, draft));
  }

  #record(sessionId: string, draft: Draft): void {
    draft.timer = undefined;
    const parts: Json[] = [];
    for (const { type, pieces } of draft.parts.values()) {
      const text = pieces.join('');
      pieces.splice(0, pieces.length, text);
      parts.push({ type, text });
    }
    this.#recorder.draft(sessionId, draft.messageId, parts);
  }

  #forget(sessionId: string): void {
    this.#drafts.get(sessionId)?.timer?.dispose();
    this.#drafts.delete(sessionId);
  }
}
