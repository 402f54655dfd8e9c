import { isJsonObject, type JsonObject } from '../../domain/data/json.ts';

/** A conversation of VS Code's own chat and its session (A4). */
export interface BoundThread {
  readonly sessionId: string;
  /** Answers of Belay that the conversation has, the one that is being written included. */
  readonly answers: number;
}

/** Sessions by the conversations that they are shown in; kept across reloads. */
export interface ThreadRecords {
  find(thread: string): Promise<BoundThread | undefined>;
  bind(thread: string, bound: BoundThread): Promise<void>;
}

/** A note that an answer carries along in VS Code's own record of the conversation. */
export interface AnswerNote {
  readonly thread: string;
  readonly sessionId: string;
  /** Id of the last message of the model; absent: there is none. */
  readonly messageId?: string;
}

/** The way on of a conversation. */
export type ThreadStep =
  | { readonly kind: 'new' }
  | { readonly kind: 'go_on'; readonly sessionId: string }
  /** The person went back, or copied the conversation: the session goes on from this answer, as another one. */
  | { readonly kind: 'fork'; readonly sessionId: string; readonly messageId: string };

/**
 * Decides in which session a message of a conversation goes on.
 * @param notes of the answers before it, as VS Code has them; `undefined`: an answer whose note was lost
 */
export function nextStep(
  thread: string,
  bound: BoundThread | undefined,
  notes: readonly (AnswerNote | undefined)[],
): ThreadStep {
  const last = notes.findLast((note) => note !== undefined);
  if (bound === undefined) {
    // Kept by VS Code alone: the same conversation, or a copy of another one.
    if (last === undefined) return { kind: 'new' };
    return last.thread === thread ? { kind: 'go_on', sessionId: last.sessionId } : forkOf(last);
  }
  if (notes.length >= bound.answers) return { kind: 'go_on', sessionId: bound.sessionId };
  return last === undefined ? { kind: 'new' } : forkOf(last);
}

function forkOf({ sessionId, messageId }: AnswerNote): ThreadStep {
  return messageId === undefined ? { kind: 'new' } : { kind: 'fork', sessionId, messageId };
}

export function readNote(metadata: unknown): AnswerNote | undefined {
  if (!isJsonObject(metadata)) return undefined;
  const { thread, sessionId, messageId } = metadata;
  if (typeof thread !== 'string' || typeof sessionId !== 'string') return undefined;
  return { thread, sessionId, ...(typeof messageId === 'string' ? { messageId } : {}) };
}

export const noteObject = ({ thread, sessionId, messageId }: AnswerNote): JsonObject => ({
  thread,
  sessionId,
  ...(messageId === undefined ? {} : { messageId }),
});
