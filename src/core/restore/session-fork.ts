import { type BelayError, fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import { type Message, textOf, toolCallsOf, toolResultsOf } from '../../domain/message.ts';
import type { Session } from '../../domain/session/session.ts';
import { type AgentChanges, pathsIn, recordsSince } from './agent-changes.ts';
import type { ChangeRecord } from './storage/change-record.ts';
import type { Agent } from '../run/agent.ts';
import { decisionsTold } from '../run/model-notices.ts';
import { type Asked, askedOf } from '../run/opening.ts';
import type { Ids } from '../ports/ids.ts';
import type { Transcripts } from '../ports/store/transcripts.ts';
import type { Values } from '../ports/store/values.ts';
import type { OutputSpool } from '../ports/commands/output-spool.ts';
import type { SessionStates } from '../ports/store/session-states.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import { JOURNAL_KEY, journalAfter } from '../session/journals.ts';
import { TODO_KEY, todoAfter } from '../session/todo-lists.ts';
import { cutAfter, cutBefore, isOfPerson } from './cut.ts';
import { placesAfterCut } from './places.ts';
import { forkText } from './restore-note.ts';
import { readSession } from './restore-parts.ts';
import { type RestoreNote, NOTE_KEY, PLACES_KEY } from './restore-values.ts';

interface Parts {
  readonly agent: Pick<Agent, 'hold'>;
  readonly sessions: Pick<SessionRegistry, 'get' | 'optionsOf' | 'setOptions'>;
  readonly transcripts: Pick<Transcripts, 'messages'>;
  readonly states: Pick<SessionStates, 'fork'>;
  readonly values: Values;
  readonly changes: Pick<AgentChanges, 'list'> | undefined;
  readonly spool: Pick<OutputSpool, 'copy'> | undefined;
  readonly ids: Ids;
}

export interface ForkPoint {
  readonly sessionId: string;
  /** The message from which it is forked: one of the person, or an answer. */
  readonly message: Message;
  /** The copy ends with this message. */
  readonly throughSeq: number;
  /** Messages that come along. */
  readonly messages: number;
  readonly records: readonly ChangeRecord[];
  readonly files: number;
}

/** A new session with the beginning of another; the original stays as it is. */
export interface Forked {
  readonly sessionId: string;
  /** Of a message of the person: what it asked, to be sent in the fork in other words. */
  readonly asked?: Asked;
}

/** Titles have at most 80 characters. */
const TITLE_CHARACTERS = 72;

/** Forks sessions: from an answer with it, from a message of the person with what came before it. */
export class SessionFork {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Messages from which a session can be forked, the newest first: those of the person, and last words. */
  async messages(sessionId: string): Promise<readonly Message[]> {
    const messages = await this.#parts.transcripts.messages({ sessionId });
    return messages
      .filter(
        (message) =>
          isOfPerson(message) ||
          (message.role === 'assistant' &&
            toolCallsOf(message).length === 0 &&
            textOf(message).trim() !== ''),
      )
      .toReversed();
  }

  /** Rejects with `not_found`. */
  async point(sessionId: string, messageId: string): Promise<ForkPoint> {
    const { messages, records: all, places } = await readSession(this.#parts, sessionId);
    const message = messages.find(({ id }) => id === messageId);
    if (message === undefined) throw gone();
    const throughSeq = isOfPerson(message)
      ? cutBefore(messages, messageId) - 1
      : cutAfter(messages, messageId);
    const records = recordsSince(throughSeq, messages, all, places);
    return {
      sessionId,
      message,
      throughSeq,
      messages: messages.filter(({ seq }) => seq <= throughSeq).length,
      records,
      files: pathsIn(records).length,
    };
  }

  /** Rejects with `busy` while something works in the original. */
  async fork({ sessionId, message, throughSeq, records }: ForkPoint): Promise<Forked> {
    const { agent, sessions, states, spool, ids, values } = this.#parts;
    return agent.hold(sessionId, async () => {
      const original = await sessions.get(sessionId);
      const { messages, records: all, places } = await readSession(this.#parts, sessionId);
      if (!messages.some(({ id, seq }) => id === message.id && seq === message.seq)) throw gone();
      const id = ids.next('session');
      const results = resultsIn(messages.filter(({ seq }) => seq <= throughSeq));
      // Before the session is there: what belongs to it is never missing.
      await sessions.setOptions(id, sessions.optionsOf(sessionId));
      await spool?.copy(sessionId, id, results);
      const decided = decisionsTold(messages.filter(({ seq }) => seq > throughSeq));
      const text = forkText(pathsIn(records), decided);
      const note: RestoreNote = { afterSeq: throughSeq, text };
      const todo = todoAfter(messages, throughSeq);
      const journal = await values.get(JOURNAL_KEY, sessionId);
      await states.fork({
        sessionId,
        id,
        throughSeq,
        title: forkTitle(original),
        values: {
          [NOTE_KEY]: throughSeq === 0 ? null : note,
          [PLACES_KEY]: placesAfterCut(throughSeq + 1, messages, all, places),
          ...(todo === undefined ? {} : { [TODO_KEY]: todo }),
          ...journalAfter(journal, messages, throughSeq),
        },
      });
      // Another window that has just been opened may have cleared away what had no session yet.
      await spool?.copy(sessionId, id, results);
      if (!isOfPerson(message)) return { sessionId: id };
      return { sessionId: id, asked: askedOf(message.parts, () => ids.next('attachment')) };
    });
  }
}

function forkTitle({ title }: Pick<Session, 'title'>): string {
  const base = title.replace(/ \(fork\)$/u, '');
  const short = base.length > TITLE_CHARACTERS ? `${base.slice(0, TITLE_CHARACTERS - 1)}…` : base;
  return `${short} (fork)`;
}

function resultsIn(messages: readonly Message[]): readonly string[] {
  return messages
    .flatMap(toolResultsOf)
    .flatMap(({ cut }) => (cut === undefined ? [] : [cut.resultId]));
}

function gone(): BelayError {
  const message = told`This message is not in the conversation any more. Nothing was changed.`;
  return fault('not_found', message);
}
