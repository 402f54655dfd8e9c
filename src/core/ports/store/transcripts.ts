import type { RunEvent } from '../../../domain/event.ts';
import type { Json } from '../../../domain/data/json.ts';
import type { Message, Role } from '../../../domain/message.ts';
import type { Compaction, Session, SessionMarks } from '../../../domain/session/session.ts';

export interface MessageQuery {
  readonly sessionId: string;
  /** Only messages with a smaller seq. */
  readonly beforeSeq?: number;
  /** Only messages with a larger seq. */
  readonly afterSeq?: number;
  /** At most this many, the newest ones; order of the answer is always ascending. */
  readonly limit?: number;
}

/** A part of an excerpt; `hit`: it is what was searched for. */
export interface FoundPiece {
  readonly text: string;
  readonly hit: boolean;
}

/** A hit of the full-text search. */
export interface Found {
  readonly sessionId: string;
  /** 0: the title. */
  readonly messageSeq: number;
  readonly role: Role;
  /** When the message was written, milliseconds since the epoch; 0 of a title. */
  readonly at: number;
  /** Messages of the session that were found. */
  readonly hits: number;
  readonly pieces: readonly FoundPiece[];
}

export interface SearchResult {
  /** Titles first, then the best few of each session. */
  readonly hits: readonly Found[];
  /** `false`: older messages are still being made findable. */
  readonly complete: boolean;
}

export interface FindQuery {
  readonly sessionId: string;
  readonly query: string;
  readonly matchCase: boolean;
}

/** A message in which something occurs. */
export interface Place {
  readonly seq: number;
  readonly id: string;
  /** How often. */
  readonly hits: number;
}

export interface PromptQuery {
  readonly sessionId: string;
  /** Those of all other sessions instead. */
  readonly others: boolean;
  readonly limit: number;
}

/** A message that the person wrote. */
export interface Prompt {
  readonly sessionId: string;
  readonly seq: number;
  readonly id: string;
  readonly text: string;
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
  /**
   * Events that are kept, ascending: the newest, or with `afterSeq` the first of this process with a larger seq.
   * They are written in the background: `Recorder.flush` first, where the last ones matter.
   */
  events(sessionId: string, afterSeq?: number, limit?: number): Promise<readonly RunEvent[]>;
  /** Full-text search over titles and messages. */
  search(query: string, limit: number): Promise<SearchResult>;
  /** Everywhere in a session, text for text, in the order of its messages. */
  find(query: FindQuery): Promise<readonly Place[]>;
  /** The newest first. */
  prompts(query: PromptQuery): Promise<readonly Prompt[]>;
  /** Marks a session for the list; a mark that is not named stays, and the session is no newer by it. */
  markSession(id: string, marks: SessionMarks): Promise<void>;
  deleteSession(id: string): Promise<void>;
}
