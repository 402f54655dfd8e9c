import { signal, type Signal } from '@preact/signals';
import { takenBackText } from '../../src/domain/review/decided-words.ts';
import type { RequestParams } from '../../src/protocol/requests.ts';
import type { HostRequests } from '../host/host-requests.ts';

interface ShownNote {
  readonly text: string;
  readonly takeBack?: {
    readonly decision: RequestParams<'decideChanges'>['decision'];
    readonly id: string;
  };
}

/** A sentence above the list, such as what the last decision did, and the way back. */
export class DecisionNote {
  /** Stays until it is dismissed, or the next decision. */
  readonly shown: Signal<ShownNote | undefined> = signal(undefined);
  readonly #host: HostRequests;
  readonly #announcement: Signal<string>;

  constructor(host: HostRequests, announcement: Signal<string>) {
    this.#host = host;
    this.#announcement = announcement;
  }

  /** Takes the decision back that the note is about. */
  async takeBack(): Promise<void> {
    const id = this.shown.peek()?.takeBack?.id;
    if (id === undefined) return;
    this.shown.value = undefined;
    const answer = await this.#host.attempt('takeBackDecision', { id });
    if ('refused' in answer) return this.#say(answer.refused);
    const { done, failed } = answer.value;
    const reasons = failed.map(({ reason }) => reason);
    const text = takenBackText(done, reasons);
    if (failed.length > 0) this.#say(text);
    else this.#announcement.value = text;
  }

  #say(text: string): void {
    this.shown.value = { text };
    this.#announcement.value = text;
  }
}
