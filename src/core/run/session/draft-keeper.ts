import type { RunEvent } from '../../../domain/event.ts';
import type { Json } from '../../../domain/data/json.ts';
import type { Part } from '../../../domain/message.ts';
import type { EventBroker } from '../../session/event-broker.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { Recorder } from '../../ports/store/recorder.ts';

/** Milliseconds between two records of a growing answer; with the store's 150, below B3's 250. */
const EVERY_MS = 80;

/** Milliseconds until a finished part goes to the disk, unless its whole message does (B3). */
const FINISHED_MS = 5;

/** Text that grows, or a part that is finished: a call with its whole input, thinking with its signature. */
type Drafted =
  | { readonly type: 'text' | 'reasoning'; readonly pieces: string[] }
  | { readonly finished: Part };

interface Draft {
  readonly messageId: string;
  readonly parts: Map<number, Drafted>;
  growing: Disposable | undefined;
  finished: Disposable | undefined;
}

/** Keeps what there is of answers that are being written, so that a crash can show it (B3). */
export class DraftKeeper implements Disposable {
  readonly #drafts = new Map<string, Draft>();
  readonly #clock: Clock;
  readonly #recorder: Pick<Recorder, 'draft' | 'flush'>;
  readonly #listening: Disposable;

  constructor(broker: EventBroker, recorder: Pick<Recorder, 'draft' | 'flush'>, clock: Clock) {
    this.#recorder = recorder;
    this.#clock = clock;
    this.#listening = broker.listen((event) => this.#follow(event));
  }

  /** Hands over what is still held back; the recorder is to be flushed afterwards. */
  dispose(): void {
    this.#listening.dispose();
    for (const [sessionId, draft] of this.#drafts) {
      if (draft.growing !== undefined) this.#record(sessionId, draft);
      this.#forget(sessionId);
    }
  }

  #follow(event: RunEvent): void {
    switch (event.type) {
      case 'message.started':
        this.#forget(event.sessionId);
        this.#drafts.set(event.sessionId, {
          messageId: event.messageId,
          parts: new Map(),
          growing: undefined,
          finished: undefined,
        });
        break;
      case 'message.delta':
        if (event.kind !== 'tool_input')
          this.#grow(event.sessionId, event.index, event.kind, event.text);
        break;
      case 'message.part':
        this.#finish(event.sessionId, event.index, event.part);
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
    else if ('pieces' in part) part.pieces.push(text);
    draft.growing ??= this.#clock.after(EVERY_MS, () => this.#record(sessionId, draft));
  }

  /** A finished part does not wait for others; mostly its message is complete before the timer fires. */
  #finish(sessionId: string, index: number, part: Part): void {
    const draft = this.#drafts.get(sessionId);
    if (draft === undefined) return;
    draft.parts.set(index, { finished: part });
    draft.finished ??= this.#clock.after(FINISHED_MS, () => {
      draft.finished = undefined;
      this.#record(sessionId, draft);
      this.#recorder.flush().catch(() => undefined); // it is kept, and goes with the next one
    });
  }

  #record(sessionId: string, draft: Draft): void {
    draft.growing?.dispose();
    draft.growing = undefined;
    const inOrder = [...draft.parts].toSorted(([left], [right]) => left - right);
    const parts = inOrder.map(([, part]): Json => {
      if ('finished' in part) return part.finished as unknown as Json;
      const text = part.pieces.join('');
      part.pieces.splice(0, part.pieces.length, text);
      return { type: part.type, text };
    });
    this.#recorder.draft(sessionId, draft.messageId, parts);
  }

  #forget(sessionId: string): void {
    const draft = this.#drafts.get(sessionId);
    draft?.growing?.dispose();
    draft?.finished?.dispose();
    this.#drafts.delete(sessionId);
  }
}
