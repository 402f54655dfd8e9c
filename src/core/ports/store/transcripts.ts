import type { RunEvent } from '../../../domain/event.ts';
import type { Json } from '../../../domain/json.ts';
import type { Message } from '../../../domain/message.ts';
import type { Compaction, Session, SessionMarks } from '../../../domain/session.ts';

export interface MessageQuery {
  readonly sessionId: string;
  /** Only messages with a smaller seq. */
  readonly beforeSeq?: number;
  /** Only messages with a larger seq. */
  readonly afterSeq?: number;
  /** At most this many, the newest ones; order of the answer is always ascending. */
  readonly limit?: number;
}

export interface Transcripts {
  sessions(): Promise<readonly Session[]>;
  session(id: string): Promise<Session | undefined>;
  messages(query: MessageQuery): Promise<readonly Message[]>;
  compactions(sessionId: string): Promise<readonly Compaction[]>;
  /** Draft text of a message that was being streamed when the process died, if any. */
  draftOf(
    sessionId: string,
  ): Promise<{ readonly messageId: string; readonly parts: Json } | undefined>;
  events(sessionId: string, afterSeq?: number, limit?: number): Promise<readonly RunEvent[]>;
  /** Full-text search over titles and text parts, best first. */
  search(
    query: string,
    limit: number,
  ): Promise<
    readonly { readonly sessionId: string; readonly messageSeq: number; readonly excerpt: string }[]
  >;
  /** Marks a session for the list; a mark that is not named stays, and the session is no newer by it. */
  markSession(id: string, marks: SessionMarks): Promise<void>;
  deleteSession(id: string): Promise<void>;
}
