import { randomUUID } from 'node:crypto';
import type { ModelEvent } from '../../../core/model-call/model-call.ts';
import type { Usage } from '../../../domain/message.ts';

/** A piece of an answer that can be shown while it arrives. */
export interface Shown {
  readonly kind: 'text' | 'reasoning' | 'tool_input';
  readonly text: string;
}

/** Events of an assembly; deltas of one part that arrived together become one. */
export class ShownEvents {
  #ready: ModelEvent[] = [];
  #pending: { index: number; kind: Shown['kind']; pieces: string[] } | undefined;

  /** Begins an answer, with the usage that is reported already. */
  start(model: string, usage: Usage | undefined): void {
    this.push({ type: 'started', model, ...(usage === undefined ? {} : { usage }) });
  }

  push(event: ModelEvent): void {
    this.flush();
    this.#ready.push(event);
  }

  show(index: number, { kind, text }: Shown): void {
    if (this.#pending?.index === index && this.#pending.kind === kind)
      this.#pending.pieces.push(text);
    else {
      this.flush();
      this.#pending = { index, kind, pieces: [text] };
    }
  }

  flush(): void {
    if (this.#pending === undefined) return;
    const { index, kind, pieces } = this.#pending;
    this.#pending = undefined;
    this.#ready.push({ type: 'delta', index, kind, text: pieces.join('') });
  }

  /** Events to show, oldest first. */
  take(): readonly ModelEvent[] {
    this.flush();
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }
}

/** An id for a call that came without one: ids in the history are ours, and each wire has its own form of them. */
export const ownCallId = (): string => `call_${randomUUID().replaceAll('-', '').slice(0, 16)}`;

/** Ids of the calls of one answer: two never share one. */
export class CallIds {
  readonly #taken = new Set<string>();

  of(wanted: string): string {
    let id = wanted;
    for (let number = 2; this.#taken.has(id); number += 1) id = `${wanted}-${number}`;
    this.#taken.add(id);
    return id;
  }
}
