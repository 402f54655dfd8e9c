import * as l10n from '@vscode/l10n';
import type { RunEvent } from '../../domain/event.ts';
import { reasonInWords, wordsOf } from '../../domain/failure.ts';
import type { JsonObject } from '../../domain/data/json.ts';
import { textOf } from '../../domain/message.ts';
import type { RunEnd } from '../../domain/run.ts';
import { titleOf } from '../cards/tool-title.ts';

/** A piece of an answer in VS Code's own chat. */
export type ChatPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'progress'; readonly text: string }
  /** The person is asked, in the panel or a notification. */
  | { readonly kind: 'waits'; readonly text: string };

/** The end of a run, and its last answer. */
export interface ChatEnd {
  readonly end: RunEnd;
  /** Id of the last message of the model; absent: there is none. */
  readonly messageId?: string;
}

/**
 * Makes an answer in VS Code's own chat of the events of one run. What was shown there stays: an answer that the model
 * begins anew comes once more.
 */
export class ChatAnswer {
  readonly #say: (piece: ChatPiece) => void;
  readonly #inputs = new Map<string, JsonObject>();
  #writing: string | undefined;
  #thinks = false;
  #isEmpty = true;
  #last: string | undefined;

  constructor(say: (piece: ChatPiece) => void) {
    this.#say = say;
  }

  /** @returns the end, when the event is the end of its run */
  hear(event: RunEvent): ChatEnd | undefined {
    switch (event.type) {
      case 'message.delta':
        this.#delta(event);
        break;
      case 'message.discarded':
        if (this.#writing === event.messageId)
          this.#progress(l10n.t('The answer is begun anew: {0}', reasonInWords(event)));
        this.#writing = undefined;
        break;
      case 'message.completed':
        this.#complete(event.message);
        break;
      case 'model.waiting':
        this.#progress(
          l10n.t('Waits for the model ({0}), attempt {1}', reasonInWords(event), event.attempt),
        );
        break;
      case 'tool.pending':
        this.#inputs.set(event.callId, event.input);
        break;
      case 'tool.approval':
        this.#say({ kind: 'waits', text: this.#titleOf(event.callId, event.name) });
        break;
      case 'tool.started':
        this.#progress(this.#titleOf(event.callId, event.name));
        break;
      case 'agent_run.waiting':
        if (event.for === 'question')
          this.#say({ kind: 'waits', text: l10n.t('Belay asks you something') });
        break;
      case 'warning':
        this.#progress(event.message);
        break;
      case 'agent_run.completed':
      case 'agent_run.cancelled':
      case 'agent_run.failed':
        return this.#ended(event.end);
      case 'agent_run.handed_over':
        return this.#ended({ reason: 'needs_human', state: 'running', canContinue: false });
      default:
    }
    return undefined;
  }

  #delta({ messageId, kind, text }: Extract<RunEvent, { type: 'message.delta' }>): void {
    if (kind === 'reasoning' && !this.#thinks) {
      this.#thinks = true;
      this.#progress(l10n.t('Thinking…'));
    }
    if (kind !== 'text') return;
    this.#thinks = false;
    // Each answer of a run is a paragraph of its own.
    const gap = this.#writing !== messageId && !this.#isEmpty ? '\n\n' : '';
    this.#writing = messageId;
    this.#isEmpty = false;
    this.#say({ kind: 'text', text: `${gap}${text}` });
  }

  /** An answer that came at once was not streamed. */
  #complete(message: Extract<RunEvent, { type: 'message.completed' }>['message']): void {
    if (message.role !== 'assistant') return;
    this.#last = message.id;
    const text = textOf(message);
    if (this.#writing !== message.id && text.trim() !== '')
      this.#delta({ messageId: message.id, kind: 'text', text } as never);
  }

  #ended(end: RunEnd): ChatEnd {
    if (end.failure !== undefined && end.state !== 'failed') this.#progress(wordsOf(end.failure));
    return { end, ...(this.#last === undefined ? {} : { messageId: this.#last }) };
  }

  #progress(text: string): void {
    this.#say({ kind: 'progress', text });
  }

  #titleOf(callId: string, name: string): string {
    const { title, subject } = titleOf(name, this.#inputs.get(callId) ?? {});
    return subject === '' ? title : `${title} ${subject}`;
  }
}
