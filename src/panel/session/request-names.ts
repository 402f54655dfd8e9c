import * as l10n from '@vscode/l10n';
import type { EventBroker } from '../../core/session/event-broker.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { Log } from '../../core/ports/log.ts';
import type { Transcripts } from '../../core/ports/store/transcripts.ts';
import { typedTextOf, type Message } from '../../domain/message.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';

/** Characters of a message by which a person knows it again. */
const TEXT = 160;
/** Messages read at a time, and in all, to find the one that is looked for. */
const PAGE = 200;
const FAR = 4000;

export interface RequestNamesParts {
  readonly transcripts: Pick<Transcripts, 'session' | 'messages'>;
  readonly broker: Pick<EventBroker, 'listen'>;
  readonly log: Log;
  /** A text or a title is known now. */
  readonly onLearned: () => void;
}

/** How sessions and messages of the person are called, as far as it is known; what is asked for is read. */
export class RequestNames implements Disposable {
  readonly #parts: RequestNamesParts;
  readonly #titles = new Map<string, string>();
  readonly #texts = new Map<string, string>();
  /** The sessions of messages that were asked for. */
  readonly #sessions = new Map<string, string>();
  /** Messages that are looked for, by session. */
  readonly #wanted = new Map<string, Set<string>>();
  readonly #listening: Disposable;

  constructor(parts: RequestNamesParts) {
    this.#parts = parts;
    this.#listening = parts.broker.listen((event) => {
      if (event.type === 'message.added') this.#learn(event.message);
      if (event.type !== 'session.titled' || !this.#titles.has(event.sessionId)) return;
      this.#titles.set(event.sessionId, makeVisible(event.title));
      parts.onLearned();
    });
  }

  /** Empty while it is not known. */
  title(sessionId: string): string {
    const known = this.#titles.get(sessionId);
    if (known !== undefined || sessionId === '') return known ?? '';
    this.#titles.set(sessionId, '');
    void this.#read(sessionId, async () => {
      const session = await this.#parts.transcripts.session(sessionId);
      this.#titles.set(sessionId, makeVisible(session?.title ?? ''));
    });
    return '';
  }

  /** How the message begins, or that it was removed; empty while it is not known. */
  text(sessionId: string, messageId: string): string {
    if (sessionId === '' || messageId === '') return '';
    this.#sessions.set(messageId, sessionId);
    const known = this.#texts.get(messageId);
    if (known !== undefined) return known;
    this.#texts.set(messageId, '');
    this.#look(sessionId, messageId);
    return '';
  }

  /** Looks again for the messages that were asked for: a restore may have removed or brought back some. */
  recheck(): void {
    for (const [messageId, sessionId] of this.#sessions) this.#look(sessionId, messageId);
  }

  dispose(): void {
    this.#listening.dispose();
  }

  #look(sessionId: string, messageId: string): void {
    const wanted = this.#wanted.get(sessionId);
    if (wanted === undefined) {
      this.#wanted.set(sessionId, new Set([messageId]));
      void this.#read(sessionId, () => this.#find(sessionId));
    } else {
      wanted.add(messageId);
    }
  }

  async #read(sessionId: string, read: () => Promise<void>): Promise<void> {
    try {
      await read();
      this.#parts.onLearned();
    } catch (error) {
      this.#parts.log.error(`The name of the session ${sessionId} could not be read.`, error);
    }
  }

  /** Looks through the session from its end; the request is mostly among the last messages. */
  async #find(sessionId: string): Promise<void> {
    try {
      let beforeSeq = Number.MAX_SAFE_INTEGER;
      for (let read = 0; read < FAR; read += PAGE) {
        const page = await this.#parts.transcripts.messages({ sessionId, beforeSeq, limit: PAGE });
        const wanted = this.#wanted.get(sessionId) ?? new Set();
        for (const message of page) if (wanted.delete(message.id)) this.#learn(message);
        const first = page[0]?.seq ?? 0;
        if (wanted.size === 0) return;
        if (page.length < PAGE || first <= 1) {
          for (const id of wanted) this.#texts.set(id, l10n.t('from a removed message'));
          return;
        }
        beforeSeq = first;
      }
    } finally {
      this.#wanted.delete(sessionId);
    }
  }

  #learn(message: Pick<Message, 'id' | 'role' | 'parts'>): void {
    if (message.role !== 'user') return;
    const text = typedTextOf(message).replace(/\s+/gu, ' ').trim();
    this.#texts.set(message.id, makeVisible(text).slice(0, TEXT));
  }
}
