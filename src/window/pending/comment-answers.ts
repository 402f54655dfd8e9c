import type { EventBroker } from '../../core/session/event-broker.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { RunEvent } from '../../domain/event.ts';
import { textOf } from '../../domain/message.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';

/** Characters of an answer beside a change; the conversation has all of it. */
const MAX_CHARS = 4000;

/** The agent's answer to a comment. */
export interface CommentAnswer {
  /** Its last words so far, the end cut off where they are long; empty: it has said nothing yet. */
  readonly text: string;
  readonly isCut: boolean;
  /** The run of the comment is over. */
  readonly isOver: boolean;
}

/** Follows what the agent says to comments, each until its run is over. */
export class CommentAnswers {
  readonly #broker: Pick<EventBroker, 'listen'>;

  constructor(broker: Pick<EventBroker, 'listen'>) {
    this.#broker = broker;
  }

  /** @param message of the comment, as it is sent: it may wait for its turn; begin before it is */
  follow(sessionId: string, message: string, hear: (answer: CommentAnswer) => void): Disposable {
    let runId: string | undefined;
    let said = '';
    const listening = this.#broker.listen((event) => {
      if (event.sessionId !== sessionId) return;
      if (runId === undefined) {
        if (isMessage(event, message)) ({ runId } = event);
        return;
      }
      if (event.runId !== runId) return;
      const text =
        event.type === 'message.completed' && event.message.role === 'assistant'
          ? textOf(event.message).trim()
          : '';
      if (text !== '') said = text;
      const isOver = ENDS.has(event.type);
      if (isOver) listening.dispose();
      if (isOver || text !== '') hear({ ...bounded(said), isOver });
    });
    return listening;
  }
}

const ENDS: ReadonlySet<RunEvent['type']> = new Set<RunEvent['type']>([
  'agent_run.completed',
  'agent_run.cancelled',
  'agent_run.failed',
  'agent_run.handed_over',
]);

function isMessage(event: RunEvent, text: string): boolean {
  return (
    event.type === 'message.added' &&
    event.message.role === 'user' &&
    textOf(event.message).includes(text)
  );
}

function bounded(text: string): Pick<CommentAnswer, 'text' | 'isCut'> {
  const isCut = text.length > MAX_CHARS;
  return { text: makeVisible(isCut ? text.slice(0, MAX_CHARS) : text), isCut };
}
